"""Siblings, alone and beside grandparents: every way to the optimum finds it, compared with enumeration."""

from itertools import product

import numpy as np
import pytest
from treewright.kinds.exact.parts.part_scores import GivenParts
from treewright.kinds.exact.search.propagation import propagate
from treewright.kinds.exact.search.search import TreeSearch

from tests.kinds.exact.enumeration import (
    all_trees,
    check_certificates,
    random_scores,
    random_siblings,
    score,
    sibling_parts,
)
from treewright.kinds.exact.programme.ppc import decode
from treewright.kinds.exact.search.k_best import ExactFinder, k_best_trees

CASES = list(product((1, 2, 3, 4, 5), (False, True), range(3), (0.5, 2), (False, True)))


def search_for(n, seed, weight, single, with_grandparents):
    arcs, parts = random_scores(n, seed, weight)
    siblings = random_siblings(n, seed, weight)
    search = TreeSearch(GivenParts(parts) if with_grandparents else None, GivenParts(siblings, True))
    search.prepare(arcs, single)
    return search, arcs, parts if with_grandparents else None, siblings


@pytest.mark.parametrize(("n", "single", "seed", "weight", "with_grandparents"), CASES)
def test_every_method_finds_the_optimum(n, single, seed, weight, with_grandparents):
    case = n, seed, weight, single, with_grandparents
    search, *scores = search_for(*case)
    expected = max(score(tree, *scores) for tree in all_trees(n, single))
    brute = decode(search_for(*case)[0], "brute")[1]
    paper = decode(search_for(*case)[0], "paper")[1]
    untightened = decode(search_for(*case)[0], "paper", tighten="none")[1]
    assert paper.objective == pytest.approx(brute.objective, abs=1e-6)
    assert untightened.objective == pytest.approx(brute.objective, abs=1e-6)
    assert brute.objective >= expected - 1e-6
    tree, exact = decode(search, exact=True)
    assert exact.score == pytest.approx(expected, abs=1e-6)
    assert score([0, *tree[1:]], *scores) == pytest.approx(expected, abs=1e-6)
    assert exact.optimal
    _, found = decode(search_for(*case)[0])
    assert expected - 1e-6 <= found.objective <= brute.objective + 1e-6
    assert brute.scored == brute.parts
    check_certificates((brute, paper, found), expected)


@pytest.mark.parametrize("seed", range(4))
def test_six_words_by_branch_and_bound(seed):
    search, *scores = search_for(6, seed, 1.5, True, True)
    search.solve(3)
    assert search.lower == pytest.approx(max(score(tree, *scores) for tree in all_trees(6, True)), abs=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_k_best_trees(seed):
    search, arcs, *parts = search_for(4, seed, 1.5, True, True)
    found = k_best_trees(arcs, 9, single_root=True, finder=ExactFinder(search, True))
    expected = sorted((score(tree, arcs, *parts) for tree in all_trees(4, True)), reverse=True)[:9]
    assert [value for _, value in found] == pytest.approx(expected, abs=1e-6)


def test_children_of_one_word_are_exact_in_belief_propagation():
    """Where only the root can have several children, the chain is the only factor besides the tree."""
    arcs, siblings = random_scores(4, 5)[0], random_siblings(4, 5)
    arcs[1:, 1:] = -30
    found, _, pairs = propagate(arcs, siblings=GivenParts(siblings, True), rounds=30)
    trees = list(all_trees(4))
    weights = np.exp([score(tree, arcs, None, siblings) for tree in trees])
    for h in range(5):
        for c in range(1, 5):
            expected = sum(weights[i] for i, tree in enumerate(trees) if tree[c] == h and h != c) / weights.sum()
            assert found[h * 5 + c] == pytest.approx(expected, abs=1e-4)
    for part, belief in pairs.items():
        expected = sum(weights[i] for i, tree in enumerate(trees) if part in {*sibling_parts(tree)}) / weights.sum()
        assert belief == pytest.approx(expected, abs=1e-3)


@pytest.mark.parametrize("seed", range(4))
def test_belief_propagation_is_near_the_truth(seed):
    arcs, siblings = random_scores(4, seed)[0], random_siblings(4, seed, 0.5)
    trees = list(all_trees(4))
    marginals, before = np.zeros((5, 5)), np.zeros((5, 5))
    for out, parts in ((marginals, siblings), (before, None)):
        weights = np.exp([score(tree, arcs, None, parts) for tree in trees])
        for tree, weight in zip(trees, weights, strict=True):
            for m in range(1, 5):
                out[tree[m], m] += weight / weights.sum()
    found = np.array(propagate(arcs, siblings=GivenParts(siblings, True), rounds=20)[0]).reshape(5, 5)
    assert np.abs(found - marginals)[:, 1:].sum() < np.abs(before - marginals)[:, 1:].sum()


def test_parts_of_sentences_of_different_lengths_are_rejected():
    arcs, parts = random_scores(4, 1)
    search = TreeSearch(GivenParts(parts), GivenParts(random_siblings(3, 1), True))
    with pytest.raises(ValueError, match="different lengths"):
        search.prepare(arcs)
    with pytest.raises(ValueError, match="different lengths"):
        propagate(arcs, siblings=GivenParts(random_siblings(3, 1), True))
    with pytest.raises(ValueError, match="grandparents come first"):
        TreeSearch(GivenParts(parts, True))
    with pytest.raises(ValueError, match="needs parts"):
        TreeSearch()
