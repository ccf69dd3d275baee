"""One score: counts, and the percentages that follow from them."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Score:
    """Precision, recall and F1 in percent.

    ``aligned`` is the number of words that both files have, for scores of words' properties; the
    accuracy on these alone is ``aligned_accuracy``, and None for scores that are not of that
    kind.
    """

    gold: int
    system: int
    correct: int
    aligned: int | None = None

    @property
    def precision(self) -> float:
        """Correct ones of those in the system's output."""
        return 100 * (self.correct / self.system) if self.system else 0.0

    @property
    def recall(self) -> float:
        """Correct ones of those in the gold standard."""
        return 100 * (self.correct / self.gold) if self.gold else 0.0

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall."""
        total = self.system + self.gold
        return 100 * (2 * self.correct / total) if total else 0.0

    @property
    def aligned_accuracy(self) -> float | None:
        """Correct ones of the words that both files have."""
        if self.aligned is None:
            return None
        return 100 * (self.correct / self.aligned) if self.aligned else 0.0

    def to_dict(self) -> dict[str, float | int | None]:
        """Return percentages and counts for JSON."""
        return {
            "precision": self.precision,
            "recall": self.recall,
            "f1": self.f1,
            "aligned_accuracy": self.aligned_accuracy,
            "correct": self.correct,
            "gold": self.gold,
            "system": self.system,
        }


def percent(part: float, whole: float) -> float:
    """Return a share in percent; 0 of nothing is 0."""
    return 100 * (part / whole) if whole else 0.0
