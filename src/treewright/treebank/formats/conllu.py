"""CoNLL-U, the format of Universal Dependencies."""

from __future__ import annotations

from treewright.treebank.blocks.block import Layout, layout_of
from treewright.treebank.formats.registry import Sample
from treewright.treebank.formats.tabular import TabFormat, looks_like_id

COLUMNS = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "DEPS", "MISC")
CONLLU = layout_of("conllu", COLUMNS, True)


class ConllU(TabFormat):
    """Ten columns, comments, multiword tokens and empty nodes."""

    name = "conllu"
    description = "CoNLL-U (Universal Dependencies)"
    columns = CONLLU.columns

    def layout(self, sample: Sample) -> Layout:
        """Return the ten columns."""
        return CONLLU

    def confidence(self, sample: Sample) -> float:
        """Accept any ten columns, and other rows that start with an ID: an error then names the line."""
        if sample.is_sdp:
            return 0.0
        if not sample.rows:
            return 0.4
        if sample.share(10) >= 0.5:
            return 0.6
        return 0.1 if looks_like_id(sample.rows[0][0].split(b" ")[0]) else 0.0
