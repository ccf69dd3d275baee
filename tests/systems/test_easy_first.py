"""Easy-first: what moves do, when they are legal, and what they cost (Goldberg & Nivre 2013, sections 2.2 and 4.5)."""

from __future__ import annotations

import pytest
from treewright.systems.system import Parse

from treewright.errors import CombinationError
from treewright.systems import make_system

# "He wrote her a letter ." (Goldberg & Nivre 2012, Figure 1)
WROTE = [2, 0, 2, 5, 2, 2]


def parse_of(n: int, heads: list[int] | None = None, *, single_root: bool = True) -> Parse:
    return Parse(make_system("easy-first", single_root=single_root), n, heads)


def test_begins_with_all_words_in_the_list():
    parse = parse_of(3)
    assert (parse.pending, parse.stack, parse.buffer, parse.context) == ([0, 1, 2, 3], [], [], [])


def test_moves_are_numbered_by_the_heads_place():
    parse = parse_of(3)
    assert parse.legal() == ["LEFT_3", "RIGHT_2", "LEFT_4", "RIGHT_3"]
    assert parse.arc("LEFT_3") == (2, 1)
    assert parse.arc("RIGHT_2") == (1, 2)
    assert parse.arc("LEFT_4") == (3, 2)
    assert parse.arc("RIGHT_3") == (2, 3)


def test_the_dependent_leaves_the_list():
    parse = parse_of(3).apply("LEFT_4", 5)
    assert (parse.pending, parse.arcs) == ([0, 1, 3], {2: (3, 5)})
    parse.apply("RIGHT_2", 6)
    assert (parse.pending, parse.arcs) == ([0, 1], {2: (3, 5), 3: (1, 6)})


def test_a_single_root_is_linked_last():
    parse = parse_of(2)
    assert parse.legal() == ["LEFT_3", "RIGHT_2"]
    assert parse.apply("LEFT_3", 0).legal() == ["RIGHT_1"]
    assert parse.apply("RIGHT_1", 0).terminal
    assert parse.legal() == []
    assert parse_of(2, single_root=False).legal() == ["RIGHT_1", "LEFT_3", "RIGHT_2"]


def test_an_illegal_place():
    with pytest.raises(CombinationError, match="LEFT_2 is not legal here; legal moves: LEFT_3, RIGHT_2"):
        parse_of(2).apply("LEFT_2", 0)


def test_right_is_what_completes_a_word():
    """A dependent may leave when it has all its own: his is the first that can, letter is not before a."""
    parse = parse_of(6, WROTE)
    costs = parse.costs()
    assert [move for move, cost in costs.items() if cost == 0] == parse.correct() == ["LEFT_3", "RIGHT_3", "LEFT_6"]
    assert parse.arc("LEFT_6") == (5, 4)
    assert costs["RIGHT_5"] == 2  # a → letter: letter loses wrote, and a loses letter


def test_any_order_of_right_moves_builds_the_tree():
    for order in (0, -1):
        parse = parse_of(6, WROTE)
        while not parse.terminal:
            parse.apply(parse.correct()[order], 0)
        assert [parse.arcs[word][0] for word in range(1, 7)] == WROTE


def test_a_wrong_head_costs_one_and_dependents_that_wait_one_each():
    parse = parse_of(4, [2, 0, 4, 2])
    assert parse.arc("LEFT_5") == (4, 3)
    assert parse.costs()["LEFT_5"] == 0
    assert parse.arc("RIGHT_3") == (2, 3)
    assert parse.costs()["RIGHT_3"] == 1
    assert parse.arc("RIGHT_2") == (1, 2)
    assert parse.costs()["RIGHT_2"] == 3  # 2 loses its head and two dependents


def test_there_is_no_canonical_order():
    with pytest.raises(CombinationError, match="easy-first has no static oracle"):
        parse_of(2, [0, 1]).static()
