"""What can be scored: files, text in memory, or blocks that were read already."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from treewright.errors import TreewrightError
from treewright.treebank.block import Block, Layout

Source: TypeAlias = "str | os.PathLike[str] | bytes | Block | Iterable[Block]"

_COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")


def _blocks(source: Source) -> Iterator[Block]:
    """Yield the blocks of a path, of CoNLL-U text given as bytes, or of what is made of blocks."""
    if isinstance(source, Block):
        yield source
    elif isinstance(source, bytes):
        yield Block(source, Layout("conllu", _COLUMNS), "text")
    elif isinstance(source, (str, os.PathLike)):
        name = os.fspath(source)
        try:
            with open(name, "rb") as file:
                data = file.read()
        except OSError as error:
            raise TreewrightError(f"{name}: cannot be read: {error.strerror}") from error
        yield Block(data, Layout("conllu", _COLUMNS), name)
    else:
        yield from source


def name_of(source: Source) -> str:
    """Return what to call a source in tables and messages."""
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source)
    return source.source if isinstance(source, Block) else ""
