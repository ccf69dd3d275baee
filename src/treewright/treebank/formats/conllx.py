"""CoNLL-X, the format of the shared tasks of 2006 and 2007."""

from __future__ import annotations

from treewright.treebank.checks.ud_checks import UPOS
from treewright.treebank.formats.registry import Sample
from treewright.treebank.formats.tabular import WordsOnlyFormat


class ConllX(WordsOnlyFormat):
    """Ten columns, words only."""

    name = "conllx"
    description = "CoNLL-X (shared tasks of 2006 and 2007)"
    #: CPOSTAG and POSTAG are the coarse and the fine tag, called UPOS and XPOS here
    columns = ("ID", "FORM", "LEMMA", "UPOS", "XPOS", "FEATS", "HEAD", "DEPREL", "PHEAD", "PDEPREL")

    def confidence(self, sample: Sample) -> float:
        """Accept ten columns that break the rules of CoNLL-U, without anything specific to CoNLL-U."""
        rows = [row for row in sample.rows if len(row) == 10]
        if not rows or sample.share(10) < 0.5 or _has_marks_of_conllu(sample, rows):
            return 0.0
        if any(row[8].isdigit() for row in rows):  # PHEAD
            return 0.9
        foreign_tags = sum(row[3] not in UPOS and row[3] != b"_" for row in rows)
        foreign_feats = any(b"=" not in feature for row in rows if row[5] != b"_" for feature in row[5].split(b"|"))
        return 0.8 if 2 * foreign_tags > len(rows) or foreign_feats else 0.1


def _has_marks_of_conllu(sample: Sample, rows: list[list[bytes]]) -> bool:
    return (
        any(
            comment[1:].lstrip().startswith((b"sent_id", b"text =", b"newdoc", b"newpar"))
            for comment in sample.comments
        )
        or any(not row[0].isdigit() for row in rows)
        or any(_is_deps(row[8]) for row in rows)
        or any(b"SpaceAfter=No" in row[9] for row in rows)
    )


def _is_deps(text: bytes) -> bool:
    head, colon, _ = text.partition(b":")
    return bool(colon) and head.replace(b".", b"", 1).isdigit()
