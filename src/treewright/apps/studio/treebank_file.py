"""A treebank file that is being edited: its sentences, and what it looked like on disk.

The file is the sentences joined, byte for byte. Saving replaces it as a whole or not at all. Whoever changes it on disk
meanwhile is noticed: sentences that only one side has changed are merged, those that both have changed are conflicts,
and so are edits of sentences that are gone.
"""

from __future__ import annotations

import contextlib
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from treewright.apps.studio.alignment import Sentences, places, sentence_keys
from treewright.apps.studio.file_version import FileVersion
from treewright.apps.studio.journal import Event
from treewright.apps.studio.past import FilePast
from treewright.apps.studio.sentence_names import digest_of
from treewright.apps.studio.sentence_state import SentenceState, framed, is_annotated
from treewright.errors import TreebankError, TreewrightError
from treewright.treebank.files.output import OutputFile

SETTLED = 10**8  # nanoseconds after which a file with another content has another time, on any disk
TRIES = 20  # to save a file that others are writing, too


class Stamp(NamedTuple):
    """What tells one version of a file on disk from another, as far as can be told without reading it."""

    nanoseconds: int  # when it was written
    changed: int  # when it, its name or its rights were changed
    size: int
    inode: int


class TreebankFile:
    """The sentences of a file; ``revision`` gives a new name for what is shown of one.

    Only sentences that somebody has looked at, or that have a past, have a state of their own.
    """

    def __init__(self, path: Path, revision: Callable[[], str], past: FilePast | None = None) -> None:
        self.path = path
        self._revision = revision
        self.keys: list[str] = []  # of the sentences as they are shown
        self._disk: Sequence[int] = ()  # where they are on disk, -1: nowhere
        self._numbers: dict[str, int] = {}
        self._states: dict[str, SentenceState] = {}
        self.problem = ""  # why the version that is on disk now cannot be read
        self.is_noted = False  # whether the journal knows the order of the sentences on disk
        self.edition = ""  # another one whenever anything changes
        self._stamp: Stamp | None = None
        self.version = self._read()
        self._merge(_remembered(past or FilePast(), self.version), self.version)
        same = past is not None and past.digests == self.version.digests
        self.is_noted = same and not any(True for _ in self._gone())

    # Looking

    def __getitem__(self, key: str) -> SentenceState:
        state = self._states.get(key)
        if state is None:
            text = self.version[self._disk[self._numbers[key]]]
            state = self._states[key] = SentenceState(key, text, self._revision())
        return state

    def __contains__(self, key: object) -> bool:
        return key in self._numbers

    def __len__(self) -> int:
        return len(self.keys)

    def __iter__(self) -> Iterator[SentenceState]:
        return map(self.__getitem__, self.keys)

    def number_of(self, key: str) -> int:
        """Return the number of a sentence as it is shown, from 0."""
        return self._numbers[key]

    def disk_number(self, key: str) -> int | None:
        """Return the number of a sentence on disk; None where it is not there."""
        number = self._disk[self._numbers[key]]
        return None if number < 0 else number

    def text_at(self, number: int) -> str:
        """Return the text of a sentence as it is here, by its number."""
        state = self._states.get(self.keys[number])
        return self.version[self._disk[number]] if state is None else state.text

    def is_attached(self, number: int) -> bool:
        """Has every word of a sentence a head, as it is here?"""
        state = self._states.get(self.keys[number])
        return bool(self.version.attached[self._disk[number]]) if state is None else is_annotated(state.text)

    @property
    def attached(self) -> int:
        """How many sentences have a head for every word, as they are here."""
        count = sum(self.version.attached)
        for state in self.seen:
            number = self.disk_number(state.key)
            count += is_annotated(state.text) - (number is not None and self.version.attached[number])
        return count

    @property
    def seen(self) -> list[SentenceState]:
        """The sentences that somebody has looked at, or that have a past, in order."""
        return sorted(self._states.values(), key=lambda state: self._numbers[state.key])

    @property
    def touched(self) -> list[SentenceState]:
        """The sentences that differ from the disk, in order."""
        return [state for state in self.seen if state.is_unsaved or state.in_conflict]

    @property
    def texts(self) -> Iterator[str]:
        """The sentences as they are here."""
        return map(self.text_at, range(len(self.keys)))

    # The disk

    def refresh(self, look_inside: bool = False) -> list[SentenceState] | None:
        """Merge what has changed on disk; return the sentences that changed by that, None if the file is the same.

        ``look_inside``: compare the contents, even if nothing else tells of a change.
        """
        stamp = stamp_of(self.path)
        if not look_inside and stamp is not None and stamp == self._stamp:
            return None
        was = self.problem
        try:
            if not was and self._is_same():
                return None
            version = self._read()
        except (TreebankError, OSError) as error:  # what is here stays; it cannot be saved until the file is in order
            is_gone = isinstance(error, FileNotFoundError)
            self.problem = f"{self.path}: the file is gone from the disk" if is_gone else str(error)
            return None if self.problem == was else []
        self.problem = ""
        numbers = {self.disk_number(key): state for key, state in self._states.items()}
        known = {number: state for number, state in numbers.items() if number is not None}
        gone = [(state, number) for number, state in self._gone()]
        return self._merge(_Before(self.version.sentences, known, gone, self.keys_on_disk), version)

    def _is_same(self) -> bool:
        stamp = self._settled_stamp()
        same = self.version.is_content_of(self.path)
        if same:
            self._stamp = stamp
        return same

    def _read(self) -> FileVersion:
        stamp = self._settled_stamp()
        with self.path.open("rb") as file:
            self._stamp = stamp
            return FileVersion.of(file, str(self.path))

    def _settled_stamp(self) -> Stamp | None:
        before, now = stamp_of(self.path), time.time_ns()
        is_settled = before is not None and now - max(before.nanoseconds, before.changed) > SETTLED
        return before if is_settled else None

    def save(self, state: SentenceState) -> None:
        """Write the file with the changes of one sentence, if nobody has changed it since it was read."""
        shown = self._numbers[state.key]
        is_there = state.saved is not None
        number = self._disk[shown] if is_there else self._before(shown)
        new = self.version.with_sentence(number, framed(state.text, state.saved), is_there)
        with OutputFile(self.path) as output:
            for chunk in new.chunks:
                output.write(chunk.data)
            if not self.version.is_content_of(self.path):
                raise _ChangedMeanwhile
        self.version, self._stamp = new, None
        if not is_there:
            self.is_noted = False
            self._disk = [n + (n >= number) for n in self._disk]
            self._disk[shown] = number
        state.settle(new[number])
        for beside in (shown - 1, shown + 1):  # a blank line may have come between them
            other = self._states.get(self.keys[beside]) if 0 <= beside < len(self.keys) else None
            if other is not None and other.saved is not None:
                other.meet(new[self._disk[beside]])
        self.renew(state)

    def renew(self, state: SentenceState) -> None:
        """Give a sentence that has changed another revision."""
        state.revision = self.edition = self._revision()

    def _before(self, shown: int) -> int:
        """Return the number of the first sentence on disk that is shown behind a place."""
        return next((n for n in self._disk[shown:] if n >= 0), len(self.version))

    # Merging

    def _merge(self, before: _Before, version: FileVersion) -> list[SentenceState]:
        """Make the sentences anew from those that are on disk; edits follow theirs, or stay where they were."""
        new = version.sentences
        edited = {number: text for number, state in before.known.items() if (text := _edited(state)) is not None}
        where = places(before.sentences, new, edited)
        found: dict[int, SentenceState] = {}
        homeless: defaultdict[int, list[SentenceState]] = defaultdict(list)
        taken = bytearray(len(version))
        for n in where:
            if n is not None:
                taken[n] = 1
        if before.gone:
            free = [n for n, is_taken in enumerate(taken) if not is_taken]
            lost = Sentences.of(state.base or state.text for state, _ in before.gone)
            texts = {n: text for n, (state, _) in enumerate(before.gone) if (text := _edited(state)) is not None}
            again = places(lost, version.some(free), texts, neighbours=False)
            for (state, number), n in zip(before.gone, again, strict=True):
                if n is not None:
                    found[free[n]] = state
                elif state.revision or state.text != state.base:  # else it was saved, before the file was opened
                    homeless[_behind(where, number)].append(state)
        for number, state in sorted(before.known.items()):
            n = where[number]
            if n is not None:
                found[n] = state
            elif state.is_unsaved:
                homeless[_behind(where, number)].append(state)
        kept = {n: key for n, key in zip(where, before.keys, strict=False) if n is not None}
        changed = self._rebuild(version, found, homeless, kept)
        self.is_noted = False
        return changed

    def _rebuild(
        self,
        version: FileVersion,
        found: dict[int, SentenceState],
        homeless: dict[int, list[SentenceState]],
        kept: dict[int, str],
    ) -> list[SentenceState]:
        away = [state for states in homeless.values() for state in states]
        kept.update({n: state.key for n, state in found.items()})
        keys = sentence_keys(version.sentences, kept, {state.key for state in away})
        self.version, self.keys, self._disk = version, keys, range(len(keys))
        self._states = {state.key: state for state in (*found.values(), *away)}
        if away:
            self.keys, self._disk = [], []
            for n in range(-1, len(version)):
                if n >= 0:
                    self.keys.append(keys[n])
                    self._disk.append(n)
                self.keys += [state.key for state in homeless.get(n, ())]
                self._disk += [-1 for _ in homeless.get(n, ())]
        self._index()
        on_disk = {state.key: version[n] for n, state in found.items()}
        changed = []
        for state in self.seen:
            if state.meet(on_disk.get(state.key)) or not state.revision:
                self.renew(state)
                changed.append(state)
        self.edition = self.edition if changed else self._revision()
        return changed

    def _index(self) -> None:
        self._numbers = {key: number for number, key in enumerate(self.keys)}

    @property
    def keys_on_disk(self) -> Sequence[str]:
        """The keys of the sentences on disk, in order."""
        if isinstance(self._disk, range):
            return self.keys
        return [key for key, number in zip(self.keys, self._disk, strict=True) if number >= 0]

    def _gone(self) -> Iterator[tuple[int, SentenceState]]:
        """Yield the sentences that are not on disk, with the number of the one on disk before which they stand."""
        if not isinstance(self._disk, range):
            for shown, number in enumerate(self._disk):
                if number < 0:
                    yield self._before(shown), self._states[self.keys[shown]]

    def order(self, name: str) -> Event:
        """Return what the journal has to know of the sentences on disk, so that edits find theirs again."""
        with_past = [key for key, state in self._states.items() if state.history is not None]
        numbers = {key: number for key in with_past if (number := self.disk_number(key)) is not None}
        gone = {state.key: number for number, state in self._gone()}
        return Event(what="file", file=name, digests=self.version.digests, ids=numbers, gone=gone)

    def drop(self, state: SentenceState) -> None:
        """Take a sentence out that is not on disk."""
        self.renew(state)
        shown = self._numbers[state.key]
        del self._states[state.key]
        self.keys = [*self.keys[:shown], *self.keys[shown + 1 :]]
        self._disk = [*self._disk[:shown], *self._disk[shown + 1 :]]
        self._index()


