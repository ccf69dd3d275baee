"""Malt-TAB: form and tag, with or without head and relation; no IDs and no comments.

The format has one column of tags. It becomes UPOS, where parsers look for tags by default.
"""

from __future__ import annotations

from treewright.treebank.blocks.block import Block, Layout
from treewright.treebank.formats.registry import Sample
from treewright.treebank.formats.tabular import WordsOnlyFormat

COLUMNS = ("FORM", "UPOS", "HEAD", "DEPREL")
WITHOUT_TREE = 2


class MaltTab(WordsOnlyFormat):
    """Two or four columns."""

    name = "malt-tab"
    description = "Malt-TAB (form, tag, head, relation)"
    columns = COLUMNS
    comments = False  # the word may be '#'

    def layout(self, sample: Sample) -> Layout:
        """Return two columns if the first line has two, otherwise four."""
        first = sample.lines[0].split(b"\t") if sample.lines else []
        columns = COLUMNS[:WITHOUT_TREE] if len(first) == WITHOUT_TREE else COLUMNS
        return Layout(self.name, columns, comments=False)

    def confidence(self, sample: Sample) -> float:
        """Accept two columns, or four with a number in the third."""
        rows = [line.split(b"\t") for line in sample.lines]
        good = sum(len(row) == WITHOUT_TREE or (len(row) == 4 and (row[2].isdigit() or row[2] == b"_")) for row in rows)
        return 0.7 if 2 * good > len(rows) and not sample.is_sdp else 0.0

    def columns_for(self, block: Block) -> tuple[str, ...]:
        """Return two columns if the block has no trees, otherwise four."""
        return COLUMNS if block.layout.head >= 0 else COLUMNS[:WITHOUT_TREE]
