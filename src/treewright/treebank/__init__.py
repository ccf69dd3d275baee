"""Read, write and convert treebanks without loss.

Names are imported on first use, so a command loads only what it needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treewright.treebank.files.output import OutputFile, open_output
    from treewright.treebank.files.reading import read_blocks
    from treewright.treebank.files.treebank import Treebank, read
    from treewright.treebank.files.writing import convert, write
    from treewright.treebank.sentences.sentence import Sentence
    from treewright.treebank.sentences.token import Token

__all__ = [
    "OutputFile",
    "Sentence",
    "Token",
    "Treebank",
    "convert",
    "open_output",
    "read",
    "read_blocks",
    "write",
]

_HOME = {
    "OutputFile": "output",
    "Sentence": "sentence",
    "Token": "token",
    "Treebank": "treebank",
    "convert": "writing",
    "open_output": "output",
    "read": "treebank",
    "read_blocks": "reading",
    "write": "writing",
}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
