"""Costs where rules hold, compared with exhaustive search over small trees and random rules."""

from __future__ import annotations

import random

import pytest
from treewright.systems.rules.live_gold import LiveGold
from treewright.systems.rules.table import RuleTable
from treewright.systems.system import Parse, System

from tests.systems.cases import DYNAMIC, name_of
from treewright.oracles.rules import RELATIONS, PlainRules, compare_ruled, is_ruled, random_rules
from treewright.systems import make_system
from treewright.systems.rules.rule import CHAIN, PAIR, Rule

RULED = [system for system in DYNAMIC if is_ruled(system)]


@pytest.mark.parametrize("system", RULED, ids=name_of)
def test_what_may_be_and_what_it_costs(system: System) -> None:
    trees, configurations, mismatches = compare_ruled(system, 2, 12)
    assert mismatches == []
    assert trees > 30
    assert configurations > 100


@pytest.mark.slow
@pytest.mark.parametrize("system", RULED, ids=name_of)
def test_longer_sentences(system: System) -> None:
    assert compare_ruled(system, 3, 3, seed=7)[2] == []


def test_a_second_subject_loses_the_gold_one() -> None:
    rules = [Rule(PAIR, "r1", ("r1",), 0, 1)]
    table = RuleTable(rules, RELATIONS)
    parse = Parse(make_system("arc-eager"), 3, [2, 0, 2], [0, 0, 1])
    parse.apply("SHIFT")
    left = LiveGold().judge(parse, table, [0, 0, 0])["LEFT"]
    assert left == {0: (True, 0), 1: (True, 2), 2: (True, 1)}
    parse.apply("LEFT", 1)
    parse.apply("SHIFT")
    right = LiveGold().judge(parse, table, [0, 0, 0])["RIGHT"]
    assert right == {0: (True, 0), 1: (False, 0), 2: (True, 0)}


def test_gold_trees_that_break_a_rule_are_exempt() -> None:
    table = RuleTable([Rule(CHAIN, "r1", ("r2",), 0, 1)], RELATIONS)
    parse = Parse(make_system("arc-eager"), 3, [2, 3, 0], [2, 1, 0])
    parse.apply("SHIFT")
    parse.apply("LEFT", 2)
    parse.apply("SHIFT")
    assert LiveGold().judge(parse, table, [0, 0, 0])["LEFT"] == {0: (True, 1), 1: (True, 0), 2: (True, 1)}


def test_drawn_rules_leave_a_relation_free() -> None:
    rng = random.Random(3)
    for _ in range(20):
        plain = PlainRules(random_rules(rng), [0, 1, 0])
        assert not plain.bars((1, 2, 0))
        assert not plain.parts((1, 2, 0), (3, 2, 1))
