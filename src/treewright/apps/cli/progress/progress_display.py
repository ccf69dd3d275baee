"""What the displays of long commands share: lines of text, above what moves in a terminal; or silence, if wanted."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from treewright.apps.cli.program import say

if TYPE_CHECKING:
    from typing_extensions import Self


class ProgressDisplay:
    """Shows lines, above ``live``, a bar or a table of rich, while there is one.

    ``moves``: something may move, by default on a terminal; ``quiet``: nothing is shown.
    """

    live: Any = None

    def __init__(self, quiet: bool = False, moves: bool | None = None) -> None:
        self.quiet = quiet
        self.moves = not quiet and (sys.stderr is not None and sys.stderr.isatty() if moves is None else moves)

    def start_bar(self, text: str, total: float, *columns: Any) -> None:
        """Show a bar with a text, followed by columns."""
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TextColumn

        text_column = TextColumn("{task.description}")
        self.live = Progress(text_column, BarColumn(), *columns, console=Console(stderr=True), transient=True)
        self.task = self.live.add_task(text, total=total)
        self.live.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        if self.live is not None:
            self.live.stop()
            self.live = None

    def show(self, text: str) -> None:
        """Print a line, unless nothing is to be shown."""
        if self.live is not None:
            self.live.console.print(text, markup=False, highlight=False)
        elif not self.quiet:
            say(text)


def in_words(seconds: float) -> str:
    """Return a time as people say it."""
    minutes, rest = divmod(round(seconds), 60)
    if minutes >= 60:
        return f"{minutes // 60} h {minutes % 60:02d} min"
    return f"{minutes} min {rest:02d} s" if minutes else f"{rest} s"
