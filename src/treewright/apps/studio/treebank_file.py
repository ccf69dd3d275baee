"""A treebank file that is being edited: its sentences, and what it looked like on disk.

The file is the sentences joined, byte for byte. Saving replaces it as a whole or not at all. Whoever changes it on disk
meanwhile is noticed: sentences that only one side has changed are merged, those that both have changed are conflicts,
and so are edits of sentences that are gone.
"""

from __future__ import annotations

import contextlib
import hashlib
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from treewright.apps.studio.alignment import Former, digest_of, places, sentence_keys
from treewright.apps.studio.journal import Event
from treewright.apps.studio.past import FilePast
from treewright.apps.studio.sentence_state import ENCODING, SentenceState, framed, joined
from treewright.errors import TreebankError, TreewrightError
from treewright.treebank.blocks.block import Block
from treewright.treebank.files.output import OutputFile
from treewright.treebank.formats.conllu import CONLLU

SETTLED = 10**8  # nanoseconds after which a file with another content has another time, on any disk
TRIES = 20  # to save a file that others are writing, too


class Stamp(NamedTuple):
    """What tells one version of a file on disk from another, as far as can be told without reading it."""

    nanoseconds: int  # when it was written
    changed: int  # when it, its name or its rights were changed
    size: int
    inode: int


class TreebankFile:
    """The sentences of a file; ``revision`` gives a new name for what is shown of one."""

    def __init__(self, path: Path, revision: Callable[[], str], past: FilePast | None = None) -> None:
        self.path = path
        self._revision = revision
        self.states: list[SentenceState] = []
        self._numbers: dict[str, int] = {}
        self.problem = ""  # why the version that is on disk now cannot be read
        self.is_noted = False  # whether the journal knows the order of the sentences on disk
        self._stamp: Stamp | None = None
        self._digest = b""  # of what was read last, also of what could not be understood
        texts = self._parsed(self._read())
        formers, gone = _remembered(past or FilePast(), texts)
        self._merge(formers, gone, texts)
        same = past is not None and past.digests == list(map(digest_of, texts))
        self.is_noted = same and not gone

    # Looking

    def __getitem__(self, key: str) -> SentenceState:
        return self.states[self._numbers[key]]

    def __contains__(self, key: str) -> bool:
        return key in self._numbers

    def number_of(self, key: str) -> int:
        """Return the number of a sentence as it is shown, from 0."""
        return self._numbers[key]

    @property
    def on_disk(self) -> list[SentenceState]:
        """The sentences that are on disk."""
        return [state for state in self.states if state.saved is not None]

    @property
    def texts(self) -> list[str]:
        """The sentences as they are here."""
        return [state.text for state in self.states]

    # The disk

    def refresh(self, look_inside: bool = False) -> list[SentenceState] | None:
        """Merge what has changed on disk; return the sentences that changed by that, None if the file is the same.

        ``look_inside``: compare the contents, even if nothing else tells of a change.
        """
        stamp = stamp_of(self.path)
        if not look_inside and stamp is not None and stamp == self._stamp:
            return None
        was, digest = self.problem, self._digest
        try:
            data = self._read()
            if self._digest == digest and not was:
                return None
            texts = self._parsed(data)
        except (TreebankError, OSError) as error:  # what is here stays; it cannot be saved until the file is in order
            is_gone = isinstance(error, FileNotFoundError)
            self.problem = f"{self.path}: the file is gone from the disk" if is_gone else str(error)
            return None if self.problem == was else []
        self.problem = ""
        formers = [Former(digest_of(state.saved or ""), state.saved, _edited(state)) for state in self.on_disk]
        gone = [(state, number) for number, state in _gone(self.states)]
        return self._merge(list(zip(formers, self.on_disk, strict=True)), gone, texts)

    def _read(self) -> bytes:
        before, now = stamp_of(self.path), time.time_ns()
        data = self.path.read_bytes()
        self._digest = _content(data)
        is_settled = before is not None and now - max(before.nanoseconds, before.changed) > SETTLED
        self._stamp = before if is_settled else None
        return data

    def _parsed(self, data: bytes) -> list[str]:
        block = Block(data, CONLLU, str(self.path))
        unreadable = [problem for problem in block.problems if problem[2] in ("columns", "id")]
        if unreadable:
            _, line, code = unreadable[0]
            raise TreebankError(
                f"a line that cannot be read ({code})",
                source=str(self.path),
                line=line,
                remedy="Correct it first: `treewright validate` lists what is wrong",
            )
        return [block.text_of(number).decode(*ENCODING) for number in range(block.n_sentences)]

    def save(self, state: SentenceState) -> None:
        """Write the file with the changes of one sentence, if nobody has changed it since it was read."""
        text = framed(state.text, state.saved)
        chosen = [each for each in self.states if each is state or each.saved is not None]
        new = joined([text if each is state else each.saved or "" for each in chosen]).encode(*ENCODING)
        written = self._parsed(new)
        if len(written) != len(chosen):
            raise TreewrightError(f"{self.path}: the sentence would not stay one sentence in its file")
        with OutputFile(self.path) as output:
            output.write(new)
            if _content(self.path.read_bytes()) != self._digest:
                raise _ChangedMeanwhile
        self.is_noted = self.is_noted and state.saved is not None
        self._digest, self._stamp = _content(new), None
        for each, there in zip(chosen, written, strict=True):
            if each is state:
                each.settle(there)
            elif each.saved != there:
                each.meet(there)
        state.revision = self._revision()

    # Merging

    def _merge(
        self,
        formers: Sequence[tuple[Former, SentenceState | None]],
        gone: Sequence[tuple[SentenceState, int]],
        texts: Sequence[str],
    ) -> list[SentenceState]:
        """Make the sentences anew from those that are on disk; edits follow theirs, or stay where they were."""
        where = places([former for former, _ in formers], texts)
        found = {n: state for n, (_, state) in zip(where, formers, strict=True) if n is not None and state is not None}
        taken = {n for n in where if n is not None}
        free = [n for n in range(len(texts)) if n not in taken]
        lost = [
            Former(digest_of(state.base or state.text), state.base or state.text, _edited(state)) for state, _ in gone
        ]
        again = places(lost, [texts[n] for n in free], neighbours=False)
        homeless: defaultdict[int, list[SentenceState]] = defaultdict(list)
        for (state, before), n in zip(gone, again, strict=True):
            if n is not None:
                found[free[n]] = state
            elif state.revision or state.text != state.base:  # else it was saved, before the file was opened
                homeless[_behind(where, before)].append(state)
        for number, ((_, former), n) in enumerate(zip(formers, where, strict=True)):
            if n is None and former is not None and former.is_unsaved:
                homeless[_behind(where, number)].append(former)
        changed = self._rebuild(texts, found, homeless)
        self.is_noted = False
        return changed

    def _rebuild(
        self, texts: Sequence[str], found: dict[int, SentenceState], homeless: dict[int, list[SentenceState]]
    ) -> list[SentenceState]:
        kept = {state.key for states in homeless.values() for state in states}
        keys = sentence_keys(texts, {n: state.key for n, state in found.items()}, kept)
        changed: list[SentenceState] = []
        self.states = []
        for n in range(-1, len(texts)):
            if n >= 0:
                state = found.get(n) or SentenceState(keys[n], texts[n])
                if state.meet(texts[n]) or not state.revision:
                    changed.append(state)
                self.states.append(state)
            for state in homeless.get(n, ()):
                if state.meet(None) or not state.revision:
                    changed.append(state)
                self.states.append(state)
        for state in changed:
            state.revision = self._revision()
        self._index()
        return changed

    def _index(self) -> None:
        self._numbers = {state.key: number for number, state in enumerate(self.states)}

    def order(self, name: str) -> Event:
        """Return what the journal has to know of the sentences on disk, so that edits find theirs again."""
        on_disk = self.on_disk
        return Event(
            what="file",
            file=name,
            digests=[digest_of(state.saved or "") for state in on_disk],
            ids={state.key: n for n, state in enumerate(on_disk) if state.history is not None},
            gone={state.key: n for n, state in _gone(self.states)},
        )

    def drop(self, state: SentenceState) -> None:
        """Take a sentence out that is not on disk."""
        self.states.remove(state)
        self._index()


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