class _Before(NamedTuple):
    """What is known of a file as it was."""

    sentences: Sentences
    known: dict[int, SentenceState]  # by number on disk
    gone: list[tuple[SentenceState, int]]  # those that were not in it any more, and before which one they stood
    keys: Sequence[str] = ()  # of the sentences on disk, where they have any


class _ChangedMeanwhile(Exception):
    """Someone else has written the file between reading and writing."""


def save_merged(file: TreebankFile, state: SentenceState, check: Callable[[], None]) -> bool:
    """Save a sentence; return whether it was not on disk already. ``check`` merges what is there, and may refuse."""
    for _ in range(TRIES):
        check()
        if not state.is_unsaved:
            return False
        with contextlib.suppress(_ChangedMeanwhile):
            file.save(state)
            return True
    raise TreewrightError(f"{file.path}: another program keeps writing it. Try again when it has finished")


def _remembered(past: FilePast, version: FileVersion) -> _Before:
    """Return what is known of a file as it was."""
    at = {number: past.states[key] for key, number in past.places.items() if key in past.states}
    gone = [(past.states[key], number) for key, number in past.gone.items() if key in past.states]
    digests = past.digests
    if not digests and at:  # an old journal knows the numbers of sentences only, and they may hold no longer
        digests = version.digests
        at, lost = _placed(at, digests)
        gone += [(state, len(digests)) for state in lost]
    gone += [(state, n) for n, state in at.items() if n >= len(digests)]
    unplaced = past.states.keys() - past.places.keys() - past.gone.keys()
    gone += [(past.states[key], len(digests)) for key in sorted(unplaced)]
    for state, _ in gone:
        if state.text != state.base:  # else it has been put back since
            state.saved = None
    known = {n: state for n, state in at.items() if n < len(digests)}
    texts = {n: state.base for n, state in known.items()}
    return _Before(Sentences.of(map(texts.get, range(len(digests))), digests), known, gone)


def _placed(
    at: dict[int, SentenceState], digests: Sequence[str]
) -> tuple[dict[int, SentenceState], list[SentenceState]]:
    """Return where sentences are of which only a number is known, and those that are nowhere."""
    placed: dict[int, SentenceState] = {}
    lost: list[SentenceState] = []
    for number, state in sorted(at.items(), key=lambda pair: pair[0] >= len(digests)):
        known = {digest_of(state.text), digest_of(state.base or "")}
        there = [n for n in (number, *range(len(digests))) if n < len(digests) and n not in placed]
        place = next((n for n in there if digests[n] in known), None)
        if place is None:
            lost.append(state)
        else:
            placed[place] = state
    return placed, lost


def _edited(state: SentenceState) -> str | None:
    return state.text if state.text != state.base else None


def _behind(where: Sequence[int | None], number: int) -> int:
    """Return behind which sentence something goes that stood before a certain one; -1: before all."""
    return next((n for n in reversed(where[: max(number, 0)]) if n is not None), -1)


def stamp_of(path: Path) -> Stamp | None:
    """Return the stamp of a file; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return Stamp(found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)
