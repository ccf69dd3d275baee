"""Second order: all ways to the optimum find it, by enumeration and by one another."""

import numpy as np
import pytest
from treewright.kinds.exact.parts.part_scores import GivenParts
from treewright.kinds.exact.programme.pricing import Pricing
from treewright.kinds.exact.search.propagation import propagate
from treewright.kinds.exact.search.search import TreeSearch

from tests.kinds.exact.enumeration import all_trees, check_certificates, random_scores, score
from treewright.kinds.exact.programme.ppc import ALL, decode
from treewright.kinds.exact.programme.programme import CONSTRAINTS, Programme, ProgrammeTooLongError
from treewright.kinds.exact.search.k_best import ExactFinder, k_best_trees

CASES = [(n, single, seed, w) for n in (2, 3, 4, 5) for single in (False, True) for seed in range(3) for w in (0.5, 2)]


def search_for(n, seed, weight, single):
    arcs, parts = random_scores(n, seed, weight)
    search = TreeSearch(GivenParts(parts))
    search.prepare(arcs, single)
    return search, arcs, parts


@pytest.mark.parametrize(("n", "single", "seed", "weight"), CASES)
def test_every_method_finds_the_optimum(n, single, seed, weight):
    search, arcs, parts = search_for(n, seed, weight, single)
    expected = max(score(tree, arcs, parts) for tree in all_trees(n, single))
    brute = decode(search_for(n, seed, weight, single)[0], "brute")[1]
    paper = decode(search_for(n, seed, weight, single)[0], "paper")[1]
    assert paper.objective == pytest.approx(brute.objective, abs=1e-6)
    assert brute.objective >= expected - 1e-6
    tree, exact = decode(search, exact=True)
    assert exact.score == pytest.approx(expected, abs=1e-6)
    assert score([0, *tree[1:]], arcs, parts) == pytest.approx(expected, abs=1e-6)
    assert exact.optimal
    tree, found = decode(search_for(n, seed, weight, single)[0])
    assert expected - 1e-6 <= found.objective <= brute.objective + 1e-6
    check_certificates((brute, paper, found), expected)


@pytest.mark.parametrize("seed", range(6))
def test_six_words_by_branch_and_bound(seed):
    search, arcs, parts = search_for(6, seed, 1.5, True)
    expected = max(score(tree, arcs, parts) for tree in all_trees(6, True))
    search.solve(3)
    assert search.lower == pytest.approx(expected, abs=1e-6)
    assert score([0, *search.tree()[1:]], arcs, parts) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("constraints", [("ArcGP", "GPArc"), ("OneGP", "NoGP"), ("ArcGP", "GPArc", "OneGP", "NoGP")])
def test_constraint_sets_can_be_switched(constraints):
    full = decode(search_for(5, 1, 2, False)[0], "brute")[1]
    part = decode(search_for(5, 1, 2, False)[0], "brute", constraints=constraints)[1]
    assert part.objective >= full.objective - 1e-6


SUBSETS = [
    ("OneGP",),
    ("ArcGP",),
    ("OneGP", "ArcGP"),
    ("OneGP", "GPArc"),
    ("ArcGP", "GPArc"),
    ("OneGP", "NoGP"),
    ("ArcGP", "GPArc", "OneGP", "NoGP"),
]


@pytest.mark.parametrize("constraints", SUBSETS)
@pytest.mark.parametrize("seed", range(3))
def test_pricing_loses_nothing_whatever_the_constraints(constraints, seed):
    brute = decode(search_for(5, seed, 2, True)[0], "brute", constraints=constraints)[1]
    paper = decode(search_for(5, seed, 2, True)[0], "paper", constraints=constraints)[1]
    assert paper.objective == pytest.approx(brute.objective, abs=1e-6)


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_k_best_trees_with_grandparents(seed, single):
    search, arcs, parts = search_for(4, seed, 1.5, single)
    found = k_best_trees(arcs, 9, single_root=single, finder=ExactFinder(search, single))
    expected = sorted((score(tree, arcs, parts) for tree in all_trees(4, single)), reverse=True)[:9]
    assert [value for _, value in found] == pytest.approx(expected, abs=1e-6)
    assert [score([0, *tree[1:]], arcs, parts) for tree, _ in found] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("left", [0, 1, 5000])
def test_the_k_best_trees_are_no_longer_proven_after_too_much_work(left):
    search, arcs, parts = search_for(12, 3, 4, True)  # strong parts: bounds are far from trees
    finder = ExactFinder(search, True)
    finder.left = left
    found = k_best_trees(arcs, 5, single_root=True, finder=finder)
    assert not finder.is_proven
    assert finder.left <= 0
    assert len({tuple(tree) for tree, _ in found}) == 5
    for tree, value in found:
        assert value == pytest.approx(score([0, *tree[1:]], arcs, parts), abs=1e-6)


def test_fewer_parts_are_scored_than_there_are():
    search, _, _ = search_for(12, 3, 0.2, True)
    decode(search)
    assert 0 < search.scored < 12 * 11 * 11 / 2


def exact_marginals(n, arcs, parts):
    trees = list(all_trees(n))
    weights = np.exp([score(tree, arcs, parts) for tree in trees])
    marginals = np.zeros((n + 1, n + 1))
    for tree, weight in zip(trees, weights, strict=True):
        for m in range(1, n + 1):
            marginals[tree[m], m] += weight / weights.sum()
    return marginals


def test_propagation_is_exact_without_parts_and_near_with_them():
    arcs, parts = random_scores(4, 5, 0.3)
    found, _, _ = propagate(arcs)
    assert np.array(found).reshape(5, 5)[:, 1:] == pytest.approx(exact_marginals(4, arcs, 0 * parts)[:, 1:], abs=1e-9)
    found, beliefs, _ = propagate(arcs, GivenParts(parts), rounds=20)
    expected = exact_marginals(4, arcs, parts)
    before = exact_marginals(4, arcs, 0 * parts)
    off = np.abs(np.array(found).reshape(5, 5) - expected)[:, 1:]
    assert off.max() < 0.1
    assert off.sum() < np.abs(before - expected)[:, 1:].sum()
    assert all(0 <= belief <= 1 for belief in beliefs.values())


def test_a_programme_that_takes_too_long_is_given_up():
    """By a count of iterations: the same on any machine."""
    with pytest.raises(ProgrammeTooLongError):
        decode(search_for(12, 3, 2, True)[0], "brute", limit=10)
    assert decode(search_for(12, 3, 2, True)[0], "brute", limit=10_000)[1].programmes == 1


def test_the_rows_of_brute_force_are_those_that_the_page_says():
    """Five words, 80 parts: half of GPArc is implied by OneGP and left out; alone with ArcGP, all of it is there."""
    rows = {}
    for constraints in (ALL, ("ArcGP", "GPArc"), CONSTRAINTS):
        search = search_for(5, 1, 2, False)[0]
        pricing = Pricing(search, search.families[0])
        programme = Programme(search, [pricing], constraints, "flow", implied=True)
        programme.families[0].add(pricing.all_parts())
        rows[constraints] = programme.n_rows
    tree = 5 + 1 + 5 + 25  # OneHead, Source, Consume, NoFlow
    assert rows == {ALL: tree + 20 + 80 + 80, ("ArcGP", "GPArc"): tree + 80 + 160, CONSTRAINTS: rows[ALL] + 25}
