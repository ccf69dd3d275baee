"""What moves do and when they are legal, read as a specification."""

from __future__ import annotations

import random

import pytest
from treewright.systems.system import Parse, System

from tests.systems.cases import SYSTEMS, name_of
from treewright.errors import CombinationError
from treewright.systems import make_system

# "He wrote her a letter ." (Goldberg & Nivre 2012, Figure 1)
WROTE = [2, 0, 2, 5, 2, 2]
SBJ, PRD, IOBJ, DET, DOBJ, P = range(6)
WROTE_LABELS = [SBJ, PRD, IOBJ, DET, DOBJ, P]
STATIC = ["SHIFT", "LEFT", "RIGHT", "RIGHT", "SHIFT", "LEFT", "REDUCE", "RIGHT", "REDUCE", "RIGHT"]
OTHER = ["SHIFT", "LEFT", "RIGHT", "RIGHT", "REDUCE", "SHIFT", "LEFT", "RIGHT", "REDUCE", "RIGHT"]


def parse_of(name: str, n: int, heads: list[int] | None = None, **options: object) -> Parse:
    return Parse(make_system(name, **options), n, heads)


def run(parse: Parse, moves: str | list[str]) -> Parse:
    for kind in moves.split() if isinstance(moves, str) else moves:
        parse.apply(kind, 0 if kind in parse.system.labelled_kinds else None)
    return parse


def heads_of(parse: Parse) -> dict[int, int]:
    return {word: head for word, (head, _) in parse.arcs.items()}


class TestArcEagerRootFirst:
    def test_begins_with_the_root_on_the_stack(self):
        parse = parse_of("arc-eager", 3, root="first")
        assert (parse.stack, parse.buffer, parse.arcs) == ([0], [1, 2, 3], {})
        assert not parse.terminal

    def test_shift_moves_a_word(self):
        parse = run(parse_of("arc-eager", 3, root="first"), "SHIFT")
        assert (parse.stack, parse.buffer) == ([0, 1], [2, 3])

    def test_left_pops_the_dependent(self):
        parse = run(parse_of("arc-eager", 3, root="first"), "SHIFT").apply("LEFT", 7)
        assert (parse.stack, parse.buffer, parse.arcs) == ([0], [2, 3], {1: (2, 7)})

    def test_right_pushes_the_dependent(self):
        parse = run(parse_of("arc-eager", 3, root="first"), "SHIFT").apply("RIGHT", 4)
        assert (parse.stack, parse.buffer, parse.arcs) == ([0, 1, 2], [3], {2: (1, 4)})

    def test_reduce_needs_a_head(self):
        parse = run(parse_of("arc-eager", 3, root="first"), "SHIFT")
        assert parse.legal() == ["SHIFT", "LEFT", "RIGHT"]
        assert run(parse, "RIGHT").legal() == ["SHIFT", "REDUCE", "RIGHT"]

    def test_the_root_is_never_a_dependent(self):
        assert parse_of("arc-eager", 3, root="first").legal() == ["SHIFT", "RIGHT"]

    def test_ends_with_the_buffer(self):
        parse = run(parse_of("arc-eager", 2, root="first"), "SHIFT SHIFT")
        assert parse.terminal
        assert parse.legal() == []

    def test_a_single_root_is_given_once(self):
        once = run(parse_of("arc-eager", 3, root="first"), "RIGHT REDUCE")
        assert once.legal() == ["SHIFT"]
        many = run(parse_of("arc-eager", 3, root="first", single_root=False), "RIGHT REDUCE")
        assert many.legal() == ["SHIFT", "RIGHT"]


class TestArcEagerRootLast:
    def test_begins_with_an_empty_stack(self):
        parse = parse_of("arc-eager", 2)
        assert (parse.stack, parse.buffer, parse.legal()) == ([], [1, 2, 0], ["SHIFT"])

    def test_ends_with_the_root_alone(self):
        parse = run(parse_of("arc-eager", 2), "SHIFT RIGHT REDUCE")
        assert not parse.terminal
        run(parse, "LEFT")
        assert parse.terminal
        assert (parse.stack, parse.buffer, heads_of(parse)) == ([], [0], {2: 1, 1: 0})

    def test_the_root_is_never_shifted_nor_a_dependent(self):
        parse = run(parse_of("arc-eager", 1), "SHIFT")
        assert parse.legal() == ["LEFT"]

    def test_a_second_root_is_reduced_without_a_head(self):
        parse = run(parse_of("arc-eager", 2), "SHIFT SHIFT")
        assert parse.legal() == ["REDUCE", "LEFT"]
        run(parse, "LEFT")
        assert parse.legal() == ["REDUCE"]
        assert run(parse, "REDUCE").terminal

    def test_the_last_candidate_for_a_single_root_is_not_reduced(self):
        parse = run(parse_of("arc-eager", 2), "SHIFT SHIFT REDUCE")
        assert parse.legal() == ["LEFT"]

    def test_many_roots(self):
        parse = run(parse_of("arc-eager", 2, single_root=False), "SHIFT SHIFT")
        assert parse.legal() == ["LEFT"]
        assert heads_of(run(parse, "LEFT LEFT")) == {1: 0, 2: 0}


