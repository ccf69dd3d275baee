"""Malt-TAB: form and tag, with or without head and relation; no IDs, no comments.

The format has one column for tags. It is UPOS here, where a parser looks for its tags by default.
"""

from __future__ import annotations

from treewright.treebank.block import Block, Layout
from treewright.treebank.formats.registry import Sample
from treewright.treebank.formats.tabular import TabFormat

COLUMNS = ("FORM", "UPOS", "HEAD", "DEPREL")
WITHOUT_TREE = 2


class MaltTab(TabFormat):
    """Two columns, or four."""

    name = "malt-tab"
    description = "Malt-TAB (form, tag, head, relation)"
    suffixes = (".tab",)
    columns = COLUMNS
    comments = False  # the word may be '#'
    holds_comments = False
    holds_multiword = False
    holds_empty = False

    def layout(self, sample: Sample) -> Layout:
        """Return two columns if the first line has two, and four otherwise."""
        first = sample.lines[0].split(b"\t") if sample.lines else []
        columns = COLUMNS[:WITHOUT_TREE] if len(first) == WITHOUT_TREE else COLUMNS
        return Layout(self.name, columns, comments=False)

    def confidence(self, sample: Sample) -> float:
        """Two columns, or four of which the third is a number."""
        rows = [line.split(b"\t") for line in sample.lines]
        good = sum(len(row) == WITHOUT_TREE or (len(row) == 4 and (row[2].isdigit() or row[2] == b"_")) for row in rows)
        return 0.7 if 2 * good > len(rows) and not sample.is_sdp else 0.0

    def columns_for(self, block: Block) -> tuple[str, ...]:
        """Return two columns if the block has no trees, and four otherwise."""
        return COLUMNS if block.layout.head >= 0 else COLUMNS[:WITHOUT_TREE]
