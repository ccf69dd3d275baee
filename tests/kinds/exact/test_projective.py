"""Projective trees with grandparents and siblings: bounds and the dynamic programme, compared with enumeration."""

from itertools import product

import numpy as np
import pytest
from treewright.kinds.exact.parts.part_scores import GivenParts
from treewright.kinds.exact.search.search import TreeSearch
from treewright.kinds.exact.search.spanning import reduced_scores

from tests.kinds.exact.enumeration import all_trees, is_projective, random_scores, random_siblings, score
from treewright.kinds.exact.programme.ppc import decode
from treewright.kinds.exact.search.k_best import ExactFinder, k_best_trees

KINDS = ("grandparents", "siblings", "both")
CASES = list(product((1, 2, 3, 4, 5), (False, True), range(3), (0.5, 2), KINDS))


def search_for(n, seed, weight, single, kind):
    arcs, parts = random_scores(n, seed, weight)
    siblings = random_siblings(n, seed, weight)
    parts, siblings = parts if kind != "siblings" else None, siblings if kind != "grandparents" else None
    search = TreeSearch(
        None if parts is None else GivenParts(parts), None if siblings is None else GivenParts(siblings, True), True
    )
    search.prepare(arcs, single)
    return search, arcs, parts, siblings


def projective_trees(n, single):
    return [tree for tree in all_trees(n, single) if is_projective(tree)]


@pytest.mark.parametrize(("n", "single", "seed", "weight", "kind"), CASES)
def test_every_method_finds_the_best_projective_tree(n, single, seed, weight, kind):
    _, *scores = search_for(n, seed, weight, single, kind)
    expected = max(score(tree, *scores) for tree in projective_trees(n, single))
    for method in ("bounds", "paper", "brute"):
        search = search_for(n, seed, weight, single, kind)[0]
        tree, certificate = decode(search, method)
        assert certificate.optimal
        assert certificate.gap == 0
        assert certificate.programmes == 0
        assert is_projective([0, *tree[1:]])
        assert score([0, *tree[1:]], *scores) == pytest.approx(expected, abs=1e-6)
        assert certificate.score == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(6))
def test_six_words_with_any_number_of_rounds(seed, kind):
    _, *scores = search_for(6, seed, 1.5, True, kind)
    expected = max(score(tree, *scores) for tree in projective_trees(6, True))
    for rounds in (0, 1, 100):
        search = search_for(6, seed, 1.5, True, kind)[0]
        search.tighten(rounds)
        assert search.certified or search.dynamic()
        assert search.lower == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("seed", range(3))
def test_columns_are_generated_in_the_dynamic_programme(seed):
    """Parts with good bounds are scored, others are not; the optimum is that of all parts."""
    found = {}
    for method in ("bounds", "paper", "brute"):
        found[method] = decode(search_for(10, seed, 0.3, True, "both")[0], method)[1]
        assert found[method].score == pytest.approx(found["bounds"].score, abs=1e-6)
    assert found["brute"].scored == found["brute"].parts
    assert max(found["bounds"].scored, found["paper"].scored) < found["brute"].scored / 2


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("single", [False, True])
def test_k_best_projective_trees(single, kind):
    search, arcs, *parts = search_for(4, 1, 1.5, single, kind)
    found = k_best_trees(arcs, 9, True, single, finder=ExactFinder(search, single))
    expected = sorted((score(tree, arcs, *parts) for tree in projective_trees(4, single)), reverse=True)[:9]
    assert [value for _, value in found] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("seed", range(5))
def test_reduced_scores_are_exact_for_projective_trees(seed, single):
    arcs = np.ascontiguousarray(random_scores(4, seed)[0])
    trees = [(score(tree, arcs), tree) for tree in projective_trees(4, single)]
    best = max(value for value, _ in trees)
    reduced = reduced_scores(arcs, single, True)
    for h in range(5):
        for m in range(1, 5):
            if h != m:
                with_arc = max(value for value, tree in trees if tree[m] == h)
                assert reduced[h][m] == pytest.approx(with_arc - best, abs=1e-9)


def test_no_room_for_a_chart_leaves_no_certificate():
    search = TreeSearch(GivenParts(random_scores(3, 1)[1]))
    search.prepare(random_scores(3, 1)[0])
    assert not search.dynamic()
