"""Sentences of raw text as tensors: each different word of a batch is read once."""

from __future__ import annotations

import random
from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

import torch
from torch import Tensor

from treewright.kinds.language_model.guesses import Guesses
from treewright.kinds.language_model.sentences import SentenceFile, length_of
from treewright.kinds.network.inputs.vocabulary import Vocabulary
from treewright.kinds.network.learning.batches import Batch, padded_rows

INPUTS = ("words", "ngrams")
BORDER = 1  # what is guessed beyond the last word, and before the first: the root


@dataclass
class RawBatch(Batch):
    """Sentences without trees. ``single`` and ``bags`` have the different words; ``words`` says which each row is."""

    words: Tensor = field(default_factory=lambda: torch.empty(0, dtype=torch.long))  # [rows]
    guesses: Tensor = field(default_factory=lambda: torch.empty(0, dtype=torch.long))  # [rows]: each row itself

    @property
    def n_words(self) -> int:
        """The number of words, without the roots."""
        return len(self.words) - len(self.lengths)

    def to(self, device: torch.device) -> RawBatch:
        """Return the batch on a device; lengths stay where they are."""
        if device.type == "cpu":
            return self
        own = {"words": self.words.to(device), "guesses": self.guesses.to(device)}
        return RawBatch(**vars(super().to(device)), **own)

    def places(self, side: int) -> tuple[Tensor, Tensor, Tensor]:
        """Return what a direction reads and guesses.

        First the different word at each step of each sentence, then the steps (flat) that guess, and what is right.
        """
        cells = padded_rows(self.lengths)
        steps, long = torch.arange(cells.shape[1])[None, :], self.lengths[:, None]
        if side == 1:
            turned = torch.where(steps < long, long - 1 - steps, steps)
            cells = cells.gather(1, turned)
        after = torch.where(steps[:, 1:] < long, cells[:, 1:].clamp(min=0), -1)
        after = torch.cat((after, after.new_full((len(cells), 1), -1)), 1)
        right = torch.where(after >= 0, self.guesses.cpu()[after.clamp(min=0)], BORDER)
        guesses = steps < long if side == 0 else steps < long - 1
        where = guesses.t().reshape(-1).nonzero()[:, 0]
        device = self.words.device
        return (
            self.words[cells.clamp(min=0).t().to(device)],
            where.to(device),
            right.t().reshape(-1)[where].to(device),
        )


class RawBatches:
    """The batches of a text: a part of the training at a time, for ever."""

    def __init__(
        self, text: SentenceFile, vocabulary: Vocabulary, guesses: Guesses, most_words: int, seed: int, steps: int
    ) -> None:
        self.text, self.vocabulary, self.guesses, self.steps = text, vocabulary, guesses, steps
        self.most_words, self._order = most_words, random.Random(seed)
        self._groups: Iterator[list[bytes]] = iter(())
        self.n_rows = most_words * steps
        per_batch = most_words * text.n_sentences / (text.n_words + text.n_sentences)
        self.n_sentences = max(1, round(per_batch * steps))

    def batches(self, most_words: int, order: random.Random) -> Iterator[RawBatch]:
        """Yield the batches of the next part of the training."""
        for _ in range(self.steps):
            group = next(self._groups, None)
            if group is None:
                self._groups = self.text.groups(self.most_words, self._order)
                group = next(self._groups)
            yield self.batch(group)

    def batch(self, lines: Sequence[bytes]) -> RawBatch:
        """Return sentences, each after its root."""
        numbers: dict[bytes, int] = {}
        places: list[int] = []
        for line in lines:
            places.append(0)
            places.extend([numbers.setdefault(form, len(numbers) + 1) for form in line.rstrip(b"\n").split(b"\t")])
        forms = list(numbers)
        read = self.vocabulary.of_forms(forms, INPUTS)
        guessed = torch.tensor([BORDER, *(self.guesses.numbers[form] for form in forms)])
        words = torch.tensor(places)
        nothing = torch.empty(0, dtype=torch.long)
        bags = {name: (_tensor(own), _tensor(starts[:-1])) for name, (own, starts) in read.bags.items()}
        return RawBatch(
            torch.tensor([length_of(line) for line in lines]),
            {name: _tensor(own) for name, own in read.single.items()},
            bags,
            nothing,
            nothing,
            {},
            {},
            (),
            words,
            guessed[words],
        )


def _tensor(numbers: array[int]) -> Tensor:
    return torch.tensor(numbers, dtype=torch.long)
