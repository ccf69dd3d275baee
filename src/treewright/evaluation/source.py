"""The input of an evaluation: files, text in memory, sentences or blocks."""

from __future__ import annotations

import os
from collections.abc import Iterator

from treewright.treebank.blocks.block import Block
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.source import Source
from treewright.treebank.files.treebank import Treebank

__all__ = ["Source", "name_of"]


def _blocks(source: Source) -> Iterator[Block]:
    """Yield the blocks of whatever a treebank can be given as."""
    return read_blocks(source)


def name_of(source: Source) -> str:
    """Return the name of a source for tables and messages."""
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source)
    if isinstance(source, Treebank):
        return name_of(source.source)
    return source.source if isinstance(source, Block) else ""
