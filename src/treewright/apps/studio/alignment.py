"""Which sentence is which: where the sentences of a file are in another version of it.

The same text is the same sentence; of several that are equal, neighbours tell. What has changed is known by its words,
by a sent_id that is unique, or because it is alike and stands between the same neighbours.
"""

from __future__ import annotations

from collections import Counter, defaultdict, deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import NamedTuple

from treewright.apps.studio.drafts import FORM, Draft
from treewright.apps.studio.sentence_names import ENCODING, digest_of, digest_of_bytes, sent_id

ALIKE = 0.5  # of the words of two versions of a sentence
WINDOW = 50  # sentences between the same neighbours that are looked at
_NOTHING: Mapping[int, str] = {}


class Sentences(NamedTuple):
    """Sentences of a version of a file: what they are known by, and their texts, where those are known."""

    digests: Sequence[str]
    ids: Sequence[str | None]
    text: Callable[[int], str | None]

    @classmethod
    def of(cls, texts: Iterable[str | None], digests: Iterable[str] | None = None) -> Sentences:
        """Return sentences of which the text is known, or only the digest."""
        listed = list(texts)
        known = ["" if text is None else digest_of(text) for text in listed] if digests is None else list(digests)
        return cls(known, [None if text is None else sent_id(text) for text in listed], listed.__getitem__)


def sentence_keys(new: Sentences, known: Mapping[int, str], taken: Collection[str]) -> list[str]:
    """Return a name for every sentence: the known one, or one made of its sent_id if that is unique, else of its text.

    So a sentence has the same name when its file is opened again.
    """
    used = {*taken, *known.values()}
    keys: list[str] = []
    for number, own in enumerate(unique(new.ids)):
        key = known.get(number)
        if key is None:
            stem = new.digests[number] if own is None else digest_of_bytes(f"sent_id {own}".encode(*ENCODING))
            key, more = stem, 1
            while key in used:
                more += 1
                key = f"{stem}-{more}"
            used.add(key)
        keys.append(key)
    return keys


def places(
    old: Sentences, new: Sentences, edited: Mapping[int, str] = _NOTHING, neighbours: bool = True
) -> list[int | None]:
    """Return where each sentence of the older version is in the newer one; None for those that are gone.

    ``edited`` are texts of older sentences as they are here. ``neighbours``: the older sentences are in the order of
    their file, so that those around tell something.
    """
    pairs = _Pairs(len(old.digests), len(new.digests))
    after = new.digests
    before = _marks(old.digests, edited, after)
    if neighbours:
        pairs.both_ends(before, after)
        if pairs.is_done:
            return pairs.place
    pairs.match(before, after)
    if neighbours:
        pairs.beside(before, after)
    pairs.in_order(before, after)
    if pairs.is_done:
        return pairs.place
    pairs.match([digest_of(edited[n]) if n in edited else None for n in range(len(before))], after)
    here = Sentences(before, old.ids, lambda number: edited.get(number) or old.text(number))
    pairs.by_words_and_name(here, new)
    if neighbours:
        pairs.between(here, new)
    return pairs.place


def _marks(old: Sequence[str], edited: Mapping[int, str], new: Sequence[str]) -> list[str]:
    """Return what the older sentences are known by: of several equal ones, one that was saved by its edited text."""
    marks = list(old)
    if edited:
        counts = Counter(old), Counter(new)
        for number, text in edited.items():
            if counts[0][old[number]] != 1 or counts[1][old[number]] != 1:
                mark = digest_of(text)
                marks[number] = mark if counts[1][mark] == 1 else old[number]
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
            unique([mark if is_free else None for mark, is_free in zip(marks, free, strict=True)])
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

    def by_words_and_name(self, old: Sentences, new: Sentences) -> None:
        """Pair sentences of the same words, of the same sent_id, first those of both."""
        own = [_words(old.text(n)) if place is None else None for n, place in enumerate(self.place)]
        theirs = [None if taken else _words(new.text(n)) for n, taken in enumerate(self.taken)]
        sides = list(zip((own, theirs), (unique(old.ids), unique(new.ids)), strict=True))
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

    def between(self, old: Sentences, new: Sentences) -> None:
        """Pair what stands between the same neighbours and is alike."""
        number = 0
        while number < len(self.place):
            if self.place[number] is not None:
                number += 1
                continue
            end = next((n for n in range(number, len(self.place)) if self.place[n] is not None), len(self.place))
            first = self.place[number - 1] if number else -1
            last = self.place[end] if end < len(self.place) else len(self.taken)
            assert first is not None
            assert last is not None
            free = [n for n in range(first + 1, last) if not self.taken[n]]
            self._pair_run(old, new, list(range(number, end)), free)
            number = end

    def _pair_run(self, old: Sentences, new: Sentences, left: list[int], right: list[int]) -> None:
        for one in left:
            text = old.text(one)
            there = ((n, new.text(other) or "") for n, other in enumerate(right[:WINDOW]) if text)
            fitting = (n for n, other in there if _likeness(text or "", other) >= ALIKE)
            position = next(fitting, None)
            if position is not None:
                self.put(one, right[position])
                right = right[position + 1 :]


def unique(marks: Iterable[str | None]) -> list[str | None]:
    """Return marks with None for those that occur more than once."""
    listed = list(marks)
    counts = Counter(listed)
    return [mark if counts[mark] == 1 else None for mark in listed]


def _forms(text: str) -> list[str]:
    return [cells[FORM] for _, cells in Draft(text).words()]


def _words(text: str | None) -> str | None:
    return "\t".join(_forms(text)) or None if text else None


def _likeness(one: str, other: str) -> float:
    """Return the share of words that two sentences have in common."""
    left, right = Counter(_forms(one)), Counter(_forms(other))
    total = left.total() + right.total()
    return 2 * (left & right).total() / total if total else 0.0
