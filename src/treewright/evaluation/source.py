"""The input of an evaluation: files, text in memory, or blocks."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from typing import TypeAlias

from treewright.treebank.block import Block
from treewright.treebank.reading import read_blocks

Source: TypeAlias = "str | os.PathLike[str] | bytes | Block | Iterable[Block]"


def _blocks(source: Source) -> Iterator[Block]:
    """Yield the blocks of a path, of text given as bytes, or of an iterable of blocks."""
    if isinstance(source, Block):
        yield source
    elif isinstance(source, (bytes, str, os.PathLike)):
        yield from read_blocks(source)
    else:
        yield from source


def name_of(source: Source) -> str:
    """Return the name of a source for tables and messages."""
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source)
    return source.source if isinstance(source, Block) else ""
