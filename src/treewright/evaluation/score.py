"""A score: counts, and percentages computed from them."""

from __future__ import annotations

from dataclasses import dataclass


class PercentOf:
    """A property of a class: one of its fields as a share of another, see ``percent``."""

    def __init__(self, part: str, whole: str, doc: str) -> None:
        self.part, self.whole, self.__doc__ = part, whole, doc

    def __get__(self, row: object, owner: type) -> float:
        return percent(getattr(row, self.part), getattr(row, self.whole))


def percent(part: float, whole: float) -> float:
    """Return a share in percent, 0 if the whole is 0."""
    return 100 * (part / whole) if whole else 0.0


class PrecisionAndRecall:
    """What the counts of a gold standard, of a system and of what is right in both give, in percent."""

    gold: int
    system: int
    correct: int

    precision = PercentOf("correct", "system", "The share of the system's output that is correct.")
    recall = PercentOf("correct", "gold", "The share of the gold standard that was found.")

    @property
    def f1(self) -> float:
        """The harmonic mean of precision and recall."""
        return percent(2 * self.correct, self.system + self.gold)

    @property
    def rates(self) -> tuple[float, float, float]:
        """Precision, recall and F1."""
        return self.precision, self.recall, self.f1


@dataclass(frozen=True)
class Score(PrecisionAndRecall):
    """Precision, recall and F1 in percent.

    For scores of word properties, ``aligned`` is the number of words that both files share, and ``aligned_accuracy`` is
    the accuracy on these words. For other scores both are None.
    """

    gold: int
    system: int
    correct: int
    aligned: int | None = None

    @property
    def aligned_accuracy(self) -> float | None:
        """The share of shared words that are correct."""
        return None if self.aligned is None else percent(self.correct, self.aligned)

    def to_dict(self) -> dict[str, float | int | None]:
        """Return percentages and counts for JSON."""
        names = ("precision", "recall", "f1", "aligned_accuracy", "correct", "gold", "system")
        return {name: getattr(self, name) for name in names}
