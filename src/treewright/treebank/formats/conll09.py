"""CoNLL-2009: gold and predicted columns side by side, and one column per predicate.

All lines of a block must have the same columns, but the number of argument columns (APRED) varies between sentences.
They are read as one column APREDS, with a unit separator before each argument. HEAD and DEPREL are placed side by side,
as the toolkit requires. Writing undoes both, so the bytes are the same. The gold tag POS becomes UPOS, where parsers
look for tags.
"""

from __future__ import annotations

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
        lines = data.split(b"\n")
        for number, line in enumerate(lines):
            if _is_word(line):
                lines[number] = _decode_line(line, source, first_line + number)
        return b"\n".join(lines)

    def encode(self, data: bytes) -> bytes:
        """Return the lines with the columns of the file."""
        lines = data.split(b"\n")
        for number, line in enumerate(lines):
            if _is_word(line):
                lines[number] = _encode_line(line)
        return b"\n".join(lines)


def _is_word(line: bytes) -> bool:
    text = line.removeprefix(b"\xef\xbb\xbf")
    return bool(text.strip(b" \t\r")) and not text.startswith(b"#")


def _decode_line(line: bytes, source: str, number: int) -> bytes:
    body = line.removesuffix(b"\r")
    cells = body.split(b"\t")
    if len(cells) < FIXED:
        raise TreebankError(
            f"expected at least {FIXED} columns (conll09), found {len(cells)}",
            source=source,
            line=number,
            remedy="Separate columns by single tabs, and write `_` for an empty value.",
        )
    arguments = b"".join(SEPARATOR + cell for cell in cells[FIXED:])
    return b"\t".join([*(cells[k] for k in ORDER), arguments]) + line[len(body) :]


def _encode_line(line: bytes) -> bytes:
    body = line.removesuffix(b"\r")
    cells = body.split(b"\t")
    arguments = b"" if cells[FIXED] == b"_" else cells[FIXED].replace(SEPARATOR, b"\t")
    return b"\t".join([cells[k] for k in PLACES]) + arguments + line[len(body) :]
