"""Processes on this machine, each with the model mapped. A process that dies costs one attempt at its part."""

from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import threading
from dataclasses import dataclass
from typing import IO

from treewright.apps.corpus.engines.engine import Engine, Task
from treewright.apps.corpus.run_part import AGAIN, Outcome
from treewright.apps.worker_process import end_worker, reason_of_death, start_worker

WORKER = "treewright.apps.corpus.engines.local_worker"


@dataclass(eq=False)
class _Worker:
    process: subprocess.Popen[str]
    part: int | None = None  # that it works on


class LocalEngine(Engine):
    """Processes that are given one part at a time."""

    def __init__(self, workers: int) -> None:
        super().__init__(workers)
        self._idle: list[_Worker] = []
        self._busy: list[_Worker] = []
        self._lines: queue.Queue[tuple[_Worker, str]] = queue.Queue()

    def submit(self, task: Task) -> None:
        """Give a task to a worker that has none."""
        worker = self._idle.pop() if self._idle else self._started()
        worker.part = task["part"]["number"]
        self._busy.append(worker)
        assert worker.process.stdin is not None
        with contextlib.suppress(OSError):  # if it is dead, its end of the other pipe says so
            worker.process.stdin.write(json.dumps(task) + "\n")
            worker.process.stdin.flush()

    def finished(self, patience: float) -> list[Outcome]:
        """Return what a worker said, or that it died."""
        try:
            worker, line = self._lines.get(timeout=patience)
        except queue.Empty:
            return []
        if worker in self._idle:  # it died while it had nothing to do
            self._idle.remove(worker)
            return []
        self._busy.remove(worker)
        if line.endswith("\n"):
            outcome: Outcome = json.loads(line)
            self._idle.append(worker)
            return [outcome]
        reason = reason_of_death(worker.process.wait(), "")
        return [{"part": worker.part, "state": AGAIN, "reason": reason, "worker": f"process {worker.process.pid}"}]

    def close(self) -> None:
        """End all workers: at once those that work, by themselves those that do not."""
        for worker in self._idle + self._busy:
            with contextlib.suppress(OSError):
                if worker.process.stdin is not None:
                    worker.process.stdin.close()
            if worker in self._busy:
                end_worker(worker.process)
        for worker in self._idle + self._busy:
            try:
                worker.process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                worker.process.kill()

    def _started(self) -> _Worker:
        worker = _Worker(start_worker(WORKER, stderr=None))
        assert worker.process.stdout is not None
        threading.Thread(target=self._listen, args=(worker, worker.process.stdout), daemon=True).start()
        return worker

    def _listen(self, worker: _Worker, stdout: IO[str]) -> None:
        """Pass on what a worker says; at its end, a line without an end."""
        with contextlib.suppress(OSError, ValueError):
            for line in stdout:
                if line.endswith("\n"):
                    self._lines.put((worker, line))
        self._lines.put((worker, ""))
