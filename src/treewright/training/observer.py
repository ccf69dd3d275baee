"""What a training reports while it runs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True)
class DevScore:
    """What a model gets right on dev: ``value`` decides which round is best, ``shown`` is for people, in per cent."""

    value: float
    shown: Mapping[str, float]


@dataclass(frozen=True)
class RoundReport:
    """What a round of training gave."""

    step: str  # what is trained: parser, tagger, tokeniser
    round: int
    of: int  # rounds in all
    mistakes: float  # share of the decisions that were wrong; not a number where nothing was decided
    counted: str  # what the mistakes are: wrong moves, wrong tags
    features: int
    best: bool
    scores: Mapping[str, float] = field(default_factory=dict)  # on dev, in per cent; empty without a dev set
    mean_of: int = 1  # trainings whose mean was scored

    @property
    def remark(self) -> str:
        """A note on the scores: that they are the best so far, or those of a mean."""
        if not self.scores:
            return ""
        return f"mean of {self.mean_of}" if self.mean_of > 1 else "best" if self.best else ""

    @property
    def uas(self) -> float | None:
        """The share of right heads; of a graph, the unlabelled F1."""
        return self.scores.get("UAS", self.scores.get("unlabelled F1"))

    @property
    def las(self) -> float | None:
        """The share of right heads with the right relation; of a graph, the labelled F1."""
        return self.scores.get("LAS", self.scores.get("labelled F1"))


class TrainingObserver:
    """Receives the progress of a training; the command line shows it."""

    def prepared(self, step: str, sentences: int, words: int, notes: list[str]) -> None:
        """Called when the treebank is ready; ``notes`` say what was fixed, left out or lifted."""

    def begun(self, step: str, sentences: int) -> None:
        """Called when a step begins, with the number of sentences that it will read in all rounds."""

    def advanced(self, sentences: int) -> None:
        """Called after each batch of sentences."""

    def round_done(self, report: RoundReport) -> None:
        """Called after each round."""

    def interrupted(self, rounds: int) -> None:
        """Called after Ctrl-C: the best of the rounds so far is kept."""


class BarOnly(TrainingObserver):
    """Passes on how far a training within a training is, and nothing else; Ctrl-C ends both."""

    def __init__(self, outer: TrainingObserver) -> None:
        self.outer = outer

    def advanced(self, sentences: int) -> None:
        """Move the bar."""
        self.outer.advanced(sentences)

    def interrupted(self, rounds: int) -> None:
        """End the outer training too: half a model helps nobody."""
        raise KeyboardInterrupt
