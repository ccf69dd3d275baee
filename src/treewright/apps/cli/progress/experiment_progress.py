"""The progress of an experiment: a live table in a terminal, lines elsewhere."""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from treewright.apps.cli.program import say
from treewright.apps.cli.progress.progress_display import ProgressDisplay, in_words
from treewright.apps.experiments.cell import Cell
from treewright.apps.experiments.runner import RunObserver
from treewright.apps.experiments.tables import in_number

if TYPE_CHECKING:
    from typing_extensions import Self


class TimeLeft:
    """Estimates how long the remaining cells will take, from how long similar ones took."""

    def __init__(self, cells: Sequence[Cell], jobs: int) -> None:
        self.left = {cell.key: cell for cell in cells}
        self.jobs = jobs
        self.seconds: defaultdict[str, float] = defaultdict(float)
        self.work: defaultdict[str, float] = defaultdict(float)

    def done(self, cell: Cell, seconds: float) -> None:
        """Note how long a cell took."""
        self.left.pop(cell.key, None)
        if seconds:
            for kind in (_kind(cell), ""):
                self.seconds[kind] += seconds
                self.work[kind] += _work(cell)

    def guess(self) -> float | None:
        """Return seconds, or None where nothing is known yet."""
        if not self.work[""]:
            return None
        total = 0.0
        for cell in self.left.values():
            kind = _kind(cell) if self.work[_kind(cell)] else ""
            total += _work(cell) * self.seconds[kind] / self.work[kind]
        return total / max(1, min(self.jobs, len(self.left)))


def _kind(cell: Cell) -> str:
    return repr([cell.options.get(name) for name in ("system", "features", "learner", "beam")])


def _work(cell: Cell) -> float:
    """Return a number that grows with the work of a training: bytes to learn from, times rounds."""
    size = os.path.getsize(cell.treebank.paths["train"]) * float(cell.options.get("train_fraction", 1))
    sentences = cell.options.get("train_sentences")
    return (min(size, 1500.0 * sentences) if sentences else size) * cell.rounds


class ExperimentProgress(ProgressDisplay, RunObserver):
    """A line for every cell; on a terminal, above a table of the cells at work.

    Whoever reports an event draws the table again, never a thread of rich: such a thread meets rows that come and go
    while it reads them, and lines that are printed at the same moment lose each other.
    """

    def __init__(self, jobs: int, varied: tuple[str, ...] = (), quiet: bool = False, moves: bool | None = None) -> None:
        super().__init__(quiet, moves)
        self.jobs, self.varied = jobs, varied
        self.total = self.finished = self.failures = 0
        self.running: dict[str, tuple[Cell, float, int, float | None]] = {}

    def __enter__(self) -> Self:
        if self.moves:
            from rich.console import Console
            from rich.live import Live

            console = Console(stderr=True)
            self.live = Live(console=console, transient=True, auto_refresh=False, get_renderable=self.table)
            self.live.start()
        return self

    def planned(self, cells: Sequence[Cell], finished: int) -> None:
        """Say what there is to do."""
        self.time_left = TimeLeft(cells, self.jobs)
        self.total, self.finished = len(cells) + finished, finished
        before = f", {finished} of them finished before" if finished else ""
        self.show(f"{in_number(self.total, 'cell')}{before}; {self.jobs} at a time")

    def started(self, cell: Cell) -> None:
        """Add a row."""
        self.running[cell.key] = (cell, time.monotonic(), 0, None)
        self.waited()

    def round_done(self, cell: Cell, round: int, las: float | None) -> None:
        """Change a row."""
        self.running[cell.key] = (cell, self.running[cell.key][1], round, las)
        self.waited()

    def waited(self) -> None:
        """Let the clocks go on."""
        if self.live is not None:
            self.live.refresh()

    def done(self, cell: Cell, result: dict[str, Any], seconds: float) -> None:
        """Take the row away and say what the cell gave."""
        self._finish(cell, seconds)
        scores = result["scores"]
        score = f"LAS {scores['las']:.2f}" if "las" in scores else f"F1 {scores['labelled_f1']:.2f}"
        rest = "" if self.moves else self.rest()
        self.show(f"{self._counted()}{self._name_of(cell)}: {score}, {in_words(seconds)}{rest}")

    def failed(self, cell: Cell, error: str) -> None:
        """Take the row away and say why the cell has no result; this is said in any case."""
        self.failures += 1
        self._finish(cell, 0)
        if self.quiet:
            say(f"{self._name_of(cell)}: failed: {error}")
        else:
            self.show(f"{self._counted()}{self._name_of(cell)}: failed: {error}")

    def _finish(self, cell: Cell, seconds: float) -> None:
        self.running.pop(cell.key, None)
        self.finished += 1
        self.time_left.done(cell, seconds)

    def _name_of(self, cell: Cell) -> str:
        """Return what a cell is called in a line: by the options that are not the same in all cells."""
        return f"{cell.treebank.name}, {cell.label(self.varied)}, seed {cell.seed}"

    def _counted(self) -> str:
        return f"[{self.finished}/{self.total}] "

    def rest(self) -> str:
        """Return how long it will still take."""
        guess = self.time_left.guess()
        return f"; left: about {in_words(guess)}" if self.time_left.left and guess is not None else ""

    def table(self) -> Any:
        """Return what is shown now."""
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        rows = Table(box=None, pad_edge=False, show_header=bool(self.running), header_style="dim")
        for name in ("treebank", "options", "seed", "round", "dev", "time"):
            rows.add_column(name, justify="left" if name in ("treebank", "options") else "right")
        for cell, start, round, las in self.running.values():
            rows.add_row(
                cell.treebank.name,
                Text(cell.label(self.varied)),
                str(cell.seed),
                f"{round}/{cell.rounds}",
                "" if las is None else f"{las:.2f}",
                in_words(time.monotonic() - start),
            )
        if not self.total:
            return rows
        failed = f", {self.failures} failed" if self.failures else ""
        left = self.rest()
        bar = Table.grid(padding=(0, 1))
        bar.add_row(ProgressBar(self.total, self.finished, width=40), f"{self.finished}/{self.total}{failed}{left}")
        return Group(rows, bar)
