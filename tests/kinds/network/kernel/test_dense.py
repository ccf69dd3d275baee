from __future__ import annotations

import numpy as np
import pytest
from treewright.kinds.network.kernel.dense import Dense
from treewright.kinds.network.kernel.rows import Rows

from tests.kinds.network.kernel.reference import Weights, activations, back, ints, quantised
from treewright.errors import ModelFileError, TreewrightError

SIZES = [(0, 3, 4), (1, 1, 1), (2, 16, 16), (5, 17, 33), (7, 31, 15), (13, 340, 50), (96, 64, 20), (200, 401, 49)]


def made(weights, activation="none"):
    return Dense(weights.rows, weights.scales, weights.bias, activation)


def best(layer, inputs):
    return layer.best(Rows(inputs), ints(range(len(inputs))), ints([layer.n_outputs]), [None])[0].tolist()


def activated(y, activation):
    return y if activation == "none" else np.where(y > 0, y, y * np.float32(0.1))


@pytest.mark.parametrize("activation", ["none", "leaky"])
@pytest.mark.parametrize(("n", "k", "outputs"), SIZES)
def test_results_are_exact(n, k, outputs, activation, path):
    rng = np.random.default_rng(n + k)
    weights, inputs = Weights(rng, outputs, k), activations(rng, n, k)
    layer, expected = made(weights, activation), activated(weights.product(inputs), activation)
    assert (layer.n_inputs, layer.n_outputs) == (k, outputs)
    assert (np.asarray(layer.scores(Rows(inputs))) == expected).all()
    assert (back(layer.apply(Rows(inputs))) == quantised(expected)).all()
    assert best(layer, inputs) == (expected.argmax(axis=1).tolist() if n else [])


def test_sums_of_512_extreme_products_do_not_overflow(path):
    weights = Weights(np.random.default_rng(0), 16, 512)
    weights.rows[:] = -128
    inputs = np.full((7, 512), -32767, dtype=np.int16)
    assert (np.asarray(made(weights).scores(Rows(inputs))) == weights.product(inputs)).all()


def test_a_wide_layer_is_exact_too(path):
    rng = np.random.default_rng(5)
    weights, inputs = Weights(rng, 20, 1024), activations(rng, 9, 1024, 32767)
    weights.rows //= 2
    assert (np.asarray(made(weights).scores(Rows(inputs))) == weights.product(inputs)).all()


def test_a_row_that_could_overflow_is_rejected():
    weights = Weights(np.random.default_rng(0), 3, 1024)
    weights.rows //= 2
    weights.rows[1] = 127
    with pytest.raises(ModelFileError, match=r"row 1 add up to 130048.*Halve the row"):
        made(weights)


def test_equal_scores_give_the_first(path):
    weights = Weights(np.random.default_rng(0), 40, 8)
    weights.rows[:], weights.scales[:], weights.bias[:] = 1, 1, 0
    assert best(made(weights), activations(np.random.default_rng(1), 5, 8)) == [0] * 5


def test_each_group_of_outputs_has_its_best_with_votes(path):
    rng = np.random.default_rng(4)
    weights, inputs = Weights(rng, 40, 8), activations(rng, 150, 8)
    layer, sizes = made(weights), [3, 1, 15, 21]
    which = rng.permutation(150)[:130].tolist()
    votes = [(0.5 + g, ints(rng.integers(-1, size, 130).tolist())) if g != 2 else None for g, size in enumerate(sizes)]
    scores = np.array(np.asarray(layer.scores(Rows(inputs)))[which, :40])
    expected = []
    for g, size in enumerate(sizes):
        own = scores[:, sum(sizes[:g]) : sum(sizes[:g]) + size]
        for row, vote in enumerate(votes[g][1] if votes[g] else ()):
            own[row, vote] += np.float32(votes[g][0]) if vote >= 0 else 0
        expected.append(own.argmax(axis=1).tolist())
    assert [found.tolist() for found in layer.best(Rows(inputs), ints(which), ints(sizes), votes)] == expected


@pytest.mark.parametrize(
    ("which", "groups", "votes", "message"),
    [
        ([0, 2], [4], [None], "row 2 is not one of 2"),
        ([0, 1], [3], [None], "groups of 3 outputs; there are 4"),
        ([0, 1], [4, 0], [None, None], "a group of 0 outputs"),
        ([0, 1], [4], [], "votes for 0 groups of outputs; there are 1"),
        ([0, 1], [4], [(1.0, [4, 0])], "a vote for output 4 of 4"),
        ([0, 1], [4], [(1.0, [0])], "1 votes for 2 rows"),
    ],
)
def test_bad_votes_are_rejected(which, groups, votes, message):
    layer = made(Weights(np.random.default_rng(0), 4, 3))
    given = [vote and (vote[0], ints(vote[1])) for vote in votes]
    with pytest.raises(TreewrightError, match=message):
        layer.best(Rows(np.zeros((2, 3), dtype=np.int16)), ints(which), ints(groups), given)


@pytest.mark.parametrize("value", [np.nan, np.inf, -2e6])
@pytest.mark.parametrize("name", ["scales", "bias"])
def test_numbers_that_are_none_are_rejected(name, value):
    weights = Weights(np.random.default_rng(0), 3, 4)
    getattr(weights, name)[2] = value
    with pytest.raises(ModelFileError, match=r"2 is .*, not a number from"):
        made(weights)


def test_bad_sizes_are_rejected():
    weights = Weights(np.random.default_rng(0), 3, 4)
    with pytest.raises(ModelFileError, match="2 scales, not 3"):
        Dense(weights.rows, weights.scales[:2], weights.bias)
    with pytest.raises(ModelFileError, match="2 biases, not 3"):
        Dense(weights.rows, weights.scales, weights.bias[:2])
    with pytest.raises(TreewrightError, match="'swish'; choose one of none, leaky"):
        made(weights, "swish")
    with pytest.raises(TreewrightError, match="rows of 4 numbers, not of 5"):
        made(weights).apply(Rows(np.ones((1, 5), np.int16)))
