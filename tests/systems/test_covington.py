"""Covington's systems: what moves do, when they are legal, and what they cost."""

from __future__ import annotations

import pytest
from treewright.systems.system import Parse

from treewright.errors import CombinationError
from treewright.oracles.exhaustive import Search, state_of
from treewright.systems import make_system

BOTH = ["covington", "covington-projective"]


def parse_of(name: str, n: int, heads: list[int] | None = None, root: str = "first", **options: bool) -> Parse:
    return Parse(make_system(name, root=root, **options), n, heads)


def run(parse: Parse, moves: str) -> Parse:
    for kind in moves.split():
        parse.apply(kind, 0 if kind in parse.system.labelled_kinds else None)
    return parse


def heads_of(parse: Parse) -> dict[int, int]:
    return {word: head for word, (head, _) in parse.arcs.items()}


class TestMoves:
    """MaltParser 2005, section 4.1: λ₁ is the stack, λ₂ the context."""

    @pytest.mark.parametrize("name", BOTH)
    def test_begins_with_all_words_before_it(self, name):
        assert (parse_of(name, 2).stack, parse_of(name, 2).context, parse_of(name, 2).buffer) == ([0], [], [1, 2])
        last = parse_of(name, 2, root="last")
        assert (last.stack, last.context, last.buffer) == ([], [], [1, 2, 0])

    @pytest.mark.parametrize("name", BOTH)
    def test_left_makes_the_next_word_the_head(self, name):
        parse = run(parse_of(name, 2), "SHIFT")
        assert parse.arc("LEFT") == (2, 1)
        assert parse.arc("RIGHT") == (1, 2)
        assert heads_of(run(parse, "LEFT")) == {1: 2}

    def test_no_arc_passes_a_word_and_shift_brings_it_back(self):
        parse = run(parse_of("covington", 3), "SHIFT SHIFT NO-ARC")
        assert (parse.stack, parse.context, parse.buffer) == ([0, 1], [2], [3])
        assert (run(parse, "NO-ARC").stack, parse.context) == ([0], [1, 2])
        assert (run(parse, "SHIFT").stack, parse.context, parse.buffer) == ([0, 1, 2, 3], [], [])

    def test_a_linked_word_is_passed_too(self):
        parse = run(parse_of("covington", 3), "SHIFT SHIFT LEFT")
        assert (parse.stack, parse.context, heads_of(parse)) == ([0, 1], [2], {2: 3})

    def test_crossing_arcs(self):
        """3 → 1 and 4 → 2 cross."""
        moves = "SHIFT SHIFT NO-ARC LEFT SHIFT LEFT LEFT NO-ARC RIGHT SHIFT"
        parse = run(parse_of("covington", 4, root="first"), moves)
        assert parse.terminal
        assert heads_of(parse) == {1: 3, 2: 4, 3: 4, 4: 0}

    @pytest.mark.parametrize("name", BOTH)
    def test_ends_with_the_buffer_or_when_the_root_has_given_its_arc(self, name):
        assert run(parse_of(name, 2), "SHIFT SHIFT").terminal
        last = run(parse_of(name, 1, root="last"), "SHIFT")
        assert last.legal() == ["NO-ARC", "LEFT"]
        assert run(last, "LEFT").terminal


class TestLegality:
    def test_one_head_a_word(self):
        parse = run(parse_of("covington", 3), "SHIFT LEFT SHIFT")
        assert parse.legal() == ["SHIFT", "NO-ARC", "LEFT", "RIGHT"]
        assert run(parse, "RIGHT").legal() == ["SHIFT", "NO-ARC"]  # 3 has a head, and 1
        with pytest.raises(CombinationError, match="LEFT is not legal"):
            parse.apply("LEFT")

    def test_no_cycle(self):
        """1 → 2 and 2 → 3: 3 must not be the head of 1."""
        parse = run(parse_of("covington", 3), "SHIFT RIGHT SHIFT RIGHT")
        assert (parse.stack, heads_of(parse)) == ([0, 1], {2: 1, 3: 2})
        assert "LEFT" not in parse.legal()
        other = run(parse_of("covington", 3), "SHIFT RIGHT SHIFT NO-ARC")
        assert "LEFT" in other.legal()

    def test_the_root_gives_one_arc_and_has_no_head(self):
        parse = parse_of("covington", 2)
        assert parse.legal() == ["SHIFT", "NO-ARC", "RIGHT"]
        run(parse, "RIGHT SHIFT NO-ARC")
        assert parse.stack == [0]
        assert parse.legal() == ["SHIFT", "NO-ARC"]
        many = run(parse_of("covington", 2, single_root=False), "RIGHT SHIFT NO-ARC")
        assert many.legal() == ["SHIFT", "NO-ARC", "RIGHT"]

    def test_projective_a_word_without_a_head_is_not_passed(self):
        free, projective = (run(parse_of(name, 3), "SHIFT SHIFT") for name in BOTH)
        assert "NO-ARC" in free.legal()
        assert projective.legal() == ["SHIFT", "LEFT", "RIGHT"]

    def test_projective_no_arc_crosses_another(self):
        """With 1 → 3 there, 2 is covered: it is never offered to 4."""
        moves = "SHIFT RIGHT SHIFT NO-ARC RIGHT SHIFT"
        free, projective = (run(parse_of(name, 4), moves) for name in BOTH)
        assert heads_of(free) == heads_of(projective) == {2: 1, 3: 1}
        assert free.stack == [0, 1, 2, 3]
        assert projective.stack == [0, 1, 3]


class TestCosts:
    def test_shift_loses_every_gold_arc_to_the_left(self):
        parse = run(parse_of("covington", 3, [3, 3, 0]), "SHIFT SHIFT")
        assert parse.costs()["SHIFT"] == 3  # 3 → 1, 3 → 2 and the root's arc to 3
        assert parse.costs()["NO-ARC"] == 1
        assert parse.costs()["LEFT"] == 0

    def test_crossing_gold_arcs_cost_nothing(self):
        heads = [3, 4, 4, 0]
        parse = parse_of("covington", 4, heads)
        while not parse.terminal:
            kind, relation = parse.static()
            assert parse.costs()[kind] == 0
            parse.apply(kind, relation)
        assert heads_of(parse) == dict(enumerate(heads, 1))

    def test_gold_arcs_that_close_a_cycle_together(self):
        """Gómez-Rodríguez & Fernández-González 2015: arcs out of reach, plus cycles.

        The gold arcs are 2 → 3 → 1. The wrong arc 1 → 2 takes one gold arc out of reach, the root's to 2; each of
        the others can still be built, but the three would be a cycle: one more is lost.
        """
        heads = [3, 0, 2]
        parse = run(parse_of("covington", 3, heads), "SHIFT")
        assert parse.costs()["RIGHT"] == 2
        run(parse, "RIGHT SHIFT")
        assert parse.arc("RIGHT") == (2, 3)
        assert run(parse_of("covington", 3), "SHIFT RIGHT SHIFT NO-ARC").arc("LEFT") == (3, 1)
        assert parse.costs()["RIGHT"] == 0  # which of the two is lost makes no difference
        assert parse.costs()["NO-ARC"] == 0
        search = Search(parse.system, 3)
        assert search.losses(heads)[state_of(parse)] == 2