def _remembered(
    past: FilePast, texts: Sequence[str]
) -> tuple[list[tuple[Former, SentenceState | None]], list[tuple[SentenceState, int]]]:
    """Return what is known of a file as it was, and the sentences that were not in it any more."""
    at = {number: past.states[key] for key, number in past.places.items() if key in past.states}
    gone = [(past.states[key], number) for key, number in past.gone.items() if key in past.states]
    digests = past.digests
    if not digests and at:  # an old journal knows the numbers of sentences only, and they may hold no longer
        digests = list(map(digest_of, texts))
        at, lost = _placed(at, digests)
        gone += [(state, len(texts)) for state in lost]
    formers: list[tuple[Former, SentenceState | None]] = []
    for number, digest in enumerate(digests):
        known = at.get(number)
        former = Former(digest) if known is None else Former(digest, known.base, _edited(known))
        formers.append((former, known))
    gone += [(state, n) for n, state in at.items() if n >= len(digests)]
    unplaced = past.states.keys() - past.places.keys() - past.gone.keys()
    gone += [(past.states[key], len(digests)) for key in sorted(unplaced)]
    for state, _ in gone:
        if state.text != state.base:  # else it has been put back since
            state.saved = None
    return formers, gone


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


def _gone(states: Sequence[SentenceState]) -> list[tuple[int, SentenceState]]:
    """Return the sentences that are not on disk, with the number of the one on disk before which they stand."""
    found: list[tuple[int, SentenceState]] = []
    number = 0
    for state in states:
        if state.saved is None:
            found.append((number, state))
        else:
            number += 1
    return found


def _behind(where: Sequence[int | None], number: int) -> int:
    """Return behind which sentence something goes that stood before a certain one; -1: before all."""
    return next((n for n in reversed(where[: max(number, 0)]) if n is not None), -1)


def _content(data: bytes) -> bytes:
    return hashlib.blake2b(data, digest_size=16).digest()


def stamp_of(path: Path) -> Stamp | None:
    """Return the stamp of a file; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return Stamp(found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)
