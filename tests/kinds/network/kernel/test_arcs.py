from __future__ import annotations

import numpy as np
import pytest
from treewright.kinds.network.kernel.arcs import add_distances, arc_scores, log_softmax_rows
from treewright.kinds.network.kernel.paths import use_path
from treewright.kinds.network.kernel.rows import FloatRows, Rows

from tests.kinds.network.kernel.reference import activations, ints
from treewright.errors import TreewrightError
from treewright.kinds.network.inputs.distances import BEGINNINGS, N_KINDS, ROOT_KIND, kinds_of_distances

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


def test_all_paths_give_the_same_bits(path):
    def bits():
        scores = arc_scores(Rows(head), Rows(dep), ints(LENGTHS))
        log_softmax_rows(scores)
        return bytes(scores)

    head, dep = some_rows(5, 33)
    here = bits()
    use_path("portable")
    assert here == bits()


def test_no_sentences_have_no_scores():
    nothing = Rows(np.zeros((0, 4), np.int16))
    scores = arc_scores(nothing, nothing, ints([]))
    log_softmax_rows(scores)
    assert scores.tolist() == []
    assert scores.offsets.tolist() == [0]


def test_sizes_must_agree():
    with pytest.raises(TreewrightError, match="rows of 4 numbers, not of 5"):
        arc_scores(Rows(np.zeros((1, 4), np.int16)), Rows(np.zeros((1, 5), np.int16)), ints([1]))
    with pytest.raises(TreewrightError, match="2 words in all, but 1 rows"):
        arc_scores(*[Rows(np.zeros((1, 4), np.int16))] * 2, ints([2]))


def kind(dependent, head):
    """The kind of distance of an arc, from its definition."""
    far = abs(head - dependent)
    number = max(place for place, start in enumerate(BEGINNINGS, 1) if start <= far)
    return ROOT_KIND if head == 0 else ROOT_KIND + number if head > dependent else ROOT_KIND - number


def test_distances_add_what_the_dependent_prefers():
    head, dep = some_rows(9, 20)
    own = np.random.default_rng(9).normal(size=(sum(LENGTHS), N_KINDS)).astype(np.float32)
    scores = arc_scores(Rows(head), Rows(dep), ints(LENGTHS))
    before = [matrix.copy() for matrix in sentences(scores)]
    add_distances(scores, FloatRows(own), kinds_of_distances())
    at = 0
    for old, new in zip(before, sentences(scores), strict=True):
        for d in range(1, len(old)):
            for h in range(len(old)):
                assert new[d, h] == (old[d, h] if h == d else old[d, h] + own[at + d, kind(d, h)])
        at += len(old)


def test_distances_of_other_sizes_are_rejected():
    head, dep = some_rows(9, 20)
    scores, kinds = arc_scores(Rows(head), Rows(dep), ints(LENGTHS)), kinds_of_distances()
    for n, width in ((sum(LENGTHS) - 1, N_KINDS), (sum(LENGTHS), N_KINDS - 1)):
        with pytest.raises(TreewrightError, match="distances"):
            add_distances(scores, FloatRows(np.zeros((n, width), dtype=np.float32)), kinds)
    with pytest.raises(TreewrightError, match="kind 9"):
        add_distances(scores, FloatRows(np.zeros((sum(LENGTHS), N_KINDS), dtype=np.float32)), ints([0, 9, 7]))
