"""The journal of a project: every edit, on disk before anyone is told that it happened. A crash loses nothing.

One line of JSON per event, in ``.treewright/journal.jsonl`` of the project folder. An edit keeps the sentence before
and after it, so that it can be undone, done again and applied to the file again, today or next week. A line that a
crash cut short is ignored.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TypedDict, cast

from treewright.apps.studio.edits import Edit

FOLDER = ".treewright"


class Event(TypedDict, total=False):
    """Something that happened to a sentence."""

    what: str  # edit, undo, redo, save
    file: str
    sentence: int
    edit: Edit
    before: str
    after: str
    by: str
    time: float


class Journal:
    """Events, appended one at a time; one process writes."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FOLDER / "journal.jsonl"
        self._file: IO[bytes] | None = None

    def events(self) -> Iterator[Event]:
        """Yield what is in the journal, oldest first."""
        if not self.path.exists():
            return
        with self.path.open("rb") as file:
            for line in file:
                try:
                    event = json.loads(line)
                except ValueError:
                    continue
                if isinstance(event, dict) and event.get("what"):
                    yield cast(Event, event)

    def add(self, event: Event) -> None:
        """Write an event through to the disk."""
        if self._file is None:
            self.path.parent.mkdir(exist_ok=True)
            self._file = self.path.open("ab")
            if self._file.tell() and not self._ends_a_line():
                self._file.write(b"\n")
        event["time"] = round(time.time(), 3)
        self._file.write(json.dumps(event, separators=(",", ":")).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _ends_a_line(self) -> bool:
        with self.path.open("rb") as file:
            file.seek(-1, os.SEEK_END)
            return file.read(1) == b"\n"

    def close(self) -> None:
        """Close the file; the next event opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None