@pytest.mark.parametrize(
    ("system", "moves"),
    [
        ("arc-hybrid", "SHIFT LEFT SHIFT SHIFT RIGHT SHIFT LEFT SHIFT RIGHT SHIFT RIGHT RIGHT"),
        ("arc-standard", "SHIFT SHIFT LEFT SHIFT RIGHT SHIFT SHIFT LEFT RIGHT SHIFT RIGHT RIGHT"),
    ],
)
def test_a_whole_sentence(system, moves):
    parse = run(parse_of(system, 6), moves)
    assert parse.terminal
    assert [heads_of(parse)[word] for word in range(1, 7)] == WROTE


class TestArcHybrid:
    def test_left_takes_its_head_from_the_buffer(self):
        parse = run(parse_of("arc-hybrid", 3), "SHIFT LEFT")
        assert (parse.stack, parse.buffer, heads_of(parse)) == ([0], [2, 3], {1: 2})

    def test_right_takes_its_head_from_the_stack(self):
        parse = run(parse_of("arc-hybrid", 3), "SHIFT SHIFT RIGHT")
        assert (parse.stack, parse.buffer, heads_of(parse)) == ([0, 1], [3], {2: 1})

    def test_a_single_root_waits_for_the_end(self):
        assert run(parse_of("arc-hybrid", 2), "SHIFT").legal() == ["SHIFT", "LEFT"]
        assert "RIGHT" in run(parse_of("arc-hybrid", 2, single_root=False), "SHIFT").legal()
        assert run(parse_of("arc-hybrid", 1), "SHIFT").legal() == ["RIGHT"]


class TestArcStandard:
    def test_both_arcs_are_on_the_stack(self):
        parse = run(parse_of("arc-standard", 3), "SHIFT SHIFT")
        assert parse.arc("LEFT") == (2, 1)
        assert parse.arc("RIGHT") == (1, 2)
        assert run(parse, "LEFT").stack == [0, 2]

    def test_the_root_is_never_a_dependent(self):
        assert run(parse_of("arc-standard", 2), "SHIFT").legal() == ["SHIFT"]

    def test_two_gold_arcs_that_can_each_be_built_but_not_both(self):
        """Goldberg & Nivre 2013, section 4.3: with a, b, c on the stack, (c, b) is reachable, and (b, a), not both."""
        chain = [2, 3, 0]
        parse = run(parse_of("arc-standard", 3, chain), "SHIFT SHIFT SHIFT")
        assert parse.stack == [0, 1, 2, 3]
        assert heads_of(run(parse_of("arc-standard", 3), "SHIFT SHIFT SHIFT LEFT")) == {2: 3}
        assert heads_of(run(parse_of("arc-standard", 3), "SHIFT SHIFT SHIFT RIGHT LEFT")) == {3: 2, 1: 2}
        # So the third SHIFT loses an arc although each by itself is still in reach.
        assert run(parse_of("arc-standard", 3, chain), "SHIFT SHIFT").costs() == {"SHIFT": 1, "LEFT": 0, "RIGHT": 2}
        assert parse.costs() == {"LEFT": 0, "RIGHT": 1}


class TestThePaper:
    """Goldberg & Nivre 2012, sections 2.2 and 3."""

    @pytest.mark.parametrize("moves", [STATIC, OTHER])
    def test_both_derivations_of_figure_1(self, moves):
        parse = Parse(make_system("arc-eager", root="first"), 6, WROTE, WROTE_LABELS)
        for kind in moves:
            assert parse.costs()[kind] == 0
            parse.apply(kind, parse.gold_relation(kind))
        assert parse.terminal
        expected = {word: (head, word - 1) for word, head in enumerate(WROTE, 1)}
        assert parse.arcs == expected

    def test_the_static_oracle_predicts_the_first(self):
        parse = Parse(make_system("arc-eager", root="first"), 6, WROTE, WROTE_LABELS)
        while not parse.terminal:
            parse.apply(*parse.static())
        assert [kind for kind, _ in parse.history] == STATIC

    def test_the_two_differ_where_shift_and_reduce_are_both_right(self):
        parse = run(parse_of("arc-eager", 6, WROTE, root="first"), STATIC[:4])
        assert parse.correct() == ["SHIFT", "REDUCE"]

    def test_figure_3_the_static_oracle_off_its_path_loses_three_arcs(self):
        parse = run(parse_of("arc-eager", 6, WROTE, root="first"), "SHIFT LEFT RIGHT SHIFT")
        assert (parse.stack, parse.buffer) == ([0, 2, 3], [4, 5, 6])
        while not parse.terminal:
            kind, _ = parse.static()
            parse.apply(kind)
        assert [kind for kind, _ in parse.history[4:]] == ["SHIFT", "LEFT", "SHIFT", "SHIFT"]
        assert heads_of(parse) == {1: 2, 2: 0, 4: 5}

    def test_figure_3_the_dynamic_oracle_loses_one(self):
        parse = run(parse_of("arc-eager", 6, WROTE, root="first"), "SHIFT LEFT RIGHT")
        assert parse.costs()["SHIFT"] == 1
        run(parse, "SHIFT")
        for kind in ["SHIFT", "LEFT", "LEFT", "RIGHT", "REDUCE", "RIGHT"]:
            assert parse.costs()[kind] == 0
            run(parse, kind)
        assert parse.terminal
        assert heads_of(parse) == {1: 2, 2: 0, 3: 5, 4: 5, 5: 2, 6: 2}


