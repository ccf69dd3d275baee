"""CoNLL-2009: gold and predicted columns side by side, and one column per predicate.

All lines of a block must have the same columns, but the number of argument columns (APRED) varies between sentences.
They are read as one column APREDS, with a unit separator before each argument. HEAD and DEPREL are placed side by side,
as the toolkit requires. Writing undoes both, so the bytes are the same. The gold tag POS becomes UPOS, where parsers
look for tags.
"""

from __future__ import annotations

from collections.abc import Callable

from treewright.errors import TreebankError
from treewright.treebank.formats.registry import Sample
from treewright.treebank.formats.tabular import WordsOnlyFormat, looks_like_id

# Column k of the layout is column ORDER[k] of the file.
ORDER = (0, 1, 2, 4, 6, 8, 10, 3, 5, 7, 9, 11, 12, 13)
FIXED = len(ORDER)
PLACES = tuple(ORDER.index(column) for column in range(FIXED))
SEPARATOR = b"\x1f"


class Conll09(WordsOnlyFormat):
    """Fourteen or more columns."""

    name = "conll09"
    description = "CoNLL-2009 (with semantic roles)"
    columns = (
        *("ID", "FORM", "LEMMA", "UPOS", "FEATS", "HEAD", "DEPREL"),
        *("PLEMMA", "PPOS", "PFEAT", "PHEAD", "PDEPREL", "FILLPRED", "PRED", "APREDS"),
    )

    def confidence(self, sample: Sample) -> float:
        """Accept fourteen or more columns, the first a number."""
        wide = sum(len(row) >= FIXED and looks_like_id(row[0]) for row in sample.rows)
        return 0.9 if sample.rows and 2 * wide >= len(sample.rows) else 0.0

    def decode(self, data: bytes, source: str, first_line: int) -> bytes:
        """Return the lines with fifteen columns each."""
        if SEPARATOR in data:
            place = data.count(b"\n", 0, data.index(SEPARATOR))
            raise TreebankError(
                "control character 0x1f",
                source=source,
                line=first_line + place,
                remedy="Remove it: no word contains this character.",
            )
        return _rewritten(data, lambda cells, number: _decoded(cells, source, first_line + number))

    def encode(self, data: bytes) -> bytes:
        """Return the lines with the columns of the file."""
        return _rewritten(data, lambda cells, number: _encoded(cells))


def _rewritten(data: bytes, change: Callable[[list[bytes], int], bytes]) -> bytes:
    """Return the lines with those of words changed, given their cells and their number."""
    lines = data.split(b"\n")
    for number, line in enumerate(lines):
        text, body = line.removeprefix(b"\xef\xbb\xbf"), line.removesuffix(b"\r")
        if text.strip(b" \t\r") and not text.startswith(b"#"):
            lines[number] = change(body.split(b"\t"), number) + line[len(body) :]
    return b"\n".join(lines)


def _decoded(cells: list[bytes], source: str, line: int) -> bytes:
    if len(cells) < FIXED:
        raise TreebankError(
            f"expected at least {FIXED} columns (conll09), found {len(cells)}",
            source=source,
            line=line,
            remedy="Separate columns by single tabs, and write `_` for an empty value.",
        )
    return b"\t".join([*(cells[k] for k in ORDER), b"".join(SEPARATOR + cell for cell in cells[FIXED:])])


def _encoded(cells: list[bytes]) -> bytes:
    arguments = b"" if cells[FIXED] == b"_" else cells[FIXED].replace(SEPARATOR, b"\t")
    return b"\t".join([cells[k] for k in PLACES]) + arguments
