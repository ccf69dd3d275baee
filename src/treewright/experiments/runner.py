"""Run the cells of an experiment, some at a time, each in a process of its own."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from treewright.experiments.cell import Cell
from treewright.experiments.store import Store

PACKAGE_FOLDER = str(Path(__file__).parents[2])


class RunObserver:
    """Is told how the cells go; the command line draws it."""

    def planned(self, cells: Sequence[Cell], finished: int) -> None:
        """There are so many cells to do, beside those that were finished before."""

    def started(self, cell: Cell) -> None:
        """A cell is being worked on."""

    def round_done(self, cell: Cell, round: int, las: float | None) -> None:
        """A training has one more round behind it."""

    def done(self, cell: Cell, result: dict[str, Any], seconds: float) -> None:
        """A cell is finished."""

    def failed(self, cell: Cell, error: str) -> None:
        """A cell could not be done."""

    def waited(self) -> None:
        """Some time has passed."""


@dataclass
class Run:
    """The cells of an experiment at work."""

    store: Store
    jobs: int = 1
    keep_models: bool = False
    keep_parses: bool = False
    observer: RunObserver = field(default_factory=RunObserver)

    def __post_init__(self) -> None:
        self._events: queue.Queue[tuple[str, Cell | None, Any]] = queue.Queue()
        self._processes: set[subprocess.Popen[str]] = set()
        self._lock = threading.Lock()
        self._stopping = False

    def run(self, cells: Sequence[Cell]) -> int:
        """Work out all cells that are not finished; return how many failed."""
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
        with _terminate_as_interrupt():
            try:
                for thread in threads:
                    thread.start()
                return self._watch(len(threads))
            finally:
                self._stop()
                for thread in threads:
                    thread.join(timeout=5)

    def _watch(self, running: int) -> int:
        """Tell the observer what the threads report, until all have ended."""
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
            elif kind == "started":
                self.observer.started(cell)
            elif kind == "round":
                self.observer.round_done(cell, value["round"], value["las"])
            elif kind == "done":
                self.observer.done(cell, *value)
            else:
                failures += 1
                self.observer.failed(cell, value)
        return failures

    def _work(self, order: Iterator[Cell]) -> None:
        """Take one cell after the other."""
        cell = None
        try:
            while not self._stopping:
                with self._lock:
                    cell = next(order, None)
                if cell is None:
                    break
                # Another run may share the folder, and have done it in the meantime.
                kept = self.store.load(cell)
                if kept is not None and kept["status"] == "done":
                    self._events.put(("done", cell, (kept, 0.0)))
                    continue
                self._events.put(("started", cell, None))
                self._work_out(cell)
        except Exception as error:
            self._events.put(("ended", cell, error))
        else:
            self._events.put(("ended", cell, None))

    def _work_out(self, cell: Cell) -> None:
        start = time.monotonic()
        result, error = self._ask_worker(cell)
        if self._stopping:
            return
        if result is None:
            self.store.save_failure(cell, error)
            self._events.put(("failed", cell, error))
            return
        self.store.save(cell, result)
        self._events.put(("done", cell, (result, time.monotonic() - start)))

    def _ask_worker(self, cell: Cell) -> tuple[dict[str, Any] | None, str]:
        """Return the result that a process of its own has for a cell, or why there is none."""
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
            process = _start_worker()
            self._processes.add(process)
        complaints: list[str] = []
        reader = threading.Thread(target=lambda: complaints.append(_read(process.stderr)), daemon=True)
        reader.start()
        result, error = None, ""
        assert process.stdin is not None
        assert process.stdout is not None
        with contextlib.suppress(BrokenPipeError), process.stdin:
            process.stdin.write(json.dumps(job))
        for line in process.stdout:
            message = json.loads(line)
            if "result" in message:
                result = message["result"]
            elif "error" in message:
                error = message["error"]
            else:
                self._events.put(("round", cell, message))
        code = process.wait()
        reader.join()
        with self._lock:
            self._processes.discard(process)
        process.stdout.close()
        return (result, "") if result is not None and code == 0 else (None, error or _reason(code, "".join(complaints)))

    def _stop(self) -> None:
        """End what is under way."""
        with self._lock:
            self._stopping = True
            processes = list(self._processes)
        for process in processes:
            _end(process)


def _start_worker() -> subprocess.Popen[str]:
    """Start a process that waits for a job, out of reach of the terminal's Ctrl-C."""
    path = os.environ.get("PYTHONPATH")
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([PACKAGE_FOLDER, *([path] if path else [])]),
        "PYTHONIOENCODING": "utf-8",
        # One core for each cell: other libraries would take them all, and time could not be compared.
        **{f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL")},
    }
    return subprocess.Popen(
        [sys.executable, "-m", "treewright.experiments.worker"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
        env=environment,
        start_new_session=True,
    )


def _end(process: subprocess.Popen[str]) -> None:
    """End a worker, and what it may have started itself."""
    if hasattr(os, "killpg"):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGTERM)  # it began a session, and leads a group of its own
    else:
        process.terminate()


def _read(pipe: Any) -> str:
    with pipe:
        return str(pipe.read())


def _reason(code: int, complaint: str) -> str:
    """Return in one line why a worker gave no result."""
    lines = [line for line in complaint.splitlines() if line.strip()]
    if code < 0:
        name = signal.Signals(-code).name if -code in set(signal.Signals) else str(-code)
        hint = ": the machine may have too little memory for so many jobs" if name == "SIGKILL" else ""
        return f"the process was ended by {name}{hint}"
    return lines[-1] if lines else f"the process ended with {code} and without a result"


@contextlib.contextmanager
def _terminate_as_interrupt() -> Iterator[None]:
    """Take the signal to end like Ctrl-C, so that no process is left behind."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
