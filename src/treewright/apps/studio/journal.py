"""The journal of a project: every edit, on disk before anyone is told that it happened. A crash loses nothing.

One line of JSON per event, in ``.treewright/journal.jsonl`` of the project folder. An edit keeps the sentence before
and after it, so that it can be undone, done again and applied to the file again, today or next week. A line counts from
the moment when its end is there: what could not be written in full, or was refused, never happened. Lines are checked
as they are read; one that is not as it should be goes to ``journal-rejected.jsonl``, and the rest works.
"""

from __future__ import annotations

import contextlib
import json
import os
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TypedDict, cast

from treewright.apps.studio.edits import Edit
from treewright.apps.studio.project_lock import FOLDER
from treewright.apps.studio.sentence_state import is_sentence
from treewright.errors import OutputError, TreewrightError
from treewright.steps.border import schema
from treewright.treebank.files.output import OutputFile, output_error

LONGEST = 1 << 26  # bytes of a line: a file of a million sentences


class Event(TypedDict, total=False):
    """Something that happened to a sentence, or to a file."""

    what: str
    file: str
    id: str  # the key of the sentence
    sentence: int  # its number on disk, from 0
    first: bool  # a past begins with this edit
    edit: Edit
    before: str
    after: str | None  # decide: None, where the sentence is to go
    base: str | None  # the version on disk that the sentence now starts from; None: none
    by: str
    digests: list[str]  # of the sentences of a file
    ids: dict[str, int]  # where sentences with a past are in it
    gone: dict[str, int]  # before which sentence those stood that are gone from the disk
    time: float


_NAME = schema.text(4096)
_KEY = schema.text(60)
_TEXT = schema.text(LONGEST)
_NUMBER = schema.whole(0, 1 << 31)
_MORE = {
    "time": schema.number(),
    "by": schema.text(1000),
    "base": schema.optional(_TEXT),
    "id": _KEY,
    "sentence": _NUMBER,
    "first": schema.flag,
    "edit": schema.map_of(schema.anything),
}
_NUMBERS = schema.map_of(_NUMBER, _KEY)
#: what happened → what its line holds; the first three kinds may lack an id in journals of older versions
KINDS = {
    "edit": schema.table({"file": _NAME, "before": _TEXT, "after": _TEXT}, _MORE),
    "undo": schema.table({"file": _NAME}, _MORE),
    "redo": schema.table({"file": _NAME}, _MORE),
    "save": schema.table({"file": _NAME}, _MORE),
    "decide": schema.table({"file": _NAME, "id": _KEY, "after": schema.optional(_TEXT)}, _MORE),
    "disk": schema.table({"file": _NAME, "id": _KEY, "base": schema.optional(_TEXT)}, _MORE),
    "file": schema.table(
        {"file": _NAME, "digests": schema.list_of(schema.text(16)), "ids": _NUMBERS, "gone": _NUMBERS}, _MORE
    ),
}


class BadLine(TreewrightError):
    """A line of the journal that is not as it should be."""


def checked_event(line: bytes) -> Event:
    """Return the event of a line, if it is one."""
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        raise BadLine("it is not JSON") from None
    what = event.get("what") if isinstance(event, dict) else None
    if not isinstance(what, str) or what not in KINDS:
        raise BadLine(f"it is none of {', '.join(KINDS)}")
    try:
        schema.require(KINDS[what], event, what)
    except TreewrightError as error:
        raise BadLine(str(error).removeprefix("the model is damaged: ")) from None
    if "id" not in event and "sentence" not in event and what != "file":
        raise BadLine("it names no sentence")
    for name in ("before", "after", "base"):
        if event.get(name) is not None and not is_sentence(event[name]):
            raise BadLine(f"{name} is no sentence of CoNLL-U")
    return cast(Event, event)


class Journal:
    """Events, appended one at a time; one process writes."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / FOLDER / "journal.jsonl"
        self.rejected = folder / FOLDER / "journal-rejected.jsonl"
        self._file: IO[bytes] | None = None
        self._end = 0  # of what counts
        self._owed: list[Event] = []  # what has happened on disk already, and could not be noted

    # Reading

    def lines(self) -> Iterator[bytes]:
        """Yield the lines that count, oldest first."""
        if not self.path.exists():
            return
        with self.path.open("rb") as file:
            for line in file:
                if line.endswith(b"\n"):
                    yield line

    def set_aside(self, bad: dict[int, str]) -> None:
        """Move lines to the file of rejected ones; ``bad`` says why, by number from 1."""
        lines = list(self.lines())
        self.close()
        try:
            with self.rejected.open("ab") as file:
                for number, reason in bad.items():
                    shown = lines[number - 1].decode("utf-8", "backslashreplace").rstrip("\n")
                    file.write(json.dumps({"line": number, "why": reason, "text": shown}).encode() + b"\n")
                file.flush()
                os.fsync(file.fileno())
            with OutputFile(self.path) as output:
                for number, line in enumerate(lines, 1):
                    if number not in bad:
                        output.write(line)
        except OSError as error:
            raise output_error(self.rejected, error) from None

    # Writing

    def add(self, *events: Event) -> None:
        """Write events through to the disk: all of them, or none."""
        self._write([*self._owed, *events])
        self._owed.clear()

    def owe(self, event: Event) -> None:
        """Keep an event for ``pay``, or the next one that is written: it has happened on disk already."""
        self._owed.append(event)

    @property
    def owes(self) -> bool:
        """Is there anything that has not been noted?"""
        return bool(self._owed)

    def pay(self) -> None:
        """Note what is owed; if the disk is full, it stays so."""
        with contextlib.suppress(OutputError):
            self.add()

    def _write(self, events: list[Event]) -> None:
        data = b""
        for event in events:
            event["time"] = round(time.time(), 3)
            data += json.dumps(event, separators=(",", ":")).encode() + b"\n"
        try:
            file = self._opened()
            try:
                _write_all(file, data)
                os.fsync(file.fileno())
            except OSError:
                with contextlib.suppress(OSError):
                    file.truncate(self._end)
                self.close()
                raise
        except OSError as error:
            raise output_error(self.path, error) from None
        self._end += len(data)

    def _opened(self) -> IO[bytes]:
        """Return the file, without the beginning of a line that was never finished."""
        if self._file is None:
            self.path.parent.mkdir(exist_ok=True)
            self._end = sum(map(len, self.lines()))
            file = self.path.open("ab", buffering=0)
            if file.tell() != self._end:
                file.truncate(self._end)
            self._file = file
        return self._file

    def close(self) -> None:
        """Close the file; the next event opens it again."""
        if self._file is not None:
            self._file.close()
            self._file = None


def _write_all(file: IO[bytes], data: bytes) -> None:
    left = memoryview(data)
    while left:
        left = left[file.write(left) :]
