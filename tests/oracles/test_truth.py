"""Every oracle against exhaustive search: all trees of up to five words (Covington: four), every configuration."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path

import pytest
from treewright.systems.system import ORACLES, System

from tests.systems.cases import DYNAMIC, NONDETERMINISTIC, SYSTEMS, name_of
from treewright.oracles import comparison
from treewright.oracles.comparison import compare
from treewright.oracles.exhaustive import Search, all_trees, trees_for
from treewright.systems import make_system

STORED = Path(__file__).parents[2] / "experiments" / "results" / "oracles.json"


def longest(system: System) -> int:
    """The longest trees compared here: covington has millions of pairs of tree and configuration of five words."""
    return 4 if system.name.startswith(("covington", "swap", "non-mon")) or system.planes else 5


def longest_labelled(system: System) -> int:
    return 3 if system.projective else 2


def documented(system: System) -> dict[str, tuple[int, int]]:
    """The trees and configurations per oracle that are stored, and shown in the docs."""
    found = {}
    for cells in json.loads(STORED.read_text(encoding="utf-8"))["tables"][0]:
        if cells[:3] == [system.name, system.root, "yes" if system.single_root else "no"]:
            found[cells[3]] = (int(cells[4].replace(",", "")), int(cells[5].replace(",", "")))
    return found


@pytest.mark.parametrize("system", SYSTEMS, ids=name_of)
def test_every_answer_is_right(system):
    comparisons = compare(system, longest(system))
    assert {c.oracle: c.mismatches for c in comparisons} == {o: [] for o in ORACLES if o in system.oracles}
    if longest(system) == 5 or not system.projective:  # as the stored table
        assert {c.oracle: (c.trees, c.configurations) for c in comparisons} == documented(system)


def test_all_projective_trees_are_met():
    # Projective trees by number of words: one root (A006013), any number of them (A001764).
    assert [len(list(all_trees(n))) for n in range(1, 6)] == [1, 2, 7, 30, 143]
    assert [len(list(all_trees(n, single_root=False))) for n in range(1, 6)] == [1, 3, 12, 55, 273]
    assert len(list(all_trees(4, projective=False, single_root=False))) == 5**3


@pytest.mark.parametrize("oracle", ["static", "nondeterministic", "dynamic"])
def test_a_wrong_answer_is_noticed(oracle, monkeypatch):
    class Crooked(Search):
        """Takes the truth about the mirrored tree for the truth."""

        def losses_in_order(self, heads, labels=None, weights=None):
            mirrored = [self.n + 1 - head if head else 0 for head in reversed(heads)]
            return super().losses_in_order(mirrored, labels, weights)

    monkeypatch.setattr(comparison, "Search", Crooked)
    found = {c.oracle: c.mismatches for c in compare(make_system("arc-eager"), 3)}
    assert found[oracle]


@pytest.mark.parametrize("system", DYNAMIC, ids=name_of)
def test_a_wrong_relation_costs_exactly_one(system):
    checked = 0
    for n in range(1, longest_labelled(system) + 1):
        search = Search(system, n, relations=2)
        for heads in trees_for(system, n):
            for labels in product(range(2), repeat=n):
                losses = search.losses(heads, labels)
                for state, parse in search.parses.items():
                    parse.set_gold(heads, labels)
                    costs = {} if parse.terminal else parse.costs()
                    for (kind, relation), after in search.next[state].items():
                        right = None if relation is None else parse.gold_relation(kind)
                        expected = costs[kind] + (right is not None and right != relation)
                        assert losses[after] - losses[state] == expected
                        checked += 1
    assert checked > 200


def right_moves(parse, kind):
    """The labelled moves of a right kind; where a wrong arc may be replaced, its relation is free."""
    if parse.arc(kind) is None:
        return [(kind, None)]
    relation = parse.gold_relation(kind)
    replaced = relation is None and parse.system.name == "non-monotonic"
    return [(kind, any_relation) for any_relation in range(2)] if replaced else [(kind, relation)]


@pytest.mark.parametrize("system", NONDETERMINISTIC, ids=name_of)
def test_right_moves_carry_the_gold_relation(system):
    """With relations, what `correct` and `gold_relation` allow leads to the labelled gold tree."""
    n = longest_labelled(system)
    search = Search(system, n, relations=2)
    for heads in trees_for(system, n):
        for labels in product(range(2), repeat=n):
            losses = search.losses(heads, labels)
            for state, parse in search.parses.items():
                if losses[state] or parse.terminal:
                    continue
                parse.set_gold(heads, labels)
                right = {move for kind in parse.correct() for move in right_moves(parse, kind)}
                assert right == {move for move, after in search.next[state].items() if losses[after] == 0}
