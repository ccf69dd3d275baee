"""What the displays of long commands share: lines of text, above what moves in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from treewright.apps.cli.program import say

if TYPE_CHECKING:
    from typing_extensions import Self


class LinesAbove:
    """Shows lines, above ``live``, a bar or a table of rich, while there is one."""

    live: Any = None

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
        """Print a line."""
        if self.live is None:
            say(text)
        else:
            self.live.console.print(text, markup=False, highlight=False)
