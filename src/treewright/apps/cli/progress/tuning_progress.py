"""The progress of a search for templates and options: lines; on a terminal, above a bar that fills with the budget."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from treewright.apps.cli.progress.progress_display import ProgressDisplay, in_words
from treewright.apps.tuning.candidates import Change
from treewright.apps.tuning.selection import SelectionStep
from treewright.apps.tuning.tuner import TuningObserver

if TYPE_CHECKING:
    from typing_extensions import Self

OFTEN = 20  # templates between two signs of life


class TuningProgress(ProgressDisplay, TuningObserver):
    """A line for every value that is tried, and for every template that is taken."""

    def __init__(self, budget: float, quiet: bool = False) -> None:
        super().__init__(quiet)
        self.budget, self.start = budget, time.monotonic()
        self.templates = 0

    def __enter__(self) -> Self:
        if self.moves:
            from rich.progress import TimeRemainingColumn

            self.start_bar("searching", self.budget, TimeRemainingColumn(elapsed_when_finished=True))
        return self

    def left(self) -> str:
        """Return how much of the budget is left; the bar says it, too."""
        left = max(0.0, self.budget - (time.monotonic() - self.start))
        return "" if self.moves else f"; at most {in_words(left)} left"

    def show(self, text: str) -> None:
        """Print a line, and move the bar."""
        super().show(text)
        self._move("searching")

    def _move(self, text: str) -> None:
        if self.live is not None:
            self.live.update(self.task, description=text, completed=min(self.budget, time.monotonic() - self.start))

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
        if self.moves:
            self._move(f"{self.templates} templates tried")
        elif self.templates % OFTEN == 0:
            self.show(f"  {self.templates} templates tried{self.left()}")

    def made(self, step: SelectionStep) -> None:
        """Say which template was taken."""
        self.show(f"{step.change}: LAS {step.las:.2f}, {step.gain.las:+.2f}")
