"""Sums over positions: exactly those of a plain reference, whatever the path of the kernel."""

from __future__ import annotations

import numpy as np
import pytest
from treewright.kinds.network.kernel.positions import PositionLayers, PositionSums
from treewright.kinds.network.kernel.rows import Rows

from tests.kinds.network.kernel.reference import Weights, activations, ints, quantised
from treewright.errors import ModelFileError, TreewrightError

SIZES = [(1, 1, 1, 1), (16, 16, 3, 20), (33, 7, 5, 17), (128, 96, 8, 130)]


def triple(weights):
    return weights.rows, weights.scales, weights.bias


@pytest.mark.parametrize(("first", "second", "kinds", "labels"), SIZES)
def test_scores_are_exact(first, second, kinds, labels, path):
    rng = np.random.default_rng(first)
    width, slots, n_words, n_fixed = first + second, 4, 9, 11
    outputs = Weights(rng, kinds, first), Weights(rng, labels, second)
    fixed, words = activations(rng, n_fixed, width), activations(rng, n_words, slots * width, 20000)
    sums = PositionSums(PositionLayers(Rows(fixed), triple(outputs[0]), triple(outputs[1])))
    sums.bind(Rows(words))
    for _ in range(20):
        places = [int(rng.integers(-n_fixed, n_words)) for _ in range(slots)] + [-1 - int(rng.integers(n_fixed))] * 2
        total = np.zeros(width, np.int64)
        for slot, place in enumerate(places):
            row = words[place, slot * width : (slot + 1) * width] if place >= 0 else fixed[-1 - place]
            total += row
        exact = (total / 2048).astype(np.float32)
        hidden = quantised(np.where(exact > 0, exact, exact * np.float32(0.1)))[None]
        assert (np.array(sums.scores(ints(places))) == outputs[0].product(hidden[:, :first])[0]).all()
        assert (np.array(sums.scores(ints(places), True)) == outputs[1].product(hidden[:, first:])[0]).all()


def test_what_does_not_fit_is_rejected():
    rng = np.random.default_rng(1)
    kinds, labels = triple(Weights(rng, 3, 4)), triple(Weights(rng, 5, 6))
    with pytest.raises(ModelFileError, match="fixed rows"):
        PositionLayers(Rows(activations(rng, 2, 9)), kinds, labels)
    sums = PositionSums(PositionLayers(Rows(activations(rng, 2, 10)), kinds, labels))
    with pytest.raises(TreewrightError, match="no words"):
        sums.scores(ints([0]))
    with pytest.raises(TreewrightError, match="multiple"):
        sums.bind(Rows(activations(rng, 2, 15)))
    sums.bind(Rows(activations(rng, 2, 20)))
    for places in ([2], [-3], [0, 0, 0]):
        with pytest.raises(IndexError):
            sums.scores(ints(places))
