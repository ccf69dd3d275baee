from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from treewright.kinds.network.kernel.bilstm import BiLstm
from treewright.kinds.network.kernel.paths import use_path
from treewright.kinds.network.kernel.rows import Rows

from tests.kinds.network.kernel.reference import Weights, activations, back, ints, lstm
from treewright.errors import ModelFileError, TreewrightError


def layer_of(rng, hidden, k):
    inputs, recurrent = Weights(rng, 8 * hidden, k), Weights(rng, 8 * hidden, hidden)
    layer = BiLstm(inputs.rows, inputs.scales, recurrent.rows, recurrent.scales, inputs.bias)
    return layer, inputs, recurrent


def expected(x, inputs, recurrent, lengths):
    wx, wh, bias = inputs.floats(), recurrent.floats(), inputs.bias.astype(np.float64)
    half, out, at = len(wx) // 2, [], 0
    for length in lengths:
        words = x[at : at + length] / 2048
        forward = lstm(words, wx[:half], wh[:half], bias[:half])
        backward = lstm(words[::-1], wx[half:], wh[half:], bias[half:])[::-1]
        out.append(np.hstack([forward, backward]))
        at += length
    return np.vstack(out)


@pytest.mark.parametrize("hidden", [1, 7, 16, 33])
@pytest.mark.parametrize("lengths", [[1], [5, 0, 1, 9, 5], [0, 0, 30], list(range(14))])
def test_outputs_are_close_to_those_of_floats(hidden, lengths, path):
    rng = np.random.default_rng(hidden + len(lengths))
    layer, inputs, recurrent = layer_of(rng, hidden, 21)
    x = activations(rng, sum(lengths), 21)
    got = back(layer.apply(Rows(x), ints(lengths)))
    assert got.shape == (sum(lengths), 2 * hidden)
    assert np.abs(got / 2048 - expected(x, inputs, recurrent, lengths)).max() < 2e-3


@pytest.mark.parametrize("different", [3, 400])
@pytest.mark.parametrize("n_beside", [1, 5, 20])
def test_inputs_beside_others_are_as_good_as_others(n_beside, different, path):
    """Whether the other inputs recur or not."""
    rng, hidden, lengths = np.random.default_rng(n_beside), 19, [40, 1, 0, 25, 9, *[6] * 30]
    inputs, recurrent = Weights(rng, 8 * hidden, 21), Weights(rng, 8 * hidden, hidden)
    layer = BiLstm(inputs.rows, inputs.scales, recurrent.rows, recurrent.scales, inputs.bias, n_beside)
    assert (layer.n_inputs, layer.n_beside) == (21 - n_beside, n_beside)
    own = activations(rng, different, 21 - n_beside)[rng.integers(0, different, sum(lengths))]
    more = activations(rng, sum(lengths), n_beside)
    got = back(layer.apply(Rows(own), ints(lengths), Rows(more)))
    assert np.abs(got / 2048 - expected(np.hstack([own, more]), inputs, recurrent, lengths)).max() < 2e-3
    at = 0
    for length in lengths:
        some = slice(at, at + length)
        alone = back(layer.apply(Rows(own[some]), ints([length]), Rows(more[some])))
        assert (alone == got[some]).all()
        at += length
    for wrong in (None, Rows(more[1:]), Rows(np.hstack([more, more]))):
        with pytest.raises(TreewrightError, match="beside others"):
            layer.apply(Rows(own), ints(lengths), wrong)
    with pytest.raises(ModelFileError, match="beside others"):
        BiLstm(inputs.rows, inputs.scales, recurrent.rows, recurrent.scales, inputs.bias, 21)


@pytest.mark.parametrize("lengths", [[], [0], [0, 0, 0]])
def test_no_words_give_no_rows(lengths):
    layer, _, _ = layer_of(np.random.default_rng(0), 4, 6)
    assert layer.apply(Rows(np.zeros((0, 6), np.int16)), ints(lengths)).shape == (0, 8)


def a_batch(n_sentences, hidden=40, k=50):
    rng = np.random.default_rng(n_sentences)
    lengths = rng.integers(0, 30, n_sentences).tolist()
    layer, _, _ = layer_of(rng, hidden, k)
    return layer, activations(rng, sum(lengths), k), lengths


def in_batches(layer, x, lengths, size):
    """Apply the layer to some sentences at a time."""
    out, at = [], 0
    for first in range(0, len(lengths), size):
        some = lengths[first : first + size]
        out.append(back(layer.apply(Rows(x[at : at + sum(some)]), ints(some))).copy())
        at += sum(some)
    return np.vstack(out)


def test_batches_of_any_size_give_the_same_bits(path):
    layer, x, lengths = a_batch(130)
    whole = in_batches(layer, x, lengths, 130)
    for size in (1, 7, 64):
        assert (in_batches(layer, x, lengths, size) == whole).all()


def test_groups_of_many_words_give_the_same_bits():
    rng = np.random.default_rng(8)
    lengths = [900, 2500, 3, 1200, 700, 1]
    layer, _, _ = layer_of(rng, 5, 8)
    x = activations(rng, sum(lengths), 8)
    assert (in_batches(layer, x, lengths, 6) == in_batches(layer, x, lengths, 1)).all()


def test_all_paths_give_the_same_bits(path):
    layer, x, lengths = a_batch(40, hidden=37, k=51)
    got = in_batches(layer, x, lengths, 40)
    use_path("portable")
    assert (got == in_batches(layer, x, lengths, 40)).all()


def test_threads_share_a_layer():
    layer, x, lengths = a_batch(60)
    whole = in_batches(layer, x, lengths, 60)
    with ThreadPoolExecutor(4) as pool:
        for got in pool.map(lambda size: in_batches(layer, x, lengths, size), [5, 9, 13, 60] * 3):
            assert (got == whole).all()


def test_bad_weights_are_rejected():
    inputs, recurrent = Weights(np.random.default_rng(0), 16, 3), Weights(np.random.default_rng(0), 16, 2)
    bias = inputs.bias
    with pytest.raises(ModelFileError, match="2 units a direction has 8 times as many rows of weights, not 15 and 16"):
        BiLstm(inputs.rows[:15], inputs.scales[:15], recurrent.rows, recurrent.scales, bias)
    with pytest.raises(ModelFileError, match="15 scales, not 16"):
        BiLstm(inputs.rows, inputs.scales, recurrent.rows, recurrent.scales[:15], bias)


def test_lengths_must_fit_the_rows():
    layer, _, _ = layer_of(np.random.default_rng(0), 4, 6)
    rows = Rows(activations(np.random.default_rng(1), 5, 6))
    with pytest.raises(TreewrightError, match="4 words in all, but 5 rows"):
        layer.apply(rows, ints([1, 3]))
    with pytest.raises(TreewrightError, match="sentence 1 has the length -1"):
        layer.apply(rows, ints([6, -1]))
    with pytest.raises(TreewrightError, match="rows of 6 numbers, not of 5"):
        layer.apply(Rows(activations(np.random.default_rng(1), 5, 5)), ints([5]))


def test_words_that_come_again_give_the_same_bits_as_by_themselves(path):
    rng = np.random.default_rng(12)
    layer, inputs, recurrent = layer_of(rng, 20, 10)
    lengths = [9, 30, 0, 12, 12, 1]
    x = activations(rng, 5, 10)[rng.integers(0, 5, sum(lengths))]
    whole = in_batches(layer, x, lengths, 6)
    assert (in_batches(layer, x, lengths, 1) == whole).all()
    assert np.abs(whole / 2048 - expected(x, inputs, recurrent, lengths)).max() < 2e-3
