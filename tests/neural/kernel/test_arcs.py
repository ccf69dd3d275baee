from __future__ import annotations

import numpy as np
import pytest

from tests.neural.kernel.reference import activations, ints
from treewright.errors import TreewrightError
from treewright.neural.kernel.arcs import arc_scores, log_softmax_rows, softmax_rows
from treewright.neural.kernel.paths import use_path
from treewright.neural.kernel.rows import Rows

LENGTHS = [3, 0, 1, 16, 17, 40]


def some_rows(seed, k, most=4096):
    rng = np.random.default_rng(seed)
    n = sum(LENGTHS)
    return activations(rng, n, k, most), activations(rng, n, k, most)


def sentences(scores):
    flat, at = np.asarray(scores), scores.offsets
    return [flat[at[s] : at[s + 1]].reshape(m, m) for s, m in enumerate(LENGTHS)]


@pytest.mark.parametrize("most", [300, 32767])
@pytest.mark.parametrize("k", [1, 16, 35])
def test_scores_are_exact_products(k, most, path):
    """With the large activations, the sums need more than 32 bits."""
    head, dep = some_rows(k, k, most)
    scores = arc_scores(Rows(head), Rows(dep), ints(LENGTHS))
    assert len(scores) == sum(m * m for m in LENGTHS)
    at = 0
    for got, m in zip(sentences(scores), LENGTHS, strict=True):
        exact = dep[at : at + m].astype(np.int64) @ head[at : at + m].astype(np.int64).T
        assert (got == exact.astype(np.float32) * np.float32(2.0**-22)).all()
        at += m
    assert [len(matrix) for matrix in scores.tolist()] == LENGTHS


def test_opposite_extremes_do_not_overflow_on_the_way(path):
    head, dep = np.full((2, 64), 32767, dtype=np.int16), np.full((2, 64), 32767, dtype=np.int16)
    dep[:, 32:] = -32767
    assert arc_scores(Rows(head), Rows(dep), ints([2])).tolist() == [[[0.0, 0.0], [0.0, 0.0]]]


def softmax(matrix):
    matrix = matrix.astype(np.float64).copy()
    np.fill_diagonal(matrix, -np.inf)
    powers = np.exp(matrix - matrix.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def test_softmax_leaves_out_the_word_itself(path):
    head, dep = some_rows(3, 20)
    scores = arc_scores(Rows(head), Rows(dep), ints(LENGTHS))
    before = [matrix.copy() for matrix in sentences(scores)]
    softmax_rows(scores)
    for matrix, got, m in zip(before, sentences(scores), LENGTHS, strict=True):
        assert (np.diag(got) == 0).all()
        if m > 1:
            assert np.abs(got - softmax(matrix)).max() < 1e-6


def test_log_softmax_agrees(path):
    head, dep = some_rows(4, 20, 8000)
    scores = arc_scores(Rows(head), Rows(dep), ints(LENGTHS))
    before = [matrix.copy() for matrix in sentences(scores)]
    log_softmax_rows(scores)
    for matrix, got, m in zip(before, sentences(scores), LENGTHS, strict=True):
        assert (np.diag(got) == -np.inf).all()
        if m > 1:
            off = ~np.eye(m, dtype=bool)
            likely = off & (softmax(matrix) > 1e-30)
            assert np.abs(got[likely] - np.log(softmax(matrix)[likely])).max() < 1e-4
            assert np.isfinite(got[off]).all()


@pytest.mark.parametrize("normalise", [softmax_rows, log_softmax_rows])
def test_all_paths_give_the_same_bits(normalise, path):
    def bits():
        scores = arc_scores(Rows(head), Rows(dep), ints(LENGTHS))
        normalise(scores)
        return bytes(scores)

    head, dep = some_rows(5, 33)
    here = bits()
    use_path("portable")
    assert here == bits()


def test_no_sentences_have_no_scores():
    nothing = Rows.from_lists([], 4)
    scores = arc_scores(nothing, nothing, ints([]))
    softmax_rows(scores)
    assert scores.tolist() == []
    assert scores.offsets.tolist() == [0]


def test_sizes_must_agree():
    with pytest.raises(TreewrightError, match="rows of 4 numbers, not of 5"):
        arc_scores(Rows.from_lists([[0] * 4], 4), Rows.from_lists([[0] * 5], 5), ints([1]))
    with pytest.raises(TreewrightError, match="2 words in all, but 1 rows"):
        arc_scores(Rows.from_lists([[0] * 4], 4), Rows.from_lists([[0] * 4], 4), ints([2]))