class TestMistakes:
    def test_an_illegal_move(self):
        with pytest.raises(CombinationError, match="REDUCE is not legal here; legal moves: SHIFT"):
            parse_of("arc-eager", 2).apply("REDUCE")

    @pytest.mark.parametrize("system", SYSTEMS, ids=name_of)
    def test_no_move_after_the_end(self, system):
        parse = Parse(system, 0, [])
        assert parse.terminal
        assert parse.legal() == []
        with pytest.raises(CombinationError, match="complete" if "static" in system.oracles else "no static oracle"):
            parse.static()
        with pytest.raises(CombinationError, match="legal moves: none"):
            parse.apply("SHIFT")

    @pytest.mark.parametrize("ask", ["costs", "correct", "static"])
    def test_an_oracle_without_a_tree(self, ask):
        with pytest.raises(CombinationError, match="needs a gold tree"):
            getattr(parse_of("arc-eager", 2), ask)()

    def test_the_arc_of_an_illegal_move(self):
        with pytest.raises(CombinationError, match="not legal"):
            parse_of("arc-hybrid", 2, [0, 1]).gold_relation("LEFT")
        with pytest.raises(CombinationError, match="not legal"):
            parse_of("arc-hybrid", 2).arc("LEFT")

    @pytest.mark.parametrize(("heads", "labels"), [([0], None), ([0, 3], None), ([0, -2], None), ([0, 1], [0])])
    def test_a_gold_tree_that_does_not_fit(self, heads, labels):
        with pytest.raises(ValueError, match="head"):
            Parse(make_system("arc-eager"), 2, heads, labels)

    def test_a_sentence_of_less_than_nothing(self):
        with pytest.raises(ValueError, match="words"):
            Parse(make_system("arc-eager"), -1)

    def test_unknown_system(self):
        with pytest.raises(CombinationError, match=r"'arc-lazy'.*Choose from arc-eager, arc-hybrid"):
            make_system("arc-lazy")

    @pytest.mark.parametrize("name", ["arc-hybrid", "arc-standard", "easy-first"])
    def test_a_root_where_the_system_has_none(self, name):
        remedy = "for the root 'last' choose arc-eager, covington-projective, covington"
        with pytest.raises(CombinationError, match=f"{name} has its root 'first', not 'last'; {remedy}"):
            make_system(name, root="last")

    def test_a_root_nowhere(self):
        with pytest.raises(CombinationError, match=r"'last' or 'first', not 'middle'$"):
            make_system("arc-eager", root="middle")


@pytest.mark.parametrize("system", SYSTEMS, ids=name_of)
def test_settings_make_the_same_system_again(system):
    again = make_system(**system.settings())
    assert (again.settings(), repr(again)) == (system.settings(), repr(system))


def test_parses_of_one_system_share_a_tree():
    one, other = parse_of("arc-hybrid", 2, [0, 1]), parse_of("arc-hybrid", 2)
    shared = Parse(one.system, 2).share_gold(one)
    one.set_gold([2, 0])
    assert shared.costs() == one.costs() == Parse(one.system, 2, [2, 0]).costs()
    for stranger in (other, Parse(one.system, 3, [0, 1, 1])):
        with pytest.raises(ValueError, match="share a tree"):
            shared.share_gold(stranger)


@pytest.mark.parametrize("system", [system for system in SYSTEMS if system.root == "last"], ids=name_of)
def test_a_last_root_gives_no_arc_before_it_is_the_front_of_the_buffer(system: System) -> None:
    """Parsers look for relations of the root only there (class_range in kinds/transition/engines/walk.pxd)."""
    rng, from_root = random.Random(4), 0
    for _ in range(60):
        parse = Parse(system, rng.randint(1, 7))
        while not parse.terminal:
            arcs = [parse.arc(kind) for kind in parse.legal() if parse.carries_relation(kind)]
            heads = [arc[0] for arc in arcs if arc is not None]
            assert parse.buffer[0] == 0 or 0 not in heads
            from_root += heads.count(0)
            kind = rng.choice(parse.legal())
            parse.apply(kind, 0 if parse.carries_relation(kind) else None)
    assert from_root > 0
