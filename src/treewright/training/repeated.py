"""Repeated trainings: the same task learnt in several orders, and the mean of what was learnt.

Tokenisers, taggers and parsers of small treebanks depend much on the order of training. The mean of several trainings
is better than any one of them as a rule, and no larger.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from treewright.learners.frozen import FrozenWeights
from treewright.learners.perceptron import Perceptron, mix_in

MANY_WORDS = 100_000  # in larger treebanks, trainings differ less and take longer: each step says how many it has
USUAL_SEEDS = 4
USUAL_ROUNDS, ROUNDS_OF_LARGE = 16, 12


def number_of_trainings(seeds: int, n_words: int, if_large: int = 1) -> int:
    """Return how many trainings a recipe asks for; 0 leaves it to the size of the treebank."""
    return seeds or (USUAL_SEEDS if n_words < MANY_WORDS else if_large)


def number_of_rounds(rounds: int | None, n_words: int) -> int:
    """Return the rounds of a training that a recipe asks for, or the usual number for the size of the treebank."""
    return rounds or (USUAL_ROUNDS if n_words < MANY_WORDS else ROUNDS_OF_LARGE)


class RepeatedTraining:
    """Sums what each training has learnt; one is in memory at a time, beside the sum."""

    def __init__(self, trainings: int, rounds: int) -> None:
        self.trainings, self.rounds_of_one = trainings, rounds
        self._sum: Perceptron | None = None
        self._last: Perceptron | None = None

    @property
    def rounds(self) -> int:
        """The rounds of all trainings."""
        return self.trainings * self.rounds_of_one

    def begins_again(self, number: int) -> bool:
        """Is this round the first of a training, but not of all?"""
        return number > 1 and (number - 1) % self.rounds_of_one == 0

    def add(self, learner: Perceptron) -> None:
        """Add what a training has learnt, when it is done."""
        if self._sum is None:
            self._sum = Perceptron(learner.n_kinds, learner.n_classes, 1, learner.n_lines)
        mix_in(self._sum, learner, 1 / self.trainings)

    def mean(self, last: Perceptron) -> Perceptron:
        """Return the mean of all trainings; ``last`` is the one that was not added yet."""
        if self._sum is None:
            return last
        if self._last is not last:
            self.add(last)
            self._last = last
        return self._sum


class MeanOfTrainings(ABC):
    """What strategies with repeated trainings of one learner have in common."""

    learner: Perceptron  # of the training under way
    repeated: RepeatedTraining

    @abstractmethod
    def kept(self, learner: Perceptron) -> FrozenWeights:
        """Return the averaged weights of a learner that a model keeps."""

    @property
    def n_features(self) -> int:
        """How many features have a weight."""
        return len(self.learner)

    @property
    def trainings(self) -> int:
        """How many trainings the mean is taken over."""
        return self.repeated.trainings

    def weights(self) -> FrozenWeights:
        """Return the averaged weights of all trainings."""
        return self.kept(self.repeated.mean(self.learner))
