"""A bar for work that goes through a file, shown when it takes longer than two seconds."""

from __future__ import annotations

import time
from typing import Any

PATIENCE = 2.0  # seconds before a bar appears


class NoBar:
    """Shows nothing."""

    def __enter__(self) -> NoBar:
        return self

    def __call__(self, n_bytes: int) -> None:
        """So many more bytes are done."""

    def __exit__(self, *error: object) -> None:
        pass


class ByteBar(NoBar):
    """A bar with the time left."""

    def __init__(self, total: int) -> None:
        self.total, self.done = total, 0
        self.start = time.monotonic()
        self.bar: Any = None

    def __call__(self, n_bytes: int) -> None:
        """Move the bar; show it when patience ends."""
        self.done += n_bytes
        if self.bar is None and time.monotonic() - self.start > PATIENCE:
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TaskProgressColumn, TimeRemainingColumn

            self.bar = Progress(
                BarColumn(), TaskProgressColumn(), TimeRemainingColumn(), console=Console(stderr=True), transient=True
            )
            self.task = self.bar.add_task("", total=self.total)
            self.bar.start()
        if self.bar is not None:
            self.bar.update(self.task, completed=self.done)

    def __exit__(self, *error: object) -> None:
        if self.bar is not None:
            self.bar.stop()
