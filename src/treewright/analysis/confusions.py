"""Which relations are confused with which others."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from treewright.analysis.counting import confused
from treewright.analysis.inputs import Piece
from treewright.evaluation.attachment import Convention
from treewright.evaluation.comparison import Names


@dataclass(frozen=True)
class Confusion:
    """How often one relation was predicted instead of another, and how often with the right head (``first_heads``)."""

    gold: str
    given: str
    first: int
    first_heads: int
    second: int | None = None
    second_heads: int | None = None


class Confusions:
    """The confusions of one or two parses."""

    def __init__(self, names: Names, convention: Convention) -> None:
        self._names, self._convention = names, convention
        self._counts: list[Counter[int]] = [Counter(), Counter()]

    def add(self, piece: Piece) -> None:
        """Count the words of a piece."""
        gold = piece.first.relation_numbers(False)
        for counts, pair in zip(self._counts, piece.parses, strict=False):
            given = pair.relation_numbers(True)
            counts.update(
                confused(pair.flags, gold, given, self._convention.ignored_flags, self._convention.label_flags)
            )

    def rows(self, compared: bool) -> list[Confusion]:
        """Return all confusions, the most frequent first."""
        totals: dict[int, list[int]] = {}
        for which, counts in enumerate(self._counts):
            for number, count in counts.items():
                own = totals.setdefault(number & ~1, [0, 0, 0, 0])
                own[2 * which] += count
                own[2 * which + 1] += count if number & 1 else 0
        strings = self._names.relations.strings
        rows = [
            Confusion(strings[number >> 32], strings[(number & 0xFFFFFFFF) >> 1], *(own if compared else own[:2]))
            for number, own in totals.items()
        ]
        return sorted(rows, key=lambda row: (-row.first - (row.second or 0), row.gold, row.given))
