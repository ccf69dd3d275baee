"""The sentences of a raw text on disk: read once, counted, and read again in random order while memory stays flat."""

from __future__ import annotations

import os
import random
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import IO

from treewright.errors import TreebankError
from treewright.training.gathering import Gathered

STRETCH = 1 << 16  # bytes that are read at once
STRETCHES = 32  # in memory at a time, whose sentences are mixed
LONGEST = 80  # words of a sentence: the rest is another one
MOST_KINDS = 1 << 20  # different words that are counted; when there are more, those seen once are forgotten
HELD_OUT = 3000  # words of text held out, about; up to twice as many
TOGETHER = 5  # sentences that are held out together
EVERY = 40  # of so many groups of them, one; the more text, the rarer
BETWEEN = "\t"  # words of a sentence


@dataclass
class SentenceFile(Gathered):
    """Sentences as lines of a file of its own, words between tabs; a few of them are held out, in memory."""

    file: IO[bytes] = field(default_factory=lambda: _new_file())
    counts: Counter[str] = field(default_factory=Counter)  # of words in lower case
    held_out: list[bytes] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)  # of stretches
    sentences: int = 0
    words: int = 0

    @classmethod
    def of(cls, name: str, sentences: Iterable[Sequence[str]]) -> SentenceFile:
        """Write sentences of words to a file, and count words."""
        made = cls(name)
        keeper = _HeldOut(made)
        for sentence in sentences:
            words = [" ".join(word.split()) or "_" for word in sentence]
            for first in range(0, len(words), LONGEST):
                keeper.take(words[first : first + LONGEST])
        if made.words < 10:
            raise TreebankError("no text to learn from", source=name, remedy="Give raw text of some thousand words")
        made.held_out = made.held_out or [next(made.stretch(0))]
        return made

    @property
    def n_sentences(self) -> int:
        """The number of sentences to learn from."""
        return self.sentences

    @property
    def n_words(self) -> int:
        """The number of words to learn from."""
        return self.words

    @property
    def own_size(self) -> tuple[int, int]:
        """The numbers of sentences and words."""
        return self.sentences, self.words

    def add(self, words: Sequence[str]) -> None:
        """Write a sentence to learn from."""
        place = self.file.tell()
        if not self.starts or place - self.starts[-1] >= STRETCH:
            self.starts.append(place)
        self.file.write(line_of(words))
        self.counts.update(map(str.lower, words))
        if len(self.counts) > MOST_KINDS:
            self.counts = Counter({word: count for word, count in self.counts.items() if count > 1})
        self.sentences += 1
        self.words += len(words)

    def stretch(self, number: int) -> Iterator[bytes]:
        """Yield the sentences of a stretch."""
        self.file.seek(self.starts[number])
        end = self.starts[number + 1] if number + 1 < len(self.starts) else self.file.seek(0, os.SEEK_END)
        self.file.seek(self.starts[number])
        return iter(self.file.read(end - self.starts[number]).splitlines())

    def groups(self, most_words: int, order: random.Random) -> Iterator[list[bytes]]:
        """Yield all sentences in groups of similar length, of about so many words, in random order."""
        stretches = list(range(len(self.starts)))
        order.shuffle(stretches)
        for first in range(0, len(stretches), STRETCHES):
            mixed = [line for number in stretches[first : first + STRETCHES] for line in self.stretch(number)]
            yield from _grouped(mixed, most_words, order)


class _HeldOut:
    """Decides which sentences are held out: the longer the text, the fewer of its groups."""

    def __init__(self, file: SentenceFile) -> None:
        self.file, self.every, self.taken, self.words = file, EVERY, 0, 0

    def take(self, words: Sequence[str]) -> None:
        group = self.taken // TOGETHER
        self.taken += 1
        if group % EVERY != EVERY - 1:
            self.file.add(words)
        elif (group // EVERY) % (self.every // EVERY) == 0:
            self.file.held_out.append(line_of(words))
            self.words += len(words)
            if self.words > 2 * HELD_OUT:  # half of them go, and from now on every other one comes
                kept = self.file.held_out
                self.file.held_out = [line for n, line in enumerate(kept) if n // TOGETHER % 2 == 0]
                self.words = sum(map(length_of, self.file.held_out))
                self.every *= 2


def _new_file() -> IO[bytes]:
    return tempfile.TemporaryFile(prefix="treewright-")


def line_of(words: Sequence[str]) -> bytes:
    """Return a sentence as a line: there are neither tabs nor line breaks in words."""
    return BETWEEN.join(words).encode("utf-8", "replace") + b"\n"


def length_of(line: bytes) -> int:
    """Return the number of words of a line, and the root."""
    return line.count(b"\t") + 2


def _grouped(lines: Sequence[bytes], most_words: int, order: random.Random) -> Iterator[list[bytes]]:
    by_length = sorted(lines, key=lambda line: length_of(line) + 2 * order.random())
    groups: list[list[bytes]] = [[]]
    longest = 0
    for line in by_length:
        longest = max(longest, length_of(line))
        if groups[-1] and (len(groups[-1]) + 1) * longest > most_words:
            groups.append([])
            longest = length_of(line)
        groups[-1].append(line)
    order.shuffle(groups)
    return iter(groups)
