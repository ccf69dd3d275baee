"""The planar systems: their moves, and which trees they build."""

from __future__ import annotations

import random

import pytest
from treewright.systems.system import Parse

from tests.systems.cases import random_tree
from treewright.oracles.exhaustive import Search, all_trees, is_projective, planes_of, trees_for
from treewright.systems import make_system

#: the root word 2 is covered by the arc between 1 and 3
COVERED = [2, 0, 1]
#: 1 → 3 and 2 → 4 cross
CROSSING = [0, 1, 1, 2]


def path(name: str, heads: list[int], single_root: bool = True) -> Parse:
    """Follow the static oracle."""
    parse = Parse(make_system(name, single_root=single_root), len(heads), heads)
    while not parse.terminal:
        parse.apply(*parse.static())
    return parse


def heads_of(parse: Parse) -> list[int]:
    return [parse.arcs.get(word, (-1,))[0] for word in range(1, parse.n_words + 1)]


def test_planes_of_trees():
    assert [planes_of(heads) for heads in ([0], COVERED, CROSSING)] == [1, 1, 2]
    assert not is_projective(COVERED)
    assert planes_of([4, 5, 6, 0, 4, 5]) == 3  # 1-4, 2-5 and 3-6 cross each other


def test_the_root_word_may_be_covered():
    parse = path("planar", COVERED)
    assert heads_of(parse) == COVERED
    assert [kind for kind, _ in parse.history] == ["SHIFT", "LEFT", "SHIFT", "ROOT", "RIGHT", "SHIFT"]


def test_words_stay_where_they_are_when_they_are_linked():
    parse = Parse(make_system("planar"), 3).apply("SHIFT").apply("LEFT", 0)
    assert (parse.stack, parse.buffer, parse.arcs) == ([1], [2, 3], {1: (2, 0)})
    assert parse.legal() == ["SHIFT", "REDUCE"]  # RIGHT would close a cycle
    assert parse.apply("SHIFT").legal() == ["SHIFT", "REDUCE", "LEFT", "RIGHT", "ROOT"]


def test_a_single_root_is_chosen_once():
    parse = Parse(make_system("planar"), 2).apply("SHIFT").apply("ROOT", 0).apply("SHIFT")
    assert parse.terminal
    many = Parse(make_system("planar", single_root=False), 2).apply("SHIFT").apply("ROOT", 0).apply("SHIFT")
    assert many.legal() == ["REDUCE", "ROOT"]


def test_switch_turns_to_the_other_stack():
    parse = Parse(make_system("2-planar"), 3).apply("SHIFT").apply("SHIFT")
    assert (parse.stack, parse.context) == ([1, 2], [2, 1])
    parse.apply("REDUCE")
    assert (parse.stack, parse.context) == ([1], [2, 1])
    parse.apply("SWITCH")
    assert (parse.stack, parse.context) == ([1, 2], [1])
    assert "SWITCH" not in parse.legal()
    assert "SWITCH" in parse.apply("SHIFT").legal()


def test_crossing_arcs_lie_in_two_planes():
    parse = path("2-planar", CROSSING)
    assert heads_of(parse) == CROSSING
    assert [kind for kind, _ in parse.history].count("SWITCH") == 1


@pytest.mark.parametrize("single_root", [True, False])
@pytest.mark.parametrize(("name", "planes"), [("planar", 1), ("2-planar", 2)])
def test_the_static_oracle_builds_every_tree_of_the_class(name, planes, single_root):
    """All trees of up to five words, and random ones of up to nine."""
    trees = [tree for n in range(1, 6) for tree in all_trees(n, projective=False, single_root=single_root)]
    rng = random.Random(7)
    trees += [random_tree(rng, rng.randint(6, 9), single_root) for _ in range(300)]
    kept = [tree for tree in trees if planes_of(tree) <= planes]
    assert len(kept) > 300
    assert all(heads_of(path(name, tree, single_root)) == tree for tree in kept)


@pytest.mark.parametrize("single_root", [True, False])
def test_every_parse_is_planar_and_every_planar_tree_can_be_parsed(single_root):
    """Soundness and completeness by exhaustive search; words without a head go to the root word afterwards."""
    for n in (1, 2, 3, 4):
        system = make_system("planar", single_root=single_root)
        search = Search(system, n)
        ends = {tuple(heads_of(parse)) for parse in search.parses.values() if parse.terminal}
        trees = {tuple(heads) for heads in trees_for(system, n)}
        assert trees == {heads for heads in ends if -1 not in heads}


def test_a_gold_arc_on_a_cycle_is_lost_once():
    """2 → 1 is there and gold are 1 → 3 → 2: RIGHT closes nothing, but 3 → 2 cannot follow 1 → 3."""
    parse = Parse(make_system("planar", single_root=False), 3, [0, 3, 1]).apply("SHIFT")
    assert parse.costs()["LEFT"] == 2  # the root's arc to 1, and one of the cycle's
