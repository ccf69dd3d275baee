"""What is read of a file to find a pattern."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from treewright.treebank.blocks.block import Block
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.source import Source

if TYPE_CHECKING:
    from treewright.query.planning import Plan


def blocks_for(source: Source, format: str | None, plan: Plan | None) -> Iterator[Block]:
    """Yield the blocks of a source that may have matches; all of them, if it has no index or nobody looks for any."""
    yield from read_blocks(source, format)
