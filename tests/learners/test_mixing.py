"""The mean of perceptrons has the mean of their averaged weights, feature by feature."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treewright.learners.perceptron import Perceptron, mix_in

from tests.learners.reference import same_history


@given(st.lists(st.integers(0, 2**32), min_size=1, max_size=3, unique=True), st.integers(0, 30), st.integers(0, 60))
def test_every_weight_is_the_mean(seeds: list[int], n_classes: int, updates: int) -> None:
    histories = [same_history(seed, n_classes, 8, updates) for seed in seeds]
    mean = Perceptron(4, n_classes)
    for learner, *_ in histories:
        mix_in(mean, learner, 1 / len(seeds))
    for key in {key for _, _, keys, _ in histories for key in keys}:
        each = [learner.weights_of(key, averaged=True) for learner, *_ in histories]
        found = mean.weights_of(key)
        if found is None:
            assert each == [None] * len(seeds)
            continue
        known = [weights for weights in each if weights is not None]
        for kind in range(4):
            assert found[0][kind] == pytest.approx(sum(kinds[kind] for kinds, _ in known) / len(seeds), abs=1e-3)
        for label in range(n_classes):
            expected = sum(classes.get(label, 0.0) for _, classes in known) / len(seeds)
            assert found[1].get(label, 0.0) == pytest.approx(expected, abs=1e-3)


def test_other_tasks_are_rejected() -> None:
    with pytest.raises(ValueError, match="different tasks"):
        mix_in(Perceptron(4, 3), Perceptron(4, 2))
