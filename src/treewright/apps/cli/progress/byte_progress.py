"""A bar for work that goes through a file, shown when it takes longer than two seconds."""

from __future__ import annotations

import time
from collections.abc import Iterable

from treewright.apps.cli.progress.progress_display import ProgressDisplay

PATIENCE = 2.0  # seconds before a bar appears


class ByteBar(ProgressDisplay):
    """A bar with the time left, on a terminal; ``sizes``: the bytes of each input."""

    def __init__(self, sizes: Iterable[int], quiet: bool = False) -> None:
        super().__init__(quiet)
        self.sizes, self.done = sizes, 0
        self.start = time.monotonic()

    def __call__(self, n_bytes: int) -> None:
        """Move the bar; show it when patience ends."""
        self.done += n_bytes
        if self.moves and self.live is None and time.monotonic() - self.start > PATIENCE:
            from rich.progress import TaskProgressColumn, TimeRemainingColumn

            self.start_bar("", sum(self.sizes), TaskProgressColumn(), TimeRemainingColumn())
        if self.live is not None:
            self.live.update(self.task, completed=self.done)
