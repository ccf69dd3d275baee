"""No engine at all: parts are parsed here, one after the other. For the tasks of a job array, and for tests."""

from __future__ import annotations

from treewright.apps.corpus.engines.engine import Engine, Task
from treewright.apps.corpus.run_part import Outcome, run_part


class SerialEngine(Engine):
    """Parses in this process."""

    def __init__(self) -> None:
        super().__init__(window=1)
        self._task: Task | None = None

    def submit(self, task: Task) -> None:
        """Take a task."""
        self._task = task

    def finished(self, patience: float) -> list[Outcome]:
        """Do the task."""
        assert self._task is not None
        return [run_part(self._task)]
