"""The common base of tables: one word per line, tab-separated columns, a blank line after each sentence."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from typing import TYPE_CHECKING

from treewright.errors import TreebankWarning
from treewright.treebank.blocks.block import NO_FINAL_BLANK, Block, Layout
from treewright.treebank.blocks.stretches import stretches
from treewright.treebank.formats.registry import Format, Sample

if TYPE_CHECKING:
    from treewright.treebank.blocks.stretches import ByteStream
    from treewright.treebank.formats.writers import FormatWriter


class TabFormat(Format):
    """A table. A format lists its columns and overrides methods if it needs more."""

    columns: tuple[str, ...] = ()
    comments = True  # when reading: lines that start with '#' are comments
    holds_comments = True  # when writing: comments of other formats are kept
    holds_multiword = True
    holds_empty = True

    def layout(self, sample: Sample) -> Layout:
        """Return the columns of a file, given its first bytes."""
        return Layout(self.name, self.columns, self.comments)

    def decode(self, data: bytes, source: str, first_line: int) -> bytes:
        """Return the lines of a file as lines of the layout."""
        return data

    def encode(self, data: bytes) -> bytes:
        """Return lines of the layout as lines of a file."""
        return data

    def columns_for(self, block: Block) -> tuple[str, ...]:
        """Return the columns to write for sentences like those of a block."""
        return self.columns

    def read(self, stream: ByteStream, sample: Sample, block_bytes: int) -> Iterator[Block]:
        """Yield blocks of whole sentences."""
        layout = self.layout(sample)
        for data, line in stretches(stream, block_bytes):
            block = Block(self.decode(data, stream.source, line), layout, stream.source, line)
            if block.problems and block.problems[-1][2] == NO_FINAL_BLANK:
                warnings.warn(
                    f"{block.source}:{block.problems[-1][1]}: no blank line after the last sentence; read as if"
                    " there were one",
                    TreebankWarning,
                    stacklevel=3,
                )
            yield block

    def writer(self) -> FormatWriter:
        """Return a new writer for one file."""
        from treewright.treebank.formats.writers import TabWriter

        return TabWriter(self)


class WordsOnlyFormat(TabFormat):
    """A table of words, without comments, multiword tokens and empty nodes."""

    holds_comments = False
    holds_multiword = False
    holds_empty = False


def looks_like_id(text: bytes) -> bool:
    """Return whether text may be the ID of a word, a multiword token or an empty node."""
    return text.replace(b"-", b"", 1).replace(b".", b"", 1).isdigit()
