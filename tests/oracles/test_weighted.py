"""Costs with weights of arcs: compared with exhaustive search."""

from __future__ import annotations

from pathlib import Path

import pytest
from treewright.systems.system import Parse
from treewright.systems.weighted_gold import ADDITIVE, WeightedGold

from treewright.errors import CombinationError
from treewright.oracles.__main__ import main
from treewright.oracles.comparison import all_systems
from treewright.oracles.weighted import compare_weighted
from treewright.systems import make_system

SYSTEMS = [system for system in all_systems() if system.name in ADDITIVE]


@pytest.mark.parametrize("system", SYSTEMS, ids=repr)
def test_weighted_costs_are_exact(system):
    trees, configurations, mismatches = compare_weighted(system, 3)
    assert mismatches == []
    single = "yes" if system.single_root else "no"
    row = f"| {system.name} | {system.root} | {single} | {trees:,} | {configurations:,} | 0 |"
    assert row in (Path(__file__).parents[2] / "docs" / "oracles.md").read_text("utf-8")


def test_the_comparison_notices_systems_whose_costs_do_not_add_up():
    """Arc-standard is not arc-decomposable: levels of weights are not enough there."""
    assert compare_weighted(make_system("arc-standard"), 3)[2]


def test_the_command_prints_a_table(capsys):
    assert main(["weighted", "--words", "1"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2 + len(SYSTEMS)
    assert all(line.endswith("| 0 |") for line in lines[2:])


def test_equal_weights_multiply_the_costs():
    parse = Parse(make_system("arc-eager"), 4, [2, 0, 2, 3]).apply("SHIFT")
    assert WeightedGold([7]).costs_in(parse) == {kind: 7 * cost for kind, cost in parse.costs().items()}
    assert set(WeightedGold([0]).costs_in(parse).values()) == {0}


def test_weights_out_of_range_are_refused():
    for weights in ([-1], [1001]):
        with pytest.raises(CombinationError, match="from 0 to 1000"):
            WeightedGold(weights)
