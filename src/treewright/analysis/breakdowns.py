"""Right and wrong words by their gold relation, tag, sentence length, distance, projectivity and depth."""

from __future__ import annotations

from array import array
from collections.abc import Callable
from dataclasses import dataclass, replace

from treewright.analysis.counting import COUNTS, count_right, shapes
from treewright.analysis.inputs import Piece
from treewright.evaluation.attachment import Convention
from treewright.evaluation.breakdown import DISTANCES, LENGTHS, SIGNED_DISTANCES, ranges, signed_ranges
from treewright.evaluation.comparison import FLAGS, Names
from treewright.evaluation.score import percent
from treewright.evaluation.significance import mcnemar
from treewright.evaluation.tally import bucket_numbers

DEPTHS = (1, 2, 3, 4, 5, 6, 8, 11)
LEVEL = 0.05
_FAR_LEFT = -(2**31)


@dataclass(frozen=True)
class BreakdownRow:
    """A group of words and the results of the parses on them; the fields of a second parse are None without one.

    ``first_heads`` have the right head, ``first_right`` are right by the metric, ``only_first`` are right in the first
    parse and wrong in the second. ``p_value`` is McNemar's; ``significant`` says whether it stays below 0.05 after
    Holm's correction for the number of rows in the table.
    """

    name: str
    words: int
    first_heads: int
    first_right: int
    second_heads: int | None = None
    second_right: int | None = None
    only_first: int | None = None
    only_second: int | None = None
    p_value: float | None = None
    significant: bool = False

    @property
    def first_score(self) -> float:
        """Percent of the words that the first parse gets right."""
        return percent(self.first_right, self.words)

    @property
    def second_score(self) -> float | None:
        """Percent of the words that the second parse gets right."""
        return None if self.second_right is None else percent(self.second_right, self.words)

    @property
    def gain(self) -> float | None:
        """The second's score minus the first's."""
        return None if self.second_score is None else self.second_score - self.first_score

    @property
    def first_errors(self) -> int:
        """Words that the first parse gets wrong."""
        return self.words - self.first_right


def make_row(name: str, counts: list[int], compared: bool) -> BreakdownRow:
    """Return the row of one key from its counts."""
    words, first_heads, first_right, second_heads, second_right, only_first, only_second = counts
    if not compared:
        return BreakdownRow(name, words, first_heads, first_right)
    p_value = mcnemar(only_first, only_second).p_value
    return BreakdownRow(
        name, words, first_heads, first_right, second_heads, second_right, only_first, only_second, p_value
    )


def with_holm(rows: list[BreakdownRow]) -> list[BreakdownRow]:
    """Mark the rows that stay significant after correcting for the number of rows (Holm 1979).

    Rows where the parses never differ are not tested and do not count.
    """
    tested = [row for row in rows if row.p_value is not None and (row.only_first or row.only_second)]
    tested.sort(key=lambda row: row.p_value or 0.0)
    significant = set()
    for place, row in enumerate(tested):
        if (row.p_value or 0.0) * (len(tested) - place) > LEVEL:
            break
        significant.add(row.name)
    return [replace(row, significant=row.name in significant) for row in rows]


class Breakdown:
    """One breakdown, accumulated piece by piece."""

    def __init__(self, by: str, names: Names, convention: Convention) -> None:
        self.by, self._names, self._convention = by, names, convention
        self._keys, self._key_names, self._sorted = BREAKDOWNS[by]
        self._totals: list[int] = []

    def add(self, piece: Piece, properties: Properties) -> None:
        """Count the words of a piece."""
        keys = self._keys(properties)
        known = len(self._key_names(self._names))
        second = (piece.second or piece.first).flags
        head, right = FLAGS["head"], self._convention.right_flags
        counts = count_right(piece.first.flags, second, keys, known, self._convention.ignored_flags, head, right)
        self._totals += [0] * (len(counts) - len(self._totals))
        for place, count in enumerate(counts):
            self._totals[place] += count

    def rows(self, compared: bool) -> list[BreakdownRow]:
        """Return the rows; keys without words are left out."""
        width = len(COUNTS)
        rows = [
            make_row(name, self._totals[width * place : width * (place + 1)], compared)
            for place, name in enumerate(self._key_names(self._names))
            if width * place < len(self._totals) and self._totals[width * place]
        ]
        if self._sorted:
            rows.sort(key=lambda row: (-row.words, row.name))
        return with_holm(rows)


class Properties:
    """Properties of the words of a piece in the gold trees; each is computed at most once, on demand."""

    def __init__(self, piece: Piece) -> None:
        self._pair = piece.first
        self._shapes: tuple[array[int], array[int]] | None = None

    def relations(self) -> array[int]:
        """Numbers of relations."""
        return self._pair.relation_numbers(False)

    def tags(self) -> array[int]:
        """Numbers of tags."""
        return self._pair.tag_numbers()

    def lengths(self) -> array[int]:
        """Buckets of sentence length."""
        return bucket_numbers(self._pair.lengths(), array("i", LENGTHS))

    def distances(self) -> array[int]:
        """Buckets of the signed distance to the head."""
        return bucket_numbers(self._pair.distances(False), array("i", (_FAR_LEFT, *SIGNED_DISTANCES)))

    def crossing(self) -> array[int]:
        """1 for a non-projective arc."""
        return self._all_shapes()[0]

    def depths(self) -> array[int]:
        """Buckets of the depth."""
        return bucket_numbers(self._all_shapes()[1], array("i", DEPTHS))

    def _all_shapes(self) -> tuple[array[int], array[int]]:
        if self._shapes is None:
            self._shapes = shapes(self._pair)
        return self._shapes


#: name → keys of the words, names of the keys, whether frequent ones come first
BREAKDOWNS: dict[str, tuple[Callable[[Properties], array[int]], Callable[[Names], list[str]], bool]] = {
    "deprel": (Properties.relations, lambda names: list(names.relations.strings), True),
    "upos": (Properties.tags, lambda names: list(names.tags.strings), True),
    "length": (Properties.lengths, lambda names: ranges(LENGTHS), False),
    "distance": (Properties.distances, lambda names: signed_ranges(), False),
    "projectivity": (Properties.crossing, lambda names: ["projective", "non-projective"], False),
    "depth": (Properties.depths, lambda names: ["1 (root)", *ranges(DEPTHS)[1:]], False),
}
assert len(SIGNED_DISTANCES) == 2 * len(DISTANCES) - 2
