"""Repeated trainings: how many there are, where one ends, and the mean of what they have learnt."""

from __future__ import annotations

import pytest
from treewright.learners.perceptron import Perceptron

from treewright.training.repeated import RepeatedTraining, number_of_rounds, number_of_trainings


def test_small_treebanks_have_more_trainings_and_more_rounds():
    """Fewer than 100,000 words are few, where the recipe does not say."""
    assert [number_of_trainings(0, n) for n in (1, 99_999, 100_000, 100_001)] == [4, 4, 1, 1]
    assert [number_of_trainings(0, n, 2) for n in (99_999, 100_000)] == [4, 2]
    assert [number_of_trainings(3, n) for n in (1, 100_000)] == [3, 3]
    assert [number_of_rounds(None, n) for n in (99_999, 100_000)] == [16, 12]
    assert [number_of_rounds(5, n) for n in (99_999, 100_000)] == [5, 5]


def test_a_training_begins_again_after_its_rounds():
    of_three = RepeatedTraining(2, 3)
    assert of_three.rounds == 6
    assert [number for number in range(1, 7) if of_three.begins_again(number)] == [4]
    assert [number for number in range(1, 5) if RepeatedTraining(4, 1).begins_again(number)] == [2, 3, 4]


def learner_with(weight: float) -> Perceptron:
    """A learner of one feature, 7: the weight of kind 1, and of kind 0 with the other sign."""
    learner = Perceptron(4, 2)
    learner.update_keys([7], [0, 0, 1], (1, 0), (0, 0), weight)
    learner.next_decision()
    return learner


def test_one_training_is_kept_as_it_is():
    learner = learner_with(1)
    assert RepeatedTraining(1, 5).mean(learner) is learner


def test_the_mean_of_two_trainings():
    first, second = learner_with(1), learner_with(5)
    repeated = RepeatedTraining(2, 5)
    repeated.add(first)
    for _ in range(2):  # who asks again gets the same
        mean = repeated.mean(second)
        weights = mean.weights_of(7)
        assert weights is not None
        expected = sum(learner.weights_of(7, averaged=True)[0][1] for learner in (first, second)) / 2
        assert weights[0][1] == pytest.approx(expected)
        assert mean.cutoff == 1
