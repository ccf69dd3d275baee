"""Run the cells of an experiment in parallel, each in its own process."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from treewright.apps.experiments.cell import Cell
from treewright.apps.experiments.store import CellResult, Store
from treewright.apps.worker_process import end_worker, reason_of_death, start_worker, terminate_as_interrupt


class RunObserver:
    """Receives the progress of a run; the command line draws it."""

    def planned(self, cells: Sequence[Cell], finished: int) -> None:
        """Called once with the cells to run and the number of cells finished before."""

    def started(self, cell: Cell) -> None:
        """Called when a cell starts."""

    def round_done(self, cell: Cell, round: int, las: float | None) -> None:
        """Called after each round of training."""

    def done(self, cell: Cell, result: CellResult, seconds: float) -> None:
        """Called when a cell is finished."""

    def failed(self, cell: Cell, error: str) -> None:
        """Called when a cell fails."""

    def waited(self) -> None:
        """Called now and then while nothing happens."""


@dataclass
class Run:
    """One run of the cells of an experiment."""

    store: Store
    jobs: int = 1
    keep_models: bool = False
    keep_parses: bool = False
    observer: RunObserver = field(default_factory=RunObserver)

    def __post_init__(self) -> None:
        #: which method of the observer is to hear of a cell, with what; "ended" with an error or None: a thread ended
        self._events: queue.Queue[tuple[str, Cell | None, Any]] = queue.Queue()
        self._processes: set[subprocess.Popen[str]] = set()
        self._lock = threading.Lock()
        self._stopping = False

    def run(self, cells: Sequence[Cell]) -> int:
        """Run all cells that are not finished; return how many failed."""
        self.store.create()
        waiting = [cell for cell in cells if not self.store.is_done(cell)]
        self.observer.planned(waiting, len(cells) - len(waiting))
        tagged = any("tags" in cell.options for cell in waiting)
        for name, kept in (("models", self.keep_models), ("parses", self.keep_parses), ("tagged", tagged)):
            if kept:
                (self.store.folder / name).mkdir(exist_ok=True)
        order = iter(waiting)
        threads = [
            threading.Thread(target=self._work, args=(order,), daemon=True) for _ in range(min(self.jobs, len(waiting)))
        ]
        with terminate_as_interrupt():
            try:
                for thread in threads:
                    thread.start()
                return self._watch(len(threads))
            finally:
                with self._lock:
                    self._stopping = True
                    processes = list(self._processes)
                for process in processes:
                    end_worker(process)
                for thread in threads:
                    thread.join(timeout=5)

    def _watch(self, running: int) -> int:
        """Pass the reports of the threads to the observer until all threads end."""
        failures = 0
        while running:
            try:
                kind, cell, value = self._events.get(timeout=0.5)
            except queue.Empty:
                self.observer.waited()
                continue
            if kind == "ended" or cell is None:  # a thread that ended has no cell
                running -= 1
                if value is not None:
                    raise value
            else:
                failures += kind == "failed"
                getattr(self.observer, kind)(cell, *value)
        return failures

    def _work(self, order: Iterator[Cell]) -> None:
        """Run one cell after the other."""
        cell = None
        try:
            while not self._stopping:
                with self._lock:
                    cell = next(order, None)
                if cell is None:
                    break
                # Another run may share the folder and have finished the cell in the meantime.
                kept = self.store.load(cell)
                if kept is not None and kept["status"] == "done":
                    self._events.put(("done", cell, (kept, 0.0)))
                    continue
                self._events.put(("started", cell, ()))
                self._run_cell(cell)
        except Exception as error:
            self._events.put(("ended", cell, error))
        else:
            self._events.put(("ended", cell, None))

    def _run_cell(self, cell: Cell) -> None:
        start = time.monotonic()
        result, error = self._ask_worker(cell)
        if self._stopping:
            return
        if result is None:
            self.store.save_failure(cell, error)
            self._events.put(("failed", cell, (error,)))
            return
        self.store.save(cell, result)
        self._events.put(("done", cell, (result, time.monotonic() - start)))

    def _ask_worker(self, cell: Cell) -> tuple[CellResult | None, str]:
        """Run a cell in its own process; return the result, or None and the reason."""
        job: dict[str, Any] = {"cell": cell.content, "paths": dict(cell.treebank.paths)}
        if "tags" in cell.options:
            job["cache"] = str(self.store.folder / "tagged")
        if self.keep_models:
            job["model"] = str(self.store.folder / "models" / f"{cell.key}.tw")
        if self.keep_parses:
            job["parse"] = str(self.store.folder / "parses" / f"{cell.key}.conllu.gz")
        with self._lock:
            if self._stopping:
                return None, ""
            process = start_worker("treewright.apps.experiments.worker")
            self._processes.add(process)
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        errors: list[str] = []
        reader = threading.Thread(target=errors.extend, args=(process.stderr,), daemon=True)
        reader.start()
        result, error = None, ""
        with contextlib.suppress(BrokenPipeError), process.stdin:
            process.stdin.write(json.dumps(job))
        for line in process.stdout:
            message = json.loads(line)
            if "result" in message:
                result = message["result"]
            elif "error" in message:
                error = message["error"]
            else:
                self._events.put(("round_done", cell, (message["round"], message["las"])))
        code = process.wait()
        reader.join()
        with self._lock:
            self._processes.discard(process)
        process.stdout.close()
        process.stderr.close()
        if result is not None and code == 0:
            return result, ""
        return None, error or reason_of_death(code, "".join(errors))
