"""Training in a notebook: a bar for the step, and a table that gets a row with each round."""

from __future__ import annotations

import time
from typing import Any

from treewright.notebook import Cell, in_notebook, table
from treewright.training.observer import RoundReport, TrainingObserver

PAUSE = 0.2  # seconds between two pictures of the bar


def usual_observer() -> TrainingObserver:
    """Return the observer of a training that was given none: the notebook if there is one, else nobody."""
    return NotebookProgress() if in_notebook() else TrainingObserver()


class NotebookProgress(TrainingObserver):
    """Shows the rounds below the cell that trains."""

    def __init__(self) -> None:
        self._display: Any = None
        self._heading = ""
        self._rounds: list[RoundReport] = []
        self._total, self._done, self._step = 0, 0, ""
        self._shown = 0.0

    def prepared(self, step: str, sentences: int, words: int, notes: list[str]) -> None:
        """Say what was read."""
        self._heading = ", ".join([f"{sentences:,} sentences, {words:,} words", *notes])
        self._show(now=True)

    def begun(self, step: str, sentences: int) -> None:
        """Start the bar of a step."""
        self._step, self._total, self._done = step, sentences, 0
        self._show(now=True)

    def advanced(self, sentences: int) -> None:
        """Move the bar."""
        self._done += sentences
        self._show()

    def round_done(self, report: RoundReport) -> None:
        """Add a row."""
        self._rounds.append(report)
        self._show(now=True)

    def interrupted(self, rounds: int) -> None:
        """Say that the best so far is kept."""
        self._heading += f"; interrupted after {rounds} rounds: the best so far is kept"
        self._show(now=True)

    def html(self) -> str:
        """Return what is shown now."""
        bar = f'{self._step} <progress value="{min(self._done, self._total)}" max="{max(1, self._total)}"></progress>'
        names = list(dict.fromkeys(name for report in self._rounds for name in report.scores))
        header = ("step", "round", self._rounds[-1].counted + ", %", *names, "") if self._rounds else ()
        return f"<div>{self._heading}</div><div>{bar}</div>" + table(header, map(self._row(names), self._rounds))

    @staticmethod
    def _row(names: list[str]) -> Any:
        def row(report: RoundReport) -> tuple[Cell, ...]:
            mistakes = None if report.mistakes != report.mistakes else 100 * report.mistakes
            scores = [report.scores.get(name) for name in names]
            return report.step, f"{report.round}/{report.of}", mistakes, *scores, report.remark

        return row

    def _show(self, now: bool = False) -> None:
        if not now and time.monotonic() - self._shown < PAUSE:
            return
        self._shown = time.monotonic()
        from IPython.display import HTML, display

        if self._display is None:
            self._display = display(HTML(self.html()), display_id=True)
        else:
            self._display.update(HTML(self.html()))
