"""How a search for templates and options shows itself: a bar of the budget on a terminal, lines elsewhere."""

from __future__ import annotations

import time

from treewright.apps.cli.experiment_progress import in_words
from treewright.apps.cli.lines_above import LinesAbove
from treewright.apps.tuning.candidates import Change
from treewright.apps.tuning.selection import SelectionStep
from treewright.apps.tuning.tuner import TuningObserver

OFTEN = 20  # templates between two signs of life


class Silence(LinesAbove, TuningObserver):
    """Says nothing."""

    def __init__(self, budget: float) -> None:
        self.budget, self.start = budget, time.monotonic()


class PlainProgress(Silence):
    """A line for every value that is tried, and for every template that is taken."""

    def __init__(self, budget: float) -> None:
        super().__init__(budget)
        self.templates = 0

    def left(self) -> str:
        """Return how much of the budget is left."""
        return f"; at most {in_words(max(0.0, self.budget - (time.monotonic() - self.start)))} left"

    def began(self, name: str, las: float) -> None:
        """Say what the search begins with."""
        self.show(f"features {name}: LAS {las:.2f}{self.left()}")

    def tested(self, what: str, gain: float, chance: float | None) -> None:
        """Say what a value gave."""
        tested = "" if chance is None else f", by chance with probability {chance:.3f}"
        self.show(f"  {what}: {gain:+.2f}{tested}{self.left()}")

    def took(self, what: str, las: float) -> None:
        """Say that a value is better."""
        self.show(f"{what}: LAS {las:.2f}")

    def tried(self, change: Change, gain: float, cost: float) -> None:
        """Give a sign of life."""
        self.templates += 1
        if self.templates % OFTEN == 0:
            self.show(f"  {self.templates} templates tried{self.left()}")

    def made(self, step: SelectionStep) -> None:
        """Say which template was taken."""
        self.show(f"{step.change}: LAS {step.las:.2f}, {step.gain.las:+.2f}")


class RichProgress(PlainProgress):
    """The same lines above a bar that fills with the budget."""

    def __enter__(self) -> RichProgress:
        from rich.progress import TimeRemainingColumn

        self.start_bar("searching", self.budget, TimeRemainingColumn(elapsed_when_finished=True))
        return self

    def show(self, text: str) -> None:
        """Print above the bar, and move it."""
        super().show(text)
        self._move("searching")

    def tried(self, change: Change, gain: float, cost: float) -> None:
        """Count in the bar."""
        self.templates += 1
        self._move(f"{self.templates} templates tried")

    def _move(self, text: str) -> None:
        self.live.update(self.task, description=text, completed=min(self.budget, time.monotonic() - self.start))

    def left(self) -> str:
        """Nothing: the bar says it."""
        return ""
