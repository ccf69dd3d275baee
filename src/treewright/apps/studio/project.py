"""A project: a folder of CoNLL-U files, opened for annotation.

Edits go to the journal at once and to the file when a sentence is saved. Any number of threads may use a project.
"""

from __future__ import annotations

from pathlib import Path
from threading import RLock
from typing import NamedTuple

from treewright.apps.studio.drafts import HEAD, Draft
from treewright.apps.studio.edits import Edit, edited
from treewright.apps.studio.history import History
from treewright.apps.studio.journal import Event, Journal
from treewright.apps.studio.treebank_file import Conflict, TreebankFile
from treewright.errors import TreebankError, TreewrightError


class OutOfDate(TreewrightError):
    """Someone else has changed the sentence meanwhile."""


class Place(NamedTuple):
    """Where a sentence is: the file, relative to the folder, and the number of the sentence in it, from 0."""

    file: str
    sentence: int


class Shown(NamedTuple):
    """A sentence as it is now."""

    text: str
    revision: int
    can_undo: bool
    can_redo: bool
    saved: bool


class Project:
    """A folder of treebank files. Sentences are named by their place."""

    def __init__(self, folder: Path) -> None:
        if not folder.is_dir():
            raise TreewrightError(f"{folder} is not a folder. Give a folder with .conllu files")
        self.folder = folder
        self.lock = RLock()
        self.journal = Journal(folder)
        self.files: dict[str, TreebankFile] = {}
        self.histories: dict[Place, History] = {}
        self.recovered: list[Place] = []
        self.conflicts: dict[str, list[Conflict]] = {}
        self.unreadable: dict[str, str] = {}  # files that are left out, and why
        for name in self._names():
            self._open(name)
        self._replay()

    def _names(self) -> list[str]:
        root = self.folder.resolve()  # links that lead out of the folder are not followed
        inside = (path for path in self.folder.rglob("*.conllu") if path.resolve().is_relative_to(root))
        found = [path.relative_to(self.folder) for path in inside if path.is_file()]
        return sorted(path.as_posix() for path in found if not any(part.startswith(".") for part in path.parts))

    def _open(self, name: str) -> None:
        try:
            self.files[name] = TreebankFile(self.folder / name)
            self.unreadable.pop(name, None)
        except (TreebankError, OSError) as error:
            self.unreadable[name] = str(error)

    def _replay(self) -> None:
        """Bring back what the journal knows: the past of every sentence, and edits that were never saved."""
        histories: dict[Place, History] = {}
        for event in self.journal.events():
            place = Place(event["file"], event["sentence"])
            if place not in histories and "before" in event:
                histories[place] = History(event["before"])
            if place in histories:
                histories[place].replay(event)
        for known, history in histories.items():
            file = self.files.get(known.file)
            place = known if file is None else self._moved(file, known, history)
            if file is None or not 0 <= place.sentence < len(file.sentences):
                continue
            if history.found_on_disk(file.saved[place.sentence]):
                file.put(place.sentence, history.text)
                self.recovered.append(place)
            self.histories[place] = history

    @staticmethod
    def _moved(file: TreebankFile, place: Place, history: History) -> Place:
        """Return where a sentence with edits that were not saved is now: others may have come or gone before it."""
        saved = history.versions[max(history.saved_at, 0)]
        here = file.saved[place.sentence] if 0 <= place.sentence < len(file.saved) else ""
        if here == saved or history.text == saved or saved not in file.saved:
            return place
        return Place(place.file, file.saved.index(saved))

    # Looking

    def file(self, name: str) -> TreebankFile:
        """Return a file of the project."""
        if name not in self.files:
            raise TreewrightError(f"the project has no file {name}; it has {', '.join(self.files) or 'none'}")
        return self.files[name]

    def sentence(self, place: Place) -> Shown:
        """Return a sentence as it is now."""
        with self.lock:
            file = self._checked(place)
            text = file.sentences[place.sentence]
            history = self.histories.get(place)
            return Shown(
                text,
                file.revisions[place.sentence],
                history is not None and history.can_undo,
                history is not None and history.can_redo,
                text == file.saved[place.sentence],
            )

    def _checked(self, place: Place) -> TreebankFile:
        file = self.file(place.file)
        if not 0 <= place.sentence < len(file.sentences):
            raise TreewrightError(
                f"{place.file} has {len(file.sentences)} sentences, none with number {place.sentence}"
            )
        return file

    def all_sentences(self) -> list[tuple[Place, str]]:
        """Return the sentences of all files as they are on disk: what counts as annotated."""
        with self.lock:
            return [
                (Place(name, number), text)
                for name, file in self.files.items()
                for number, text in enumerate(file.saved)
            ]

    # Editing

    def edit(self, place: Place, edit: Edit, revision: int | None = None, by: str = "") -> Shown:
        """Edit a sentence; ``revision`` is the one that the edit is about."""
        with self.lock:
            file = self._checked(place)
            if revision not in (None, file.revisions[place.sentence]):
                raise OutOfDate(
                    "the sentence was changed meanwhile, in another window or on disk: here is how it is now"
                )
            before = file.sentences[place.sentence]
            after = edited(before, edit)
            if after == before:
                return self.sentence(place)
            event = Event(what="edit", file=place.file, sentence=place.sentence, edit=edit, before=before, after=after)
            if by:
                event["by"] = by
            self.journal.add(event)
            self.histories.setdefault(place, History(before)).add(after)
            file.put(place.sentence, after)
            return self.sentence(place)

    def redo(self, place: Place) -> Shown:
        """Redo the last edit that was undone."""
        return self.undo(place, "redo")

    def undo(self, place: Place, what: str = "undo") -> Shown:
        """Undo the last edit of a sentence, or ``redo`` the last one that was undone."""
        with self.lock:
            file = self._checked(place)
            history = self.histories.get(place)
            if history is None or not (history.can_undo if what == "undo" else history.can_redo):
                return self.sentence(place)
            self.journal.add(Event(what=what, file=place.file, sentence=place.sentence))
            file.put(place.sentence, history.step(-1 if what == "undo" else 1))
            return self.sentence(place)

    # The disk

    def save(self, place: Place) -> Shown:
        """Write a sentence to its file; a change on disk is merged first."""
        with self.lock:
            self.refresh(place.file)
            file = self._checked(place)
            if any(conflict.sentence == place.sentence for conflict in self.conflicts.get(place.file, ())):
                raise OutOfDate("the sentence was changed on disk, too: choose one of the versions first")
            if file.problem:
                raise OutOfDate(f"the file was changed on disk and cannot be read now. {file.problem}")
            file.save(place.sentence)
            self.journal.add(Event(what="save", file=place.file, sentence=place.sentence))
            if place in self.histories:
                self.histories[place].saved_at = self.histories[place].at
            return self.sentence(place)

    def refresh(self, name: str | None = None) -> bool:
        """Look for changes on disk; return whether there are any."""
        with self.lock:
            found = False
            for each in self._names() if name is None else ():
                if each not in self.files:
                    self._open(each)
                    found = found or each in self.files
            for each, file in self.files.items():
                if name in (None, each) and file.path.exists() and file.is_stale:
                    self.conflicts[each] = file.refresh()
                    self._forget_histories(each)
                    found = True
            return found

    def _forget_histories(self, name: str) -> None:
        """Begin new histories where sentences are no longer what they were."""
        file = self.files[name]
        for place in [place for place in self.histories if place.file == name]:
            gone = place.sentence >= len(file.sentences)
            if gone or self.histories[place].text != file.sentences[place.sentence]:
                del self.histories[place]

    def decide(self, place: Place, mine: bool) -> Shown:
        """End a conflict: keep our version, or take the one on disk."""
        with self.lock:
            file = self._checked(place)
            left = [one for one in self.conflicts.get(place.file, ()) if one.sentence != place.sentence]
            self.conflicts[place.file] = left
            theirs, own = file.saved[place.sentence], file.sentences[place.sentence]
            if not mine and theirs != own:
                self.journal.add(Event(what="edit", file=place.file, sentence=place.sentence, before=own, after=theirs))
                self.histories.setdefault(place, History(own)).add(theirs)
                file.put(place.sentence, theirs)
            return self.sentence(place)

    def close(self) -> None:
        """Close the journal."""
        self.journal.close()


def is_annotated(text: str) -> bool:
    """Has every word of a sentence a head?"""
    words = Draft(text).words()
    return bool(words) and all(cells[HEAD] != "_" for _, cells in words)
