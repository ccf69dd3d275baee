"""Words that may not govern others change no cost: all small trees and graphs that obey, every choice of such words."""

from __future__ import annotations

import pytest

from tests.systems.cases import SYSTEMS, name_of
from treewright.oracles.comparison import compare
from treewright.oracles.exhaustive import Search, all_trees, obeys, some_leaves
from treewright.oracles.graphs import compare_graphs
from treewright.systems import make_system
from treewright.systems.graphs import GRAPH_SYSTEMS
from treewright.systems.system import System


def longest(system: System) -> int:
    return 3 if system.name.startswith("covington") else 4


@pytest.mark.parametrize("system", SYSTEMS, ids=name_of)
def test_every_answer_is_right(system: System) -> None:
    comparisons = compare(system, longest(system), leaves=True)
    assert {c.oracle: c.mismatches for c in comparisons} == {o: [] for o in system.oracles}
    assert all(c.trees >= 15 for c in comparisons)


@pytest.mark.parametrize("name", GRAPH_SYSTEMS)
def test_every_answer_about_graphs_is_right(name: str) -> None:
    for proof in compare_graphs(name, 3, leaves=True):
        assert proof.mismatches == []
        assert proof.graphs > 100


@pytest.mark.parametrize("system", SYSTEMS, ids=name_of)
def test_no_way_leads_nowhere_or_to_an_arc_from_a_leaf(system: System) -> None:
    for leaves in some_leaves(4 if system.projective else 3):
        n = 4 if system.projective else 3
        search = Search(system, n, leaves=leaves)
        for state, parse in search.parses.items():
            assert parse.terminal or search.next[state]
            heads = [parse.arcs.get(word, (-1, 0))[0] for word in range(1, n + 1)]
            assert not set(heads) & set(leaves)
            roots = [word for word, head in enumerate(heads, 1) if head == 0]
            assert not system.single_root or len(roots) <= 1
            assert not system.single_root or not set(roots) & set(leaves)
            # Whoever completes the tree afterwards finds a root word.
            assert roots or any(head == -1 and word not in leaves for word, head in enumerate(heads, 1))


def test_trees_that_obey() -> None:
    trees = list(all_trees(3))
    assert [heads for heads in trees if obeys(heads, (1, 3), True)] == [[2, 0, 2]]
    assert obeys([0, 1, 0], (3,), False)
    assert not obeys([0, 1, 3], (3,), False)
    assert not obeys([2, 0, 0], (3,), True)
    assert len(list(some_leaves(3))) == 6


def test_a_wrong_cost_is_noticed() -> None:
    # Without the flags in the search, moves that leaves bar are missing in one of the two.
    search = Search(make_system("arc-eager"), 3, leaves=(1,))
    free = Search(make_system("arc-eager"), 3)
    assert len(search.parses) < len(free.parses)
