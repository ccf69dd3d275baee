"""A treebank as tensors, and batches of its sentences."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import torch
from torch import Tensor

from treewright.kinds.network.inputs.vocabulary import UNKNOWN, Vocabulary, WordNumbers
from treewright.treebank.blocks.block import Block

REPLACED = 0.25  # a known word seen n times is learnt from as an unknown one REPLACED / (REPLACED + n) of the time


@dataclass
class Batch:
    """Sentences of about the same length: rows are words, with the roots, sentence by sentence."""

    lengths: Tensor  # [sentences]
    single: dict[str, Tensor]  # [rows]
    bags: dict[str, tuple[Tensor, Tensor]]  # numbers, and where those of each row begin
    heads: Tensor  # [rows]: position in the sentence; -1 for roots
    labels: Tensor  # [rows]
    tags: dict[str, Tensor]
    given: dict[str, Tensor]  # the tags that the words came with, which vote
    sentences: Sequence[int] = ()  # their numbers in the treebank

    def to(self, device: torch.device) -> Batch:
        """Return the batch on a device; lengths stay where they are."""
        if device.type == "cpu":
            return self
        return Batch(
            self.lengths,
            {name: values.to(device) for name, values in self.single.items()},
            {name: (numbers.to(device), starts.to(device)) for name, (numbers, starts) in self.bags.items()},
            self.heads.to(device),
            self.labels.to(device),
            {name: values.to(device) for name, values in self.tags.items()},
            {name: values.to(device) for name, values in self.given.items()},
            self.sentences,
        )

    @property
    def n_words(self) -> int:
        """The number of words, without the roots."""
        return len(self.heads) - len(self.lengths)

    def cells(self) -> Tensor:
        """Return the row in each cell of the batch padded to its longest sentence; -1 is padding."""
        return padded_rows(self.lengths).to(self.heads.device)


class TensorCorpus:
    """All sentences of a treebank, numbered once."""

    def __init__(
        self,
        blocks: Sequence[Block],
        vocabulary: Vocabulary,
        inputs: Sequence[str],
        heads: Sequence[int],
        labels: Sequence[int],
        tags: Mapping[str, array[int]],
        given: Mapping[str, array[int]] | None = None,
    ) -> None:
        numbers = [vocabulary.numbers(block, 0, block.n_sentences, inputs) for block in blocks]
        self.lengths = _joined([each.lengths for each in numbers])
        self.starts = torch.cumsum(self.lengths, 0) - self.lengths
        self.single = {name: _joined([each.single[name] for each in numbers]) for name in numbers[0].single}
        self.bags = {name: _joined_bags(numbers, name) for name in numbers[0].bags}
        self.is_word = torch.ones(int(self.lengths.sum()), dtype=torch.bool)
        self.is_word[self.starts] = False
        self.heads, self.labels = self._spread(heads, -1), self._spread(labels, 0)
        self.tags = {name: self._spread(values, 0) for name, values in tags.items()}
        self.given = {name: self._spread(values, -1) for name, values in (given or {}).items()}
        self.replaced = {name: _rare(self.single[name]) for name in ("words", "lemmas") if name in self.single}

    @property
    def n_sentences(self) -> int:
        """The number of sentences."""
        return len(self.lengths)

    @property
    def n_rows(self) -> int:
        """The number of words, with the roots."""
        return len(self.is_word)

    def _spread(self, values: Sequence[int], at_root: int) -> Tensor:
        """Return values of words with one more for each root."""
        out = torch.full((len(self.is_word),), at_root, dtype=torch.long)
        out[self.is_word] = torch.tensor(values, dtype=torch.long)
        return out

    def number_rows(self, name: str) -> None:
        """Add an input that is the number of the row itself."""
        self.single[name] = torch.arange(len(self.is_word))

    def batches(self, most_words: int, order: random.Random) -> Iterator[Batch]:
        """Yield all sentences in batches of similar length, in random order, rare words replaced now and then."""
        lengths = self.lengths.tolist()
        by_length = sorted(range(len(lengths)), key=lambda sentence: lengths[sentence] + 3 * order.random())
        groups: list[list[int]] = [[]]
        longest = 0
        for sentence in by_length:
            longest = max(longest, lengths[sentence])
            if groups[-1] and (len(groups[-1]) + 1) * longest > most_words:
                groups.append([])
                longest = lengths[sentence]
            groups[-1].append(sentence)
        order.shuffle(groups)
        for group in groups:
            yield self.batch(group)

    def batch(self, sentences: Sequence[int]) -> Batch:
        """Return sentences to learn from."""
        chosen = torch.tensor(sentences)
        lengths = self.lengths[chosen]
        rows = ragged(self.starts[chosen], lengths)
        single = {name: values[rows] for name, values in self.single.items()}
        for cut, rare in self.replaced.items():
            hidden = torch.rand(len(rows)) < rare[single[cut]]
            single[cut] = torch.where(hidden, UNKNOWN, single[cut])
        bags: dict[str, tuple[Tensor, Tensor]] = {}
        for name, (numbers, begins) in self.bags.items():
            sizes = begins[rows + 1] - begins[rows]
            bags[name] = numbers[ragged(begins[rows], sizes)], torch.cumsum(sizes, 0) - sizes
        tags = {name: values[rows] for name, values in self.tags.items()}
        given = {name: values[rows] for name, values in self.given.items()}
        return Batch(lengths, single, bags, self.heads[rows], self.labels[rows], tags, given, sentences)


def padded_rows(lengths: Tensor) -> Tensor:
    """Return the row in each cell of sentences that are padded to the longest one; -1 is padding."""
    starts = torch.cumsum(lengths, 0) - lengths
    steps = torch.arange(int(lengths.max()))
    return torch.where(steps[None, :] < lengths[:, None], starts[:, None] + steps[None, :], -1)


def ragged(starts: Tensor, sizes: Tensor) -> Tensor:
    """Return the numbers from each start on, as many as its size, one stretch after the other."""
    ends = torch.cumsum(sizes, 0)
    total = int(ends[-1]) if len(ends) else 0
    return torch.arange(total) + torch.repeat_interleave(starts - (ends - sizes), sizes)


def _joined(parts: Sequence[array[int]]) -> Tensor:
    return torch.cat([torch.tensor(part, dtype=torch.long) for part in parts])


def _joined_bags(parts: Sequence[WordNumbers], name: str) -> tuple[Tensor, Tensor]:
    """Return the bags of all blocks as one: their numbers, and where those of each row begin (and the last end)."""
    begins: list[Tensor] = []
    used = 0
    for part in parts:
        numbers, starts = part.bags[name]
        begins.append(torch.tensor(starts[:-1], dtype=torch.long) + used)
        used += len(numbers)
    return _joined([part.bags[name][0] for part in parts]), torch.cat([*begins, torch.tensor([used])])


def _rare(numbers: Tensor) -> Tensor:
    """Return how often each number is learnt from as an unknown one; the root and unknown ones never."""
    counts = torch.bincount(numbers).float()
    shares = REPLACED / (REPLACED + counts)
    shares[:2] = 0
    return shares
