"""Which sentence is which: where the sentences of a file are in another version of it.

The same text is the same sentence; of several that are equal, neighbours tell. What has changed is known by its words,
by a sent_id that is unique, or because it is alike and stands between the same neighbours.
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict, deque
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from treewright.apps.studio.drafts import FORM, MARK, Draft

SENT_ID = re.compile(r"^#[ \t]*sent_id[ \t]*=[ \t]*(.*?)[ \t\r]*$", re.MULTILINE)
FRAME = MARK + "\r\n"  # what may stand around a sentence without being part of it
ALIKE = 0.5  # of the words of two versions of a sentence
WINDOW = 50  # sentences between the same neighbours that are looked at


class Former(NamedTuple):
    """A sentence of the older version: the digest of its text; the text, where it is known, and as edited here."""

    digest: str
    text: str | None = None
    edited: str | None = None


def core(text: str) -> str:
    """Return a sentence without the blank lines and the byte order mark around it."""
    return text.strip(FRAME)


def digest_of(text: str) -> str:
    """Return a digest of a sentence by which it is known in the journal, and equal ones are found."""
    return hashlib.blake2b(core(text).encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()


def sent_id(text: str) -> str | None:
    """Return the sent_id of a sentence."""
    found = SENT_ID.search(text)
    return (found[1] or None) if found else None


def sentence_keys(texts: Sequence[str], known: dict[int, str], taken: Collection[str]) -> list[str]:
    """Return a name for every sentence: the known one, or one made of its sent_id if that is unique, else of its text.

    So a sentence has the same name when its file is opened again.
    """
    ids = _unique([sent_id(text) for text in texts])
    used = {*taken, *known.values()}
    keys: list[str] = []
    for number, text in enumerate(texts):
        key = known.get(number)
        if key is None:
            own = ids[number]
            stem = digest_of(text if own is None else f"sent_id {own}")
            key, more = stem, 1
            while key in used:
                more += 1
                key = f"{stem}-{more}"
            used.add(key)
        keys.append(key)
    return keys


def places(old: Sequence[Former], new: Sequence[str], neighbours: bool = True) -> list[int | None]:
    """Return where each sentence of the older version is in the newer one; None for those that are gone.

    ``neighbours``: the older sentences are in the order of their file, so that those around tell something.
    """
    pairs = _Pairs(len(old), len(new))
    after = [digest_of(text) for text in new]
    before = _marks(old, after)
    if neighbours:
        pairs.both_ends(before, after)
    pairs.match(before, after)
    if neighbours:
        pairs.beside(before, after)
    pairs.in_order(before, after)
    if pairs.is_done:
        return pairs.place
    pairs.match([each.edited and digest_of(each.edited) for each in old], after)
    pairs.by_words_and_name(old, new)
    if neighbours:
        pairs.between(old, new)
    return pairs.place


def _marks(old: Sequence[Former], new: Sequence[str]) -> list[str]:
    """Return what the older sentences are known by: of several equal ones, one that was saved by its edited text."""
    counts = Counter(each.digest for each in old), Counter(new)
    marks = []
    for each in old:
        mark = each.digest
        if each.edited is not None and (counts[0][mark] != 1 or counts[1][mark] != 1):
            edited = digest_of(each.edited)
            mark = edited if counts[1][edited] == 1 else mark
        marks.append(mark)
    return marks


class _Pairs:
    """Sentences of two versions that belong together."""

    def __init__(self, old: int, new: int) -> None:
        self.place: list[int | None] = [None] * old
        self.taken = bytearray(new)

    @property
    def is_done(self) -> bool:
        return all(self.taken) or None not in self.place

    def put(self, one: int, other: int) -> None:
        self.place[one] = other
        self.taken[other] = 1

    def _is_free(self, one: int, other: int) -> bool:
        inside = 0 <= one < len(self.place) and 0 <= other < len(self.taken)
        return inside and self.place[one] is None and not self.taken[other]

    def both_ends(self, old: Sequence[str], new: Sequence[str]) -> None:
        """Pair what the versions begin and end with."""
        most = min(len(old), len(new))
        start = next((n for n in range(most) if old[n] != new[n]), most)
        end = next((n for n in range(most - start) if old[-1 - n] != new[-1 - n]), most - start)
        for number in range(start):
            self.put(number, number)
        for number in range(1, end + 1):
            self.put(len(old) - number, len(new) - number)

    def match(self, old: Sequence[str | None], new: Sequence[str | None]) -> None:
        """Pair what has the same mark, if no other sentence that is left has it."""
        left, right = (
            _unique([mark if is_free else None for mark, is_free in zip(marks, free, strict=True)])
            for marks, free in ((old, [n is None for n in self.place]), (new, [not n for n in self.taken]))
        )
        there = {mark: number for number, mark in enumerate(right) if mark is not None}
        for number, mark in enumerate(left):
            if mark is not None and mark in there:
                self.put(number, there[mark])

    def beside(self, old: Sequence[str], new: Sequence[str]) -> None:
        """Pair equal sentences beside a pair, then those beside them."""
        todo = [(one, other) for one, other in enumerate(self.place) if other is not None]
        while todo:
            one, other = todo.pop()
            for step in (-1, 1):
                if self._is_free(one + step, other + step) and old[one + step] == new[other + step]:
                    self.put(one + step, other + step)
                    todo.append((one + step, other + step))

    def in_order(self, old: Sequence[str], new: Sequence[str]) -> None:
        """Pair the equal sentences that are left in their order."""
        waiting: defaultdict[str, deque[int]] = defaultdict(deque)
        for number, mark in enumerate(new):
            if not self.taken[number]:
                waiting[mark].append(number)
        for number, mark in enumerate(old):
            if self.place[number] is None and waiting.get(mark):
                self.put(number, waiting[mark].popleft())

    def by_words_and_name(self, old: Sequence[Former], new: Sequence[str]) -> None:
        """Pair sentences of the same words, of the same sent_id, first those of both."""
        own = [None if (text := each.edited or each.text) is None else _words(text) for each in old]
        theirs = [None if taken else _words(text) for text, taken in zip(new, self.taken, strict=True)]
        ids = _unique([each.text and sent_id(each.text) for each in old]), _unique([sent_id(text) for text in new])
        sides = list(zip((own, theirs), ids, strict=True))
        both, words, names = (
            [[mark(a, b) for a, b in zip(*side, strict=True)] for side in sides]
            for mark in (
                lambda a, b: f"{b}\n{a}" if a and b else None,
                lambda a, b: a,
                lambda a, b: b,
            )
        )
        for left, right in (both, words, names):
            self.match(left, right)

    def between(self, old: Sequence[Former], new: Sequence[str]) -> None:
        """Pair what stands between the same neighbours and is alike."""
        number = 0
        while number < len(old):
            if self.place[number] is not None:
                number += 1
                continue
            end = next((n for n in range(number, len(old)) if self.place[n] is not None), len(old))
            first = self.place[number - 1] if number else -1
            last = self.place[end] if end < len(old) else len(new)
            assert first is not None
            assert last is not None
            free = [n for n in range(first + 1, last) if not self.taken[n]]
            self._pair_run(old, new, list(range(number, end)), free)
            number = end

    def _pair_run(self, old: Sequence[Former], new: Sequence[str], left: list[int], right: list[int]) -> None:
        for one in left:
            text = old[one].edited or old[one].text
            fitting = (n for n, other in enumerate(right[:WINDOW]) if text and _likeness(text, new[other]) >= ALIKE)
            position = next(fitting, None)
            if position is not None:
                self.put(one, right[position])
                right = right[position + 1 :]


def _unique(marks: Iterable[str | None]) -> list[str | None]:
    """Return marks with None for those that occur more than once."""
    listed = list(marks)
    counts = Counter(listed)
    return [mark if counts[mark] == 1 else None for mark in listed]


def _forms(text: str) -> list[str]:
    return [cells[FORM] for _, cells in Draft(text).words()]


def _words(text: str) -> str | None:
    return "\t".join(_forms(text)) or None


def _likeness(one: str, other: str) -> float:
    """Return the share of words that two sentences have in common."""
    left, right = Counter(_forms(one)), Counter(_forms(other))
    total = left.total() + right.total()
    return 2 * (left & right).total() / total if total else 0.0
