"""Words that may not govern others change no cost: all small trees and graphs that obey, every choice of such words."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from treewright.systems.system import ORACLES, System

from tests.systems.cases import SYSTEMS, name_of
from treewright.oracles import comparison
from treewright.oracles.comparison import compare
from treewright.oracles.exhaustive import Search, all_trees, obeys, some_leaves
from treewright.oracles.graphs import compare_graphs
from treewright.systems import make_system
from treewright.systems.graphs import GRAPH_SYSTEMS

DOCS = Path(__file__).parents[2] / "docs" / "oracles.md"


def longest(system: System) -> int:
    return 3 if not system.projective or system.name.startswith("covington") else 4


@pytest.mark.parametrize("system", SYSTEMS, ids=name_of)
def test_every_answer_is_right(system: System) -> None:
    comparisons = compare(system, longest(system), leaves=True)
    assert {c.oracle: c.mismatches for c in comparisons} == {o: [] for o in ORACLES if o in system.oracles}
    if longest(system) == 4 and "dynamic" in system.oracles:
        dynamic = next(c for c in comparisons if c.oracle == "dynamic")
        single = "yes" if system.single_root else "no"
        counts = f"{dynamic.trees:,} | {dynamic.configurations:,} | 0"
        row = f"| {system.name} | {system.root} | {single} | dynamic | {counts} |"
        assert row in DOCS.read_text(encoding="utf-8").split("--leaves --words 4", 1)[1]


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


def test_leaves_leave_fewer_trees() -> None:
    search = Search(make_system("arc-eager"), 3, leaves=(1,))
    free = Search(make_system("arc-eager"), 3)
    assert len(search.parses) < len(free.parses)


def test_a_wrong_cost_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Crooked(Search):
        """Takes the truth about the mirrored tree for the truth."""

        def losses_in_order(self, heads: Sequence[int], *more: Sequence[int] | None) -> list[int]:
            return super().losses_in_order([self.n + 1 - head if head else 0 for head in reversed(heads)], *more)

    monkeypatch.setattr(comparison, "Search", Crooked)
    assert any(c.mismatches for c in compare(make_system("arc-eager"), 3, leaves=True))
