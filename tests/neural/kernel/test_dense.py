from __future__ import annotations

import numpy as np
import pytest

from tests.neural.kernel.reference import Weights, activations, back, ints, quantised
from treewright.errors import ModelFileError, TreewrightError
from treewright.neural.kernel.dense import Dense
from treewright.neural.kernel.rows import Rows

SIZES = [(0, 3, 4), (1, 1, 1), (2, 16, 16), (5, 17, 33), (7, 31, 15), (13, 340, 50), (96, 64, 20), (200, 401, 49)]


def made(weights, activation="none"):
    return Dense(weights.rows, weights.scales, weights.bias, activation)


def activated(y, activation):
    return {"none": y, "relu": np.maximum(y, 0), "leaky": np.where(y > 0, y, y * np.float32(0.1))}[activation]


@pytest.mark.parametrize("activation", ["none", "relu", "leaky"])
@pytest.mark.parametrize(("n", "k", "outputs"), SIZES)
def test_results_are_exact(n, k, outputs, activation, path):
    rng = np.random.default_rng(n + k)
    weights, inputs = Weights(rng, outputs, k), activations(rng, n, k)
    layer, expected = made(weights, activation), activated(weights.product(inputs), activation)
    assert (layer.n_inputs, layer.n_outputs) == (k, outputs)
    assert (np.asarray(layer.scores(Rows(inputs))) == expected).all()
    assert (back(layer.apply(Rows(inputs))) == quantised(expected)).all()
    assert layer.best(Rows(inputs)).tolist() == (expected.argmax(axis=1).tolist() if n else [])


@pytest.mark.parametrize(("n", "k", "outputs"), SIZES)
def test_tanh_is_close(n, k, outputs, path):
    rng = np.random.default_rng(n + k)
    weights, inputs = Weights(rng, outputs, k), activations(rng, n, k)
    expected = np.tanh(inputs / 2048 @ weights.floats().T + weights.bias)
    assert np.abs(np.asarray(made(weights, "tanh").scores(Rows(inputs))) - expected).max(initial=0) < 5e-6
    assert np.abs(back(made(weights, "tanh").apply(Rows(inputs))) / 2048 - expected).max(initial=0) < 0.51 / 2048


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
    assert made(weights).best(Rows(activations(np.random.default_rng(1), 5, 8))).tolist() == [0] * 5


def test_votes_add_to_scores(path):
    rng = np.random.default_rng(4)
    weights, inputs = Weights(rng, 21, 8), activations(rng, 30, 8)
    layer, votes = made(weights), ints(rng.integers(-1, 21, 30).tolist())
    scores = np.array(np.asarray(layer.scores(Rows(inputs)))[:, :21])
    for row, vote in enumerate(votes):
        scores[row, vote] += np.float32(1.5) if vote >= 0 else 0
    assert layer.best(Rows(inputs), votes, 1.5).tolist() == scores.argmax(axis=1).tolist()
    for bad, message in ((ints([21] * 30), "output 21"), (ints([0]), "1 votes for 30 rows")):
        with pytest.raises(TreewrightError, match=message):
            layer.best(Rows(inputs), bad, 1.0)


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
    with pytest.raises(TreewrightError, match="'swish'; choose one of none, relu"):
        made(weights, "swish")
    with pytest.raises(TreewrightError, match="rows of 4 numbers, not of 5"):
        made(weights).apply(Rows.from_lists([[1] * 5], 5))
