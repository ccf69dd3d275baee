"""What writes blocks in a format: one writer for a file. Reading needs none."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from treewright.treebank.blocks.block import Block, Layout
from treewright.treebank.blocks.rearrange import EMPTY, NUMBER, rearrange
from treewright.treebank.checks.problems import check

if TYPE_CHECKING:
    from treewright.treebank.formats.tabular import TabFormat


class FormatWriter:
    """Converts blocks of any layout to one format, and counts whatever the format cannot hold.

    A writer serves one file: call ``write`` for every block, ``finish`` at the end, ``close`` in any case.
    """

    needs_blanks = True  # a blank line stands between what two blocks give, and is added where it is missing

    def __init__(self) -> None:
        self.dropped: dict[str, int] = {}

    def write(self, block: Block) -> bytes:
        """Return the sentences of a block in the format; b"" if ``finish`` returns them."""
        raise NotImplementedError

    def finish(self) -> Iterable[bytes]:
        """Return the bytes after the last block."""
        return ()

    def close(self) -> None:
        """Release resources, after success and after failure."""

    def drop(self, what: str, count: int) -> None:
        """Count something that was left out."""
        if count:
            self.dropped[what] = self.dropped.get(what, 0) + count


class TabWriter(FormatWriter):
    """Writes tables: unchanged if they have the columns of the format, otherwise rearranged."""

    def __init__(self, format: TabFormat) -> None:
        super().__init__()
        self.format = format
        self.columns: tuple[str, ...] = ()

    def write(self, block: Block) -> bytes:
        """Return the sentences of a block in the format."""
        if not self.columns:
            self.columns = self.format.columns_for(block)
        layout = block.layout
        if layout.name == self.format.name and layout.columns == self.columns:
            return self.format.encode(block.data)
        return self.format.encode(self.rearranged(block))

    def rearranged(self, block: Block) -> bytes:
        """Return the sentences in the columns of the format, and count what these cannot hold."""
        check(block)
        mapping = [_origin(column, block.layout) for column in self.columns]
        data, lost = rearrange(
            block,
            mapping,
            comments=self.format.holds_comments,
            multiword=self.format.holds_multiword,
            empty=self.format.holds_empty,
        )
        comments, multiword, empty, sentences, words = lost
        self.drop("comment lines", comments)
        self.drop("multiword tokens", multiword)
        self.drop("empty nodes", empty)
        self.drop("sentences without words", sentences)
        for column, count in zip(block.layout.columns, words, strict=True):
            self.drop(f"values of {column}", count)
        return data


def _origin(column: str, layout: Layout) -> int:
    place = layout.index(column)
    if place >= 0:
        return place
    return NUMBER if column == "ID" else EMPTY
