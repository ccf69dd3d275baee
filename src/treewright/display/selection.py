"""Select sentences of a treebank by number, range or sent_id."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from treewright.errors import TreewrightError

RANGE = re.compile(r"(\d+)(?:(-)(\d+)?)?")
Item = TypeVar("Item")


class SentenceSelection:
    """A selection of sentences by number and sent_id; an empty selection means all."""

    def __init__(self, numbers: Sequence[str] = (), names: Sequence[str] = ()) -> None:
        """Accept numbers from 1, such as ``3``, ``2-5``, ``7-`` and ``1,4-6``, and sent_ids."""
        self._ranges = [_range_of(part.strip()) for text in numbers for part in text.split(",")]
        self._names = set(names)
        self._missing = set(names)
        self.is_all = not self._ranges and not self._names

    def of(self, sentences: Iterable[Item], source: str, sent_id: str = "sent_id") -> Iterator[tuple[int, Item]]:
        """Yield the selected sentences with their numbers, in order; stop reading after the last one."""
        number = 0
        for number, sentence in enumerate(sentences, 1):
            name = getattr(sentence, sent_id) if self._names else ""
            if self.is_all or name in self._names or any(first <= number <= last for first, last in self._ranges):
                self._missing.discard(name)
                yield number, sentence
            if not self.is_all and not self._missing and all(last <= number for _, last in self._ranges):
                return
        self._check(number, source)

    def _check(self, number: int, source: str) -> None:
        """Raise an error for requested sentences that do not exist."""
        beyond = [first for first, _ in self._ranges if first > number]
        if beyond:
            raise TreewrightError(f"{source}: sentence {beyond[0]} does not exist. The last one is {number}.")
        if self._missing:
            named = ", ".join(sorted(self._missing))
            raise TreewrightError(f"{source}: no sentence has the sent_id {named}. Check the spelling.")


def _range_of(text: str) -> tuple[int, float]:
    match = RANGE.fullmatch(text) if text.isascii() else None
    first = int(match[1]) if match else 0
    last: float = first
    if match and match[2]:
        last = int(match[3]) if match[3] else float("inf")
    if not 1 <= first <= last:
        raise TreewrightError(f"{text!r} is not a selection of sentences. Write 3, 2-5, 7- or 1,4-6, counting from 1.")
    return first, last
