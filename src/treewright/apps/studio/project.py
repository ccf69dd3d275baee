"""A project: a folder of CoNLL-U files, opened for annotation.

Edits go to the journal at once and to the file when a sentence is saved. Any number of threads may use a project, and
one process at a time.
"""

from __future__ import annotations

import contextlib
import itertools
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import RLock
from typing import NamedTuple

from treewright.apps.studio.edits import Edit, edited
from treewright.apps.studio.file_version import FileVersion
from treewright.apps.studio.journal import Event, Journal
from treewright.apps.studio.past import FilePast, replayed
from treewright.apps.studio.project_lock import ProjectInUse, ProjectLock
from treewright.apps.studio.sentence_names import core
from treewright.apps.studio.sentence_state import SentenceState, is_annotated, is_sentence
from treewright.apps.studio.treebank_file import TreebankFile, save_merged
from treewright.errors import TreebankError, TreewrightError

__all__ = ["OutOfDate", "Place", "Project", "ProjectInUse", "Shown", "is_annotated"]
STALE = "the sentence was changed meanwhile, in another window or on disk: here is how it is now"


class OutOfDate(TreewrightError):
    """Someone else has changed the sentence meanwhile."""


class Place(NamedTuple):
    """Which sentence: the file, relative to the folder, and the key of the sentence in it."""

    file: str
    key: str


class Shown(NamedTuple):
    """A sentence as it is now."""

    text: str
    number: int  # in its file as it is shown, from 0
    revision: str
    can_undo: bool
    can_redo: bool
    saved: bool
    in_conflict: bool
    theirs: str | None  # what is on disk; None: nothing


class OnDisk(NamedTuple):
    """The sentences of a file as they were on disk at one moment."""

    file: str
    keys: Sequence[str]
    version: FileVersion

    def numbers(self, attached: bool) -> list[int]:
        """Return the numbers of the sentences of which every word has a head, or of the others."""
        return [number for number, flag in enumerate(self.version.attached) if bool(flag) == attached]

    def place(self, number: int) -> Place:
        """Return the name of a sentence."""
        return Place(self.file, self.keys[number])


