"""What costs mean for gold trees that a projective system cannot build."""

from __future__ import annotations

from pathlib import Path

import pytest
from treewright.systems.system import System

from tests.systems.cases import name_of
from treewright.oracles.exhaustive import Search, all_trees, is_projective
from treewright.oracles.nonprojective import Difference, measure
from treewright.systems import make_system, variants

DOCS = Path(__file__).parents[2] / "docs" / "oracles.md"
DECOMPOSABLE = [
    make_system(name, root=root, single_root=single_root)
    for name, root in variants()
    if name in ("arc-eager", "arc-hybrid", "covington-projective")
    for single_root in (True, False)
]


def documented(system: System) -> list[str]:
    """The figures that the table of the docs claims for trees of up to four words."""
    wanted = [system.name, system.root, "yes" if system.single_root else "no"]
    for line in DOCS.read_text(encoding="utf-8").split("nonprojective --words 4")[1].splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 11 and cells[:3] == wanted:
            return cells[3:]
    raise AssertionError(f"{wanted} is not in the table")


def shown(d: Difference) -> list[str]:
    return [
        f"{d.trees:,}",
        f"{d.configurations:,}",
        f"{d.inexact:,} ({100 * d.inexact / d.configurations:.1f} %)",
        f"{d.too_low:,}",
        f"{d.too_high:,}",
        f"{d.misled:,} ({100 * d.misled / d.configurations:.1f} %)",
        f"{d.best_loss / d.trees:.3f}",
        f"{d.followed_loss / d.trees:.3f}",
    ]


@pytest.mark.parametrize("system", DECOMPOSABLE, ids=name_of)
def test_counted_costs_are_never_too_low(system):
    found = measure(system, 4)
    assert found.too_low == 0
    assert found.too_high > 0
    assert shown(found) == documented(system)


def test_arc_standard_searches_and_does_not_count():
    single, several = (make_system("arc-standard", single_root=single_root) for single_root in (True, False))
    found = measure(single, 4)
    assert (found.inexact, found.followed_loss) == (0, found.best_loss)
    assert shown(found) == documented(single)
    assert shown(measure(several, 4)) == documented(several)


@pytest.mark.parametrize("system", DECOMPOSABLE, ids=name_of)
def test_a_move_that_costs_nothing_is_a_best_one(system):
    """So an oracle misleads only where every move loses a gold arc that could be built by itself."""
    for n in (3, 4):
        search = Search(system, n)
        for heads in all_trees(n, projective=False, single_root=system.single_root):
            losses = search.losses(heads)
            for state, parse in search.parses.items():
                counted = {} if parse.terminal else parse.set_gold(heads).costs()
                for (kind, _), after in search.next[state].items():
                    true = losses[after] - losses[state]
                    assert counted[kind] >= true
                    if is_projective(heads):
                        assert counted[kind] == true


def test_a_case_by_hand():
    """Words 1 … 4, heads 3 4 0 3: 4 → 2 crosses 3 → 1 and the root's arc, each of which could be built."""
    system = make_system("arc-eager")
    search = Search(system, 4)
    losses = search.losses([3, 4, 0, 3])
    (state,) = (s for s in search.parses if s[:2] == ((1, 2), (3, 4, 0)) and not s[-1])
    counted = search.parses[state].set_gold([3, 4, 0, 3]).costs()
    true = {kind: losses[after] - losses[state] for (kind, _), after in search.next[state].items()}
    assert losses[state] == 1
    assert counted == {"SHIFT": 1, "LEFT": 1, "RIGHT": 2}
    assert true == {"SHIFT": 1, "LEFT": 0, "RIGHT": 2}
