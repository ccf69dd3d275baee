"""First order: best trees, k best trees and marginals equal those of enumeration."""

import numpy as np
import pytest
from treewright.kinds.exact.search.marginals import tree_marginals
from treewright.kinds.exact.search.spanning import best_tree, reduced_scores

from tests.kinds.exact.enumeration import all_trees, is_projective, is_tree, random_scores, score
from treewright.kinds.exact.search.k_best import k_best_trees

CASES = [(n, single, seed) for n in (1, 2, 3, 4, 5) for single in (False, True) for seed in range(4)]


@pytest.mark.parametrize(("n", "single", "seed"), CASES)
def test_best_trees(n, single, seed):
    arcs, _ = random_scores(n, seed)
    trees = list(all_trees(n, single))
    heads, total = best_tree(arcs, False, single)
    assert total == pytest.approx(max(score(tree, arcs) for tree in trees))
    assert tuple(heads[1:]) in {tree[1:] for tree in trees}
    heads, total = best_tree(arcs, True, single)
    projective = [tree for tree in trees if is_projective(tree)]
    assert total == pytest.approx(max(score(tree, arcs) for tree in projective))
    assert tuple(heads[1:]) in {tree[1:] for tree in projective}


@pytest.mark.parametrize(("n", "single", "seed"), CASES)
def test_reduced_scores_bound_the_trees_with_an_arc(n, single, seed):
    arcs, _ = random_scores(n, seed)
    reduced = reduced_scores(arcs, single)
    best = best_tree(arcs, False, single)[1]
    for tree in all_trees(n, single):
        for m in range(1, n + 1):
            assert score(tree, arcs) <= best + reduced[tree[m]][m] + 1e-6


@pytest.mark.parametrize("projective", [False, True])
@pytest.mark.parametrize(("n", "single", "seed"), CASES)
def test_k_best_trees(n, single, seed, projective):
    arcs, _ = random_scores(n, seed)
    trees = [tree for tree in all_trees(n, single) if not projective or is_projective(tree)]
    expected = sorted((score(tree, arcs) for tree in trees), reverse=True)[:7]
    found = k_best_trees(arcs, 7, projective, single)
    assert [total for _, total in found] == pytest.approx(expected)
    assert len({tuple(heads) for heads, _ in found}) == len(found)


@pytest.mark.parametrize(("n", "single", "seed"), CASES)
def test_marginals(n, single, seed):
    arcs, _ = random_scores(n, seed)
    trees = list(all_trees(n, single))
    weights = np.exp([score(tree, arcs) for tree in trees])
    expected = np.zeros((n + 1, n + 1))
    for tree, weight in zip(trees, weights, strict=True):
        for m in range(1, n + 1):
            expected[tree[m], m] += weight / weights.sum()
    found, log_z = tree_marginals(arcs, single)
    assert log_z == pytest.approx(np.log(weights.sum()))
    assert np.array(found).reshape(n + 1, n + 1)[:, 1:] == pytest.approx(expected[:, 1:], abs=1e-9)


def test_marginals_of_long_certain_sentences_stay_probabilities():
    rng = np.random.default_rng(1)
    arcs = rng.normal(0, 60, (61, 61))
    found, log_z = tree_marginals(arcs, True)
    columns = np.array(found).reshape(61, 61)[:, 1:].sum(axis=0)
    assert np.isfinite(log_z)
    assert columns == pytest.approx(np.ones(60))


def test_a_tree_is_told_from_a_cycle():
    assert is_tree((0, 0, 1))
    assert not is_tree((0, 2, 1))
