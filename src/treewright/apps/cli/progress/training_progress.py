"""The progress of a training: a line per round; on a terminal, above a bar with the time left."""

from __future__ import annotations

from treewright.apps.cli.progress.progress_display import ProgressDisplay
from treewright.training.observer import RoundReport, TrainingObserver


class TrainingProgress(ProgressDisplay, TrainingObserver):
    """Lines and a bar, on standard error."""

    _read = ""

    def prepared(self, step: str, sentences: int, words: int, notes: list[str]) -> None:
        """Say what was read, once if several steps learn from the same."""
        text = ", ".join([f"{sentences:,} sentences, {words:,} words", *notes])
        if text != self._read:
            self.show(text)
        self._read = text

    def begun(self, step: str, sentences: int) -> None:
        """Start the bar for a step of the training."""
        if self.moves and self.live is None:
            from rich.progress import TaskProgressColumn, TimeRemainingColumn

            self.start_bar("", 1, TaskProgressColumn(), TimeRemainingColumn())
        if self.live is not None:
            self.live.update(self.task, description=step, total=sentences, completed=0)

    def advanced(self, sentences: int) -> None:
        """Move the bar."""
        if self.live is not None:
            self.live.advance(self.task, sentences)

    def round_done(self, report: RoundReport) -> None:
        """Say what the round gave, and name the next."""
        self.show(line_of(report))
        if self.live is not None:
            self.live.update(self.task, description=f"{report.step}, round {min(report.round + 1, report.of)}")

    def interrupted(self, rounds: int) -> None:
        """Say that the best so far is kept."""
        self.show(f"interrupted after {rounds} round{'s' * (rounds != 1)}: keeping the best so far")


def line_of(report: RoundReport) -> str:
    """Return a round's report as a line."""
    step = "" if report.step == "parser" else f"{report.step} "
    mistakes = "" if report.mistakes != report.mistakes else f"  {report.counted} {100 * report.mistakes:5.2f} %"
    scores = "".join(f"  {name} {value:6.2f}" for name, value in report.scores.items())
    remark = f"  {report.remark}" if report.remark else ""
    return f"{step}round {report.round:3d}/{report.of}{mistakes}{scores}{remark}"
