"""The contract of engines: take tasks, give outcomes, in any order."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any

from treewright.apps.corpus.run_part import Outcome

PATIENCE = 0.5  # seconds to wait before others get a say: progress, signals
Task = dict[str, Any]


class Engine(ABC):
    """Carries tasks to workers that call ``run_part``. Use it in a ``with`` statement.

    An engine holds a few tasks for each worker, never all: memory does not grow with the number of parts.
    """

    def __enter__(self) -> Engine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()

    described = ""  # what a person may want to know: where to watch

    def __init__(self, window: int) -> None:
        self._window = window

    @property
    def window(self) -> int:
        """How many tasks may be under way."""
        return self._window

    @property
    def workers(self) -> int:
        """How many tasks are worked on at a time."""
        return self.window

    @abstractmethod
    def submit(self, task: Task) -> None:
        """Take a task; there is room for it."""

    @abstractmethod
    def finished(self, patience: float) -> list[Outcome]:
        """Return outcomes that have come in, after some waiting perhaps none."""

    def close(self) -> None:  # noqa: B027 (most have nothing to close)
        """Let workers go."""

    def outcomes(self, next_task: Callable[[], Task | None]) -> Iterator[Outcome | None]:
        """Yield outcomes until no task is left; now and then None, while nothing comes in."""
        under_way = 0
        while True:
            while under_way < self.window and (task := next_task()) is not None:
                self.submit(task)
                under_way += 1
            if not under_way:
                return
            outcomes = self.finished(PATIENCE)
            under_way -= len(outcomes)
            yield from outcomes
            if not outcomes:
                yield None
