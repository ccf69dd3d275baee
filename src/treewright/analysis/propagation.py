"""Does one error lead to the next? What follows the first error of a sentence, from left to right."""

from __future__ import annotations

from array import array
from dataclasses import dataclass

from treewright.analysis.counting import count_after_first, count_by_history
from treewright.analysis.inputs import Piece
from treewright.evaluation.attachment import Convention
from treewright.evaluation.breakdown import ranges
from treewright.evaluation.score import PercentOf

DISTANCES = (1, 2, 3, 4, 5, 6, 11, 21)
HISTORIES = ("neither", "only A", "only B", "both")


@dataclass(frozen=True)
class AfterFirst:
    """Words at some distance after the first error of their sentence.

    ``expected`` is the number of errors if the other errors of each sentence were spread evenly over the rest of it.
    Both figures include the difficulty of the sentence itself.
    """

    distance: str
    words: int
    errors: int
    expected: float

    rate = PercentOf("errors", "words", "Percent of wrong words.")
    expected_rate = PercentOf("expected", "words", "Percent of wrong words if errors were spread evenly.")

    @property
    def ratio(self) -> float | None:
        """Errors per expected error: above 1, errors cluster."""
        return self.errors / self.expected if self.expected else None


@dataclass(frozen=True)
class ErrorSpread:
    """Where the errors of one parse are, after the first error of their sentence."""

    words: int
    errors: int
    sentences_with_errors: int
    after: list[AfterFirst]


@dataclass(frozen=True)
class HistoryRow:
    """Words by which parse has an earlier error in their sentence; the same words for both parses."""

    erred_before: str
    words: int
    first_errors: int
    second_errors: int

    first_rate = PercentOf("first_errors", "words", "Percent of the words that the first parse gets wrong.")
    second_rate = PercentOf("second_errors", "words", "Percent of the words that the second parse gets wrong.")


class ErrorPropagation:
    """Errors after errors, accumulated piece by piece."""

    def __init__(self, convention: Convention, n_parses: int) -> None:
        self._convention = convention
        n = len(DISTANCES)
        self._totals = [[0, 0, 0] for _ in range(n_parses)]
        self._words = [array("q", bytes(8 * n)) for _ in range(n_parses)]
        self._errors = [array("q", bytes(8 * n)) for _ in range(n_parses)]
        self._expected = [array("d", bytes(8 * n)) for _ in range(n_parses)]
        self._histories = array("q", bytes(8 * 3 * len(HISTORIES)))

    def add(self, piece: Piece) -> None:
        """Count the words of a piece."""
        ignored, wanted = self._convention.ignored_flags, self._convention.right_flags
        bounds = array("i", DISTANCES)
        for which, pair in enumerate(piece.parses):
            counts = count_after_first(
                pair.flags,
                pair.first_word,
                ignored,
                wanted,
                bounds,
                self._words[which],
                self._errors[which],
                self._expected[which],
            )
            self._totals[which] = [a + b for a, b in zip(self._totals[which], counts, strict=True)]
        if piece.second is not None:
            first = piece.first
            count_by_history(first.flags, piece.second.flags, first.first_word, ignored, wanted, self._histories)

    def spreads(self) -> list[ErrorSpread]:
        """Return the counts of each parse."""
        return [
            ErrorSpread(
                totals[0],
                totals[1],
                totals[2],
                [AfterFirst(*row) for row in zip(ranges(DISTANCES), words, errors, expected, strict=True) if row[1]],
            )
            for totals, words, errors, expected in zip(
                self._totals, self._words, self._errors, self._expected, strict=True
            )
        ]

    def histories(self) -> list[HistoryRow]:
        """Return the errors of both parses by which of them has an earlier error."""
        return [HistoryRow(name, *self._histories[3 * k : 3 * k + 3]) for k, name in enumerate(HISTORIES)]
