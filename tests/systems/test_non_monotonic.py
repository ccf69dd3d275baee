"""Non-monotonic arc-eager: what later moves repair; and oracles by search."""

from __future__ import annotations

import random

import pytest
from treewright.systems.system import Parse

from tests.systems.cases import random_projective_tree, random_tree
from treewright.errors import CombinationError
from treewright.oracles.exhaustive import Search, all_trees
from treewright.oracles.search import OracleBySearch
from treewright.recipes.catalogue import recipe
from treewright.systems import make_system


def test_a_new_head_takes_the_place_of_the_old_one():
    parse = Parse(make_system("non-monotonic"), 3, [3, 3, 0]).apply("SHIFT").apply("RIGHT", 0)
    assert parse.arcs == {2: (1, 0)}
    assert parse.costs()["LEFT"] == 0
    parse.apply("LEFT", 1)
    assert parse.arcs == {2: (3, 1)}
    assert parse.apply("LEFT", 0).arcs == {1: (3, 0), 2: (3, 1)}


def test_a_shift_is_undone():
    parse = Parse(make_system("non-monotonic"), 3, [0, 1, 1]).apply("SHIFT").apply("SHIFT")
    assert parse.costs()["UNSHIFT"] == 0
    parse.apply("UNSHIFT")
    assert (parse.stack, parse.context, parse.buffer) == ([1], [2], [3, 0])
    assert parse.legal() == ["LEFT", "RIGHT", "UNSHIFT"]  # it has come back: no SHIFT
    parse.apply("RIGHT", 0).apply("REDUCE").apply("RIGHT", 0)
    assert parse.arcs == {2: (1, 0), 3: (1, 0)}


def test_a_word_comes_back_once():
    parse = Parse(make_system("non-monotonic"), 2).apply("SHIFT").apply("UNSHIFT")
    assert parse.legal() == ["SHIFT"]  # the stack is empty
    assert "UNSHIFT" not in parse.apply("SHIFT").legal()


def test_a_wrong_relation_is_no_loss_when_its_arc_is_replaced():
    parse = Parse(make_system("non-monotonic"), 3, [0, 1, 1], [0, 1, 0]).apply("SHIFT")
    assert parse.apply("RIGHT", 0).costs()["LEFT"] == 0
    parse = Parse(make_system("non-monotonic"), 3, [0, 1, 1], [0, 1, 0]).apply("SHIFT")
    assert parse.apply("RIGHT", 1).costs()["LEFT"] == 1


def test_what_it_refuses():
    with pytest.raises(CombinationError, match="arcs may be replaced"):
        recipe(system="non-monotonic", rules="learnt")


@pytest.mark.parametrize("name", ["swap", "swap-hybrid", "2-planar", "non-monotonic", "planar"])
def test_search_from_a_configuration_is_exhaustive_search(name):
    system = make_system(name)
    for n in (1, 2, 3):
        search = Search(system, n)
        for heads in all_trees(n, projective=system.projective):
            search.set_gold(heads)
            oracle = OracleBySearch(heads)
            for parse, loss, costs in search.costs(search.losses_in_order(heads)):
                assert (oracle.loss(parse), oracle.costs(parse)) == (loss, costs)


@pytest.mark.parametrize("name", ["planar", "non-monotonic"])
def test_costs_of_longer_sentences(name):
    """Five to seven words, along random moves: the formulas are what search finds."""
    rng, system = random.Random(8), make_system(name)
    for _ in range(12):
        n = rng.randint(5, 6)
        heads = random_projective_tree(rng, n)
        oracle, parse = OracleBySearch(heads), Parse(system, n, heads)
        for _ in range(4):
            parse.apply(kind := rng.choice(parse.legal()), 0 if parse.carries_relation(kind) else None)
        while not parse.terminal:
            assert parse.costs() == oracle.costs(parse)
            parse.apply(kind := rng.choice(parse.legal()), 0 if parse.carries_relation(kind) else None)


def test_the_static_oracles_of_swap_lose_nothing():
    """Truth by search, for trees of four words; of seven, their end."""
    rng = random.Random(9)
    for order in ("exact", "eager"):
        system = make_system("swap", costs=order)
        for n in (4, 4, 6, 7):
            heads = random_tree(rng, n)
            oracle, parse = OracleBySearch(heads), Parse(system, n, heads)
            while not parse.terminal:
                kind, relation = parse.static()
                assert n > 4 or oracle.costs(parse)[kind] == 0
                parse.apply(kind, relation)
                assert oracle.loss(parse) == 0
