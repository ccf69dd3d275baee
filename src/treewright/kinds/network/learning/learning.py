"""The steps of learning: AdamW with warm-up and a cosine, and the average of the weights that is kept."""

from __future__ import annotations

import copy
import math
import random
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Protocol

import torch
from torch import nn

from treewright.kinds.network.learning.adamw import AdamW
from treewright.kinds.network.learning.batches import Batch
from treewright.kinds.network.learning.lazy_rows import lazy_tables
from treewright.kinds.network.learning.pretrained_torch import learning_groups
from treewright.kinds.network.learning.quantising import kept_weights, quantised, restore
from treewright.kinds.network.learning.torch_network import LearningEncoder
from treewright.kinds.network.network import Weights
from treewright.steps.contract import TypedArrays
from treewright.training.strategy import Advanced

WARM_UP = 100  # steps; in short trainings, a twentieth of them
BETAS = (0.9, 0.95)
DECAY = 1e-4
SMALLEST_SHARE = 0.005  # of the learning rate, at the end
LONGEST_GRADIENT = 5.0


class LearningRecipe(Protocol):
    """What a recipe says of how a network learns."""

    @property
    def rate(self) -> float:
        """The largest learning rate."""

    @property
    def batch_words(self) -> int:
        """How many words are learnt from at a time."""

    @property
    def smoothing(self) -> float:
        """The share of the averaged weights that stays at each step."""

    @property
    def seed(self) -> int:
        """The seed of first weights and dropout."""

    @property
    def torch_threads(self) -> int:
        """The threads that PyTorch may use."""

    def seconds(self) -> float | None:
        """Return the time limit in seconds."""


class LearningCorpus(Protocol):
    """What a network learns from: batches of sentences, again in each round."""

    @property
    def n_rows(self) -> int:
        """The number of words of a round, with the roots."""

    @property
    def n_sentences(self) -> int:
        """The number of sentences of a round."""

    def batches(self, most_words: int, order: random.Random) -> Iterator[Batch]:
        """Yield the batches of a round."""


class Learning:
    """A network that learns from a treebank, and the average of its weights."""

    def __init__(
        self,
        recipe: LearningRecipe,
        make: Callable[[], LearningEncoder],
        corpus: LearningCorpus,
        rounds: int,
        base: Weights | None = None,
    ) -> None:
        self.recipe, self.corpus, self.rounds = recipe, corpus, rounds
        torch.set_num_threads(recipe.torch_threads)
        torch.manual_seed(recipe.seed)
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        self.network = make()
        if base is not None:
            restore(self.network, base)
        self.network.to(self.device)
        self.average = copy.deepcopy(self.network)
        self.lazy = lazy_tables(self.network, self.average, BETAS, DECAY)
        self.optimizer = AdamW(learning_groups(self.network), recipe.rate, BETAS, DECAY)
        pairs = zip(self.network.parameters(), self.average.parameters(), strict=True)
        self.own, self.averages = map(list, zip(*[pair for pair in pairs if pair[0].requires_grad], strict=True))
        self.steps = self.rounds_done = 0
        self.warm_up = max(1, min(WARM_UP, rounds * corpus.n_rows // recipe.batch_words // 20))
        self.limit, self.begun = recipe.seconds(), monotonic()

    @property
    def n_weights(self) -> int:
        """How many weights the network has."""
        return sum(values.numel() for values in self.network.parameters())

    def round(self, order: random.Random, advanced: Advanced) -> tuple[int, int]:
        """Learn from all sentences once, or until the time is up; return the numbers of wrong heads and of words."""
        self.network.train()
        wrong = words = learnt = 0
        for batch in self.corpus.batches(self.recipe.batch_words, order):
            sentences = len(batch.lengths)
            wrong += self._step(batch.to(self.device), self._progress(learnt))
            words += batch.n_words
            learnt += sentences
            advanced(sentences)
            if self._is_late():
                break
        self.rounds_done += 1
        return wrong, words

    def _progress(self, learnt: int) -> float:
        """Return the share of the training that is done: by the clock if there is a time limit."""
        if self.limit is not None:
            return min(1.0, (monotonic() - self.begun) / self.limit)
        return (self.rounds_done + learnt / self.corpus.n_sentences) / self.rounds

    def _is_late(self) -> bool:
        return self.limit is not None and monotonic() - self.begun > self.limit

    def planned_rounds(self) -> int:
        """Return how many rounds there will be: with a time limit, this one is the last when the time is up."""
        if self.limit is None:
            return self.rounds
        return self.rounds_done if self._is_late() else max(self.rounds, self.rounds_done + 1)

    def _step(self, batch: Batch, progress: float) -> int:
        """Learn from a batch; return how many heads were wrong."""
        self.steps += 1
        share = min(1.0, self.steps / self.warm_up) * 0.5 * (1 + math.cos(math.pi * progress))
        rate = self.recipe.rate * max(share, SMALLEST_SHARE)
        for group in self.optimizer.param_groups:
            group["lr"] = rate * group["share"]
        keep = min(self.recipe.smoothing, (1 + self.steps) / (10 + self.steps))
        for table in self.lazy:
            table.begin(self.steps, keep)
        loss, wrong = self.network.loss(batch)
        self.optimizer.zero_grad()
        loss.backward()
        parts = [table.part for table in self.lazy]
        nn.utils.clip_grad_norm_([*self.network.parameters(), *parts], LONGEST_GRADIENT)
        self.optimizer.step()
        for table in self.lazy:
            table.learn(rate)
        with torch.no_grad():
            torch._foreach_lerp_(self.averages, self.own, 1 - keep)
        return wrong

    def arrays(self) -> TypedArrays:
        """Return the averaged weights as a model keeps them."""
        for table in self.lazy:
            table.finish()
        return quantised({name: values.cpu() for name, values in kept_weights(self.average).items()})
