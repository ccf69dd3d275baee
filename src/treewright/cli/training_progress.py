"""How training shows itself: a bar with time left on a terminal, a line per round elsewhere."""

from __future__ import annotations

from types import TracebackType
from typing import Any

from treewright.cli.program import say
from treewright.training.trainer import RoundReport, TrainingObserver


class Silence(TrainingObserver):
    """Says nothing."""

    def __enter__(self) -> Silence:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        pass


class PlainProgress(Silence):
    """A line per round, on standard error."""

    def __init__(self, rounds: int) -> None:
        self.rounds = rounds

    def show(self, text: str) -> None:
        """Print a line."""
        say(text)

    def prepared(self, sentences: int, words: int, notes: list[str]) -> None:
        """Say what was read."""
        self.show(", ".join([f"{sentences:,} sentences, {words:,} words", *notes]))

    def round_done(self, report: RoundReport) -> None:
        """Say what the round gave."""
        self.show(line_of(report, self.rounds))

    def interrupted(self, rounds: int) -> None:
        """Say that the best so far is kept."""
        self.show(f"interrupted after {rounds} round{'s' * (rounds != 1)}: keeping the best so far")


class RichProgress(PlainProgress):
    """The same lines above a bar with the time left."""

    def __init__(self, rounds: int) -> None:
        super().__init__(rounds)
        self.bar: Any = None

    def prepared(self, sentences: int, words: int, notes: list[str]) -> None:
        """Start the bar."""
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

        super().prepared(sentences, words, notes)
        self.bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            TaskProgressColumn(),
            TimeRemainingColumn(),
            console=Console(stderr=True),
            transient=True,
        )
        self.task = self.bar.add_task("round 1", total=sentences * self.rounds)
        self.bar.start()

    def show(self, text: str) -> None:
        """Print above the bar."""
        if self.bar is not None:
            self.bar.console.print(text, markup=False, highlight=False)
        else:
            say(text)

    def begun(self, step: str, sentences: int) -> None:
        """Start the bar again for a step of the training."""
        self.bar.update(self.task, description=step, total=sentences, completed=0)

    def advanced(self, sentences: int) -> None:
        """Move the bar."""
        self.bar.advance(self.task, sentences)

    def round_done(self, report: RoundReport) -> None:
        """Say what the round gave and name the next."""
        super().round_done(report)
        self.bar.update(self.task, description=f"round {min(report.round + 1, self.rounds)}")

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self.bar is not None:
            self.bar.stop()
            self.bar = None


def line_of(report: RoundReport, rounds: int) -> str:
    """Return a round's report as a line."""
    scores = ""
    if report.las is not None:
        scores = f"  UAS {report.uas:6.2f}  LAS {report.las:6.2f}{'  best' if report.best else ''}"
    mistakes = "" if report.mistakes != report.mistakes else f"  wrong moves {100 * report.mistakes:5.2f} %"
    return f"round {report.round:3d}/{rounds}{mistakes}{scores}"
