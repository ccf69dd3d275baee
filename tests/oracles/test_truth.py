"""Every oracle against exhaustive search: all trees of up to five words (Covington: four), every configuration."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest
from treewright.systems.system import ORACLES, System

from tests.systems.cases import DYNAMIC, NONDETERMINISTIC, SYSTEMS, name_of
from treewright.oracles import comparison
from treewright.oracles.comparison import compare
from treewright.oracles.exhaustive import Search, all_trees
from treewright.systems import make_system

DOCS = Path(__file__).parents[2] / "docs" / "oracles.md"


def longest(system: System) -> int:
    """The longest trees compared here: covington has millions of pairs of tree and configuration of five words."""
    return 4 if system.name.startswith("covington") or system.name.startswith("swap") else 5


def longest_labelled(system: System) -> int:
    return 3 if system.projective else 2


def documented(system: System) -> dict[str, tuple[int, int]]:
    """The trees and configurations per oracle that the tables in the docs claim."""
    found = {}
    command = f"python -m treewright.oracles --words {longest(system)}"
    for line in DOCS.read_text(encoding="utf-8").split(command, 1)[1].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        wanted = [system.name, system.root, "yes" if system.single_root else "no"]
        if len(cells) == 7 and cells[:3] == wanted and cells[3] not in found:
            found[cells[3]] = (int(cells[4].replace(",", "")), int(cells[5].replace(",", "")))
    return found


@pytest.mark.parametrize("system", SYSTEMS, ids=name_of)
def test_every_answer_is_right(system):
    comparisons = compare(system, longest(system))
    assert {c.oracle: c.mismatches for c in comparisons} == {o: [] for o in ORACLES if o in system.oracles}
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
        for heads in all_trees(n, projective=system.projective, single_root=system.single_root):
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


@pytest.mark.parametrize("system", NONDETERMINISTIC, ids=name_of)
def test_right_moves_carry_the_gold_relation(system):
    """With relations, what `correct` and `gold_relation` allow leads to the labelled gold tree."""
    n = longest_labelled(system)
    search = Search(system, n, relations=2)
    for heads in all_trees(n, projective=system.projective, single_root=system.single_root):
        for labels in product(range(2), repeat=n):
            losses = search.losses(heads, labels)
            for state, parse in search.parses.items():
                if losses[state] or parse.terminal:
                    continue
                parse.set_gold(heads, labels)
                right = {(kind, parse.gold_relation(kind) if parse.arc(kind) else None) for kind in parse.correct()}
                assert right == {move for move, after in search.next[state].items() if losses[after] == 0}
