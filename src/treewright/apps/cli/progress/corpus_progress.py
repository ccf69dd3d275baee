"""The progress of a run over a corpus: a line that moves in a terminal, lines now and then elsewhere."""

from __future__ import annotations

import sys
import time
from typing import Any

from treewright.apps.cli.program import say
from treewright.apps.cli.progress.progress_display import in_words
from treewright.apps.corpus.driver import Observer, Progress
from treewright.apps.corpus.engines.engine import Engine
from treewright.apps.corpus.plan import Part

EVERY = 30.0  # seconds between lines where nobody sees a line move
MOVES = 0.2


class CorpusProgress(Observer):
    """Says how far the run is, how fast, and how long it will take; ``quiet``: only what went wrong."""

    def __init__(self, quiet: bool) -> None:
        self._quiet = quiet
        self._moves = not quiet and sys.stderr is not None and sys.stderr.isatty()
        self._next = 0.0

    def started(self, progress: Progress, engine: Engine) -> None:
        """Say where to watch."""
        if engine.described and not self._quiet:
            say(engine.described)
        self._next = time.monotonic() + (MOVES if self._moves else EVERY)

    def happened(self, event: str, progress: Progress, part: Part | None, details: dict[str, Any]) -> None:
        """Say what a person should know: failures, attempts, warnings."""
        number = part.number if part is not None else ""
        if event == "warning":
            self._line(f"warning: {details['message']}")
        elif event == "failed":
            self._line(f"part {number} is set aside: {details['reason']}")
        elif event == "again" and not self._quiet:
            self._line(f"part {number} is tried again: {details['reason']}")
        self.waited(progress)

    def waited(self, progress: Progress) -> None:
        """Show how far it is, if it is time."""
        if self._quiet or time.monotonic() < self._next:
            return
        self._next = time.monotonic() + (MOVES if self._moves else EVERY)
        self._show(progress)

    def ended(self, progress: Progress) -> None:
        """Show how it ended."""
        if self._quiet:
            return
        done = progress.before + progress.done
        self._line(
            f"{done:,} of {progress.parts:,} parts done ({progress.done:,} now), {progress.words:,} words,"
            f" {progress.words_per_second:,.0f} words/s"
        )

    def _show(self, progress: Progress) -> None:
        left = progress.seconds_left
        text = (
            f"{progress.before + progress.done:,} of {progress.parts:,} parts, {progress.share:.0%},"
            f" {progress.words_per_second:,.0f} words/s, {progress.workers} workers"
        )
        text += f", {in_words(left)} to go" if left is not None else ""
        text += f", {progress.failed} failed" if progress.failed else ""
        if self._moves:
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()
        else:
            say(text)

    def _line(self, text: str) -> None:
        if self._moves:
            sys.stderr.write("\r\x1b[K")
        say(text)