class Project:
    """A folder of treebank files. Sentences are named by file and key."""

    def __init__(self, folder: Path, takeover: bool = False) -> None:
        if not folder.is_dir():
            raise TreewrightError(f"{folder} is not a folder. Give a folder with .conllu files")
        self.folder = folder
        self.lock = RLock()
        self.owner = ProjectLock(folder)
        self.open(takeover)

    def open(self, takeover: bool = False) -> None:
        """Become the one that writes, and read everything; ``takeover``: also where another server has the project."""
        with self.lock:
            self.owner.acquire(takeover)
            self._revisions = itertools.count(1)
            self.journal = Journal(self.folder)
            self.files: dict[str, TreebankFile] = {}
            self.unreadable: dict[str, str] = {}  # files that are left out, and why
            self.damage = ""  # what is wrong with the journal
            self._pasts = self._replayed()
            for name in self._names():
                self._open(name)
            self.recovered = [
                Place(name, state.key)
                for name, file in self.files.items()
                for state in file.touched
                if state.is_unsaved
            ]

    def _replayed(self) -> dict[str, FilePast]:
        """Read the journal; set aside what is wrong with it."""
        pasts, bad = replayed(self.journal.lines())
        if bad:
            number, reason = next(iter(bad.items()))
            self.damage = (
                f"{self.journal.path}, line {number}: {reason}. Lines that are wrong, {len(bad)} of them, are left out"
                f" and kept in {self.journal.rejected.name}"
            )
            if not self.owner.obstacle:
                with contextlib.suppress(TreewrightError), self.owner.writing():  # else they are left out again
                    self.journal.set_aside(bad)
        return pasts

    def _names(self) -> list[str]:
        """Return the treebank files; links that lead out of the folder, or in circles, are not followed."""
        root, found = self.folder.resolve(), []
        self.unreadable = {name: why for name, why in self.unreadable.items() if os.path.lexists(self.folder / name)}
        for folder, folders, names in os.walk(self.folder):
            folders[:] = [name for name in folders if not name.startswith(".")]
            for path in (Path(folder, name) for name in names if name.endswith(".conllu") and name[0] != "."):
                try:
                    if path.resolve(strict=True).is_relative_to(root) and path.is_file():
                        found.append(path.relative_to(self.folder).as_posix())
                except (OSError, RuntimeError) as error:  # RuntimeError: a link in a circle, up to Python 3.12
                    why = "a link that leads nowhere" if path.is_symlink() else str(error)
                    self.unreadable[path.relative_to(self.folder).as_posix()] = f"{path}: cannot be read ({why})"
        return sorted(found)

    def _open(self, name: str) -> None:
        try:
            self.files[name] = TreebankFile(self.folder / name, self._revision, self._pasts.get(name))
            self._pasts.pop(name, None)
            self.unreadable.pop(name, None)
            self._owe(name, self.files[name].seen)
        except (TreebankError, OSError) as error:
            self.unreadable[name] = str(error)

    def _revision(self) -> str:
        return f"{self.owner.token}.{next(self._revisions)}"

    # Looking

    @property
    def problems(self) -> list[str]:
        """What is wrong with files and journal."""
        broken = {name: file.problem for name, file in self.files.items() if file.problem}
        waiting = [
            f"{self.folder / name}: is not there or cannot be read. Edits that were not saved wait for it in the"
            f" journal, of {past.unsaved} {'sentence' if past.unsaved == 1 else 'sentences'}"
            for name, past in self._pasts.items()
            if past.unsaved and name not in self.files
        ]
        others = [each for each in (self.damage, self.owner.obstacle) if each]
        return [*{**self.unreadable, **broken}.values(), *waiting, *others]

    def file(self, name: str) -> TreebankFile:
        """Return a file of the project."""
        if name not in self.files:
            raise TreewrightError(f"the project has no file {name}; it has {', '.join(self.files) or 'none'}")
        return self.files[name]

    def place(self, name: str, number: int) -> Place:
        """Return the sentence with a number, from 0."""
        with self.lock:
            keys = self.file(name).keys
            if not 0 <= number < len(keys):
                raise TreewrightError(f"{name} has {len(keys)} sentences, none with number {number}")
            return Place(name, keys[number])

    def disk_number(self, place: Place) -> int | None:
        """Return the number of a sentence in its file on disk; None where it is not there."""
        with self.lock:
            file = self.files.get(place.file)
            return None if file is None or place.key not in file else file.disk_number(place.key)

    def sentence(self, place: Place) -> Shown:
        """Return a sentence as it is now."""
        with self.lock:
            file, state = self._found(place)
            history = state.history
            return Shown(
                state.text,
                file.number_of(state.key),
                state.revision,
                history is not None and history.can_undo,
                history is not None and history.can_redo,
                not state.is_unsaved,
                state.in_conflict,
                state.saved,
            )

    def _found(self, place: Place) -> tuple[TreebankFile, SentenceState]:
        file = self.file(place.file)
        if place.key not in file:
            raise OutOfDate(
                f"the sentence is no longer in {place.file}: someone has deleted it, or the file was replaced"
            )
        return file, file[place.key]

    def on_disk(self) -> list[OnDisk]:
        """Return the sentences of all files on disk: what counts as annotated."""
        with self.lock:
            return [OnDisk(name, file.keys_on_disk, file.version) for name, file in self.files.items()]

    # Editing

    def edit(self, place: Place, edit: Edit, revision: str, by: str = "") -> Shown:
        """Edit a sentence; ``revision`` is the one that the edit is about."""
        with self._changing(place, revision) as (file, state):
            after = edited(state.text, edit)
            if after == state.text:
                return self.sentence(place)
            self._check_text(after)
            event = Event(what="edit", edit=edit, before=state.text, after=after)
            if by:
                event["by"] = by
            if state.history is None:
                event["first"] = True
            self._note(file, place, state, event)
            state.add(after)
            return self._changed(place, state)

    @staticmethod
    def _check_text(text: str) -> None:
        if not is_sentence(text):
            raise TreewrightError(
                "the edit would leave no sentence of CoNLL-U: one sentence, IDs in order, ten columns"
            )

    def redo(self, place: Place, revision: str) -> Shown:
        """Redo the last edit that was undone."""
        return self.undo(place, revision, "redo")

    def undo(self, place: Place, revision: str, what: str = "undo") -> Shown:
        """Undo the last edit of a sentence, or ``redo`` the last one that was undone."""
        with self._changing(place, revision) as (file, state):
            history = state.history
            if history is None or not (history.can_undo if what == "undo" else history.can_redo):
                return self.sentence(place)
            self._note(file, place, state, Event(what=what))
            state.step(-1 if what == "undo" else 1)
            return self._changed(place, state)

    def decide(self, place: Place, revision: str, choice: str, text: str = "") -> Shown | None:
        """End a conflict: keep "mine", take "theirs", the one on disk, or write a ``text`` instead of both ("edit").

        None, where the sentence is gone from the disk and is to stay away.
        """
        with self._changing(place, revision) as (file, state):
            if not state.in_conflict:
                return self.sentence(place)
            after = {"mine": state.text, "theirs": state.saved, "edit": text}[choice]
            if after is not None and after != state.saved:
                self._check_text(after)
            self._note(file, place, state, Event(what="decide", base=state.saved, after=after))
            state.base = state.noted = state.saved
            if after is None:
                file.drop(state)
                return None
            if core(after) != core(state.text):
                state.add(after)
            return self._changed(place, state)

    @contextlib.contextmanager
    def _changing(self, place: Place, revision: str) -> Iterator[tuple[TreebankFile, SentenceState]]:
        """Keep everybody else from changing anything; an error if the sentence is not what it was."""
        with self.lock, self.owner.writing():
            self._refresh_file(place.file)
            file, state = self._found(place)
            if state.revision != revision:
                raise OutOfDate(STALE)
            yield file, state

    def _changed(self, place: Place, state: SentenceState) -> Shown:
        self.file(place.file).renew(state)
        if state.in_conflict and not state.is_unsaved:  # edited until both sides were the same
            state.base = state.saved
            self._owe(place.file, [state])
        return self.sentence(place)

    def _note(self, file: TreebankFile, place: Place, state: SentenceState, event: Event) -> None:
        """Write an event to the journal, after what it needs to be understood."""
        event["file"], event["id"] = place
        if "first" in event and (number := file.disk_number(place.key)) is not None:
            event["sentence"] = number
        if state.base != state.noted and "first" not in event and "base" not in event:
            event["base"] = state.base
        self.journal.add(*([] if file.is_noted else [file.order(place.file)]), event)
        file.is_noted, state.noted = True, state.base

    # The disk

    def save(self, place: Place, revision: str) -> Shown:
        """Write a sentence to its file; what others have changed on disk is merged."""
        with self._changing(place, revision) as (file, state):

            def check() -> None:
                self._refresh_file(place.file, look_inside=True)
                if file.problem:
                    raise OutOfDate(f"the file was changed on disk and cannot be read now. {file.problem}")
                if place.key not in file or file[place.key] is not state:
                    raise OutOfDate(STALE)
                if state.in_conflict:
                    raise OutOfDate("the sentence was changed on disk, too: choose one of the versions first")
                if state.revision != revision:
                    raise OutOfDate(STALE)
                if not file.is_noted:  # whoever looks after a kill has to find the sentence
                    self.journal.add(file.order(place.file))
                    file.is_noted = True

            if save_merged(file, state, check):
                self.journal.owe(Event(what="save", file=place.file, id=place.key))
                self.journal.pay()
                state.noted = state.base
            return self.sentence(place)

    def refresh(self, name: str | None = None) -> bool:
        """Look for changes on disk; return whether there are any."""
        with self.lock:
            found = False
            for each in self._names() if name is None else ():
                if each not in self.files:
                    self._open(each)
                    found = found or each in self.files
            for each in list(self.files):
                if name in (None, each):
                    found = self._refresh_file(each) or found
            return found

    def _refresh_file(self, name: str, look_inside: bool = False) -> bool:
        changed = self.file(name).refresh(look_inside)
        self._owe(name, changed or [])
        return changed is not None

    def _owe(self, name: str, states: list[SentenceState]) -> None:
        """Note of edits that they are on disk, where others, or a save that could not be noted, have written them.

        Otherwise they would come back as edits that were not saved, if others change the sentence again.
        """
        for state in states:
            own = state.history is not None and not state.history.is_from_disk
            if own and not state.is_unsaved and not state.in_conflict and state.noted != state.base:
                self.journal.owe(Event(what="disk", file=name, id=state.key, base=state.base))
                state.noted = state.base
        self._pay()

    def _pay(self) -> None:
        if self.journal.owes and not self.owner.obstacle:
            with contextlib.suppress(TreewrightError), self.owner.writing():
                self.journal.pay()

    def close(self) -> None:
        """Let others have the project."""
        self._pay()
        self.journal.close()
        self.owner.release()
