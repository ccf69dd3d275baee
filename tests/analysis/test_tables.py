"""Tables of an analysis: Holm's correction, the borders of buckets, and the order of equal rows."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from math import comb
from types import SimpleNamespace

import pytest

import treewright as tw
from tests.analysis import test_counts as by_hand
from tests.analysis.made import conllu
from treewright.analysis.breakdowns import BREAKDOWNS, DEPTHS, BreakdownRow, with_holm
from treewright.analysis.confusions import Confusion, Confusions
from treewright.analysis.propagation import DISTANCES
from treewright.evaluation.breakdown import LENGTHS, SIGNED_DISTANCES, breakdown, ranges, signed_ranges


def rows_with(*p_values):
    return [BreakdownRow(f"row {n}", 9, 1, 1, 1, 1, 3, 1, p) for n, p in enumerate(p_values)]


def significant(*p_values):
    return [row.significant for row in with_holm(rows_with(*p_values))]


# Holm's correction


def test_holm_finds_what_bonferroni_misses():
    """Bonferroni would ask all four to stay below 0.0125: three of them do not."""
    p_values = (0.04, 0.01, 0.02, 0.015)
    assert [p <= 0.05 / 4 for p in p_values] == [False, True, False, False]
    assert significant(*p_values) == [True] * 4


def test_holm_stops_at_the_first_that_fails():
    """The third would stay below 0.05, its own level, if the second had not failed."""
    assert significant(0.01, 0.03, 0.04) == [True, False, False]


def test_a_p_value_of_zero_is_the_smallest():
    assert significant(0.04, 0.0) == [True, True]


@pytest.mark.parametrize(("p", "found"), [(0.05, True), (0.0500001, False), (0.0, True), (1.0, False)])
def test_the_level_itself_is_significant(p, found):
    assert significant(p) == [found]


def test_rows_without_a_difference_do_not_count():
    """One question of p = 0.04 stays below the level; as one of two it would not."""
    same = BreakdownRow("same", 9, 1, 1, 1, 1, 0, 0, 1.0)
    only_one = BreakdownRow("only one", 9, 1, 1, 1, 1, 0, 1, 0.04)
    assert [row.significant for row in with_holm([same, only_one])] == [False, True]
    assert [row.significant for row in with_holm([*rows_with(0.04), only_one])] == [False, False]


def test_rows_of_one_parse_are_never_significant():
    assert with_holm([BreakdownRow("alone", 9, 1, 1)]) == [BreakdownRow("alone", 9, 1, 1)]


def test_a_row_has_the_exact_p_value():
    gold = [([0, *[1] * 11], ["root"] * 12, ["NOUN"] * 12)]
    wrong = [([0, *[1] * 2, *[2] * 9], ["root"] * 12, ["NOUN"] * 12)]
    row = tw.analyze(conllu(gold), conllu(wrong), conllu(gold), by=["upos"]).tables["upos"][0]
    assert (row.only_first, row.only_second) == (0, 9)
    assert row.p_value == pytest.approx(float(2 * Fraction(comb(9, 0), 2**9)))
    assert row.significant
    assert (row.first_score, row.second_score, row.gain) == (25.0, 100.0, 75.0)
    assert row.first_errors == 9


@pytest.mark.parametrize(("convention", "seed"), list(zip(by_hand.CONVENTIONS, range(3), strict=True)), ids=str)
def test_some_tables_are_those_of_a_count_by_hand(convention, seed):
    """The thorough tests of the same are among the slow ones."""
    by_hand.test_tables_are_those_of_a_count_by_hand.hypothesis.inner_test(convention, seed)
    by_hand.test_confusions_are_those_of_a_count_by_hand.hypothesis.inner_test(convention, seed)


def test_one_parse_has_the_first_counts_of_two():
    gold, first, second = map(conllu, by_hand.made(5))
    alone, compared = tw.analyze(gold, first), tw.analyze(gold, first, second)
    for by, rows in alone.tables.items():
        for row, other in zip(rows, compared.tables[by], strict=True):
            assert (row.name, row.words, row.first_heads) == (other.name, other.words, other.first_heads)
            assert (row.first_right, row.second_heads, row.second_score) == (other.first_right, None, None)
            assert (row.gain, row.p_value, row.significant) == (None, None, False)


# Borders of buckets


def test_buckets_are_named_after_their_borders():
    assert ranges(LENGTHS) == ["1-5", "6-10", "11-15", "16-20", "21-30", "31-40", "41-50", "51+"]
    assert ranges(DEPTHS) == ["1", "2", "3", "4", "5", "6-7", "8-10", "11+"]
    assert ranges(DISTANCES) == ["1", "2", "3", "4", "5", "6-10", "11-20", "21+"]
    right = ["1", "2", "3", "4-5", "6-10", "11-20", "21+"]
    assert signed_ranges() == [*(f"left {n}" for n in reversed(right)), "root", *(f"right {n}" for n in right)]
    assert len(SIGNED_DISTANCES) + 1 == len(signed_ranges())


def chain(n):
    """Return a sentence in which every word hangs from the one before."""
    return list(range(n)), ["dep"] * n, ["NOUN"] * n


@pytest.mark.parametrize(
    ("length", "name"),
    [
        *[(1, "1-5"), (5, "1-5"), (6, "6-10"), (10, "6-10"), (11, "11-15"), (15, "11-15"), (16, "16-20")],
        *[(20, "16-20"), (21, "21-30"), (30, "21-30"), (31, "31-40"), (40, "31-40"), (41, "41-50"), (50, "41-50")],
        (51, "51+"),
    ],
)
def test_borders_of_lengths(length, name):
    text = conllu([chain(length)])
    (row,) = tw.analyze(text, text, by=["length"]).tables["length"]
    assert (row.name, row.words) == (name, length)
    (scored,) = breakdown(text, text, "length")
    assert (scored.length, scored.words, scored.sentences, scored.exact_match) == (name, length, 1, 100.0)


def test_borders_of_depths():
    text = conllu([chain(12)])
    rows = tw.analyze(text, text, by=["depth"]).tables["depth"]
    assert {row.name: row.words for row in rows} == {
        **{"1 (root)": 1, "2": 1, "3": 1, "4": 1, "5": 1, "6-7": 2, "8-10": 3, "11+": 2}
    }


@pytest.mark.parametrize("root", [1, 45])
def test_borders_of_distances(root):
    """All words hang from the first or the last: every distance from 1 to 44, to one side."""
    text = conllu([([0 if n == root else root for n in range(1, 46)], ["dep"] * 45, ["NOUN"] * 45)])
    sizes = {"1": 1, "2": 1, "3": 1, "4-5": 2, "6-10": 5, "11-20": 10, "21+": 24}
    side = "left" if root == 1 else "right"
    wanted = {"root": 1, **{f"{side} {name}": n for name, n in sizes.items()}}
    rows = tw.analyze(text, text, by=["distance"]).tables["distance"]
    assert {row.name: row.words for row in rows} == wanted
    assert {row.distance: row.gold for row in breakdown(text, text, "signed-distance")} == wanted
    assert {row.distance: row.gold for row in breakdown(text, text, "distance")} == {"root": 1, **sizes}


def test_places_behind_the_first_error():
    gold = ([0] + [1] * 29, ["dep"] * 30, ["NOUN"] * 30)
    wrong = ([2, 0] + [2] * 28, ["dep"] * 30, ["NOUN"] * 30)
    (spread,) = tw.analyze(conllu([gold]), conllu([wrong]), by=[]).spreads
    assert {row.distance: row.words for row in spread.after} == {
        **{"1": 1, "2": 1, "3": 1, "4": 1, "5": 1, "6-10": 5, "11-20": 10, "21+": 9}
    }
    assert (spread.words, spread.errors, spread.sentences_with_errors) == (30, 30, 1)


# The order of equal rows


def test_frequent_rows_come_first_and_equals_by_name():
    relations = ["b", "b", "c", "c", "a", "d"]
    text = conllu([([0, 1, 1, 1, 1, 1], relations, ["X", "Y", "Y", "X", "Z", "Z"])])
    tables = tw.analyze(text, text, by=["upos", "deprel"]).tables
    assert list(tables) == ["upos", "deprel"]
    assert [row.name for row in tables["deprel"]] == ["b", "c", "a", "d"]
    assert [row.name for row in tables["upos"]] == ["X", "Y", "Z"]
    assert [row.deprel for row in breakdown(text, text, "deprel")] == ["b", "c", "a", "d"]
    assert [row.upos for row in breakdown(text, text, "upos")] == ["X", "Y", "Z"]


def test_equal_confusions_are_in_the_order_of_their_names():
    gold = ([0, 1, 1, 1, 1, 1], ["root", "b", "a", "a", "b", "c"], ["X"] * 6)
    given = ([0, 1, 1, 1, 1, 2], ["root", "x", "y", "x", "y", "z"], ["X"] * 6)
    once = tw.analyze(conllu([gold]), conllu([given])).confusions
    assert [(row.gold, row.given, row.first, row.first_heads) for row in once] == [
        *[("a", "x", 1, 1), ("a", "y", 1, 1), ("b", "x", 1, 1), ("b", "y", 1, 1), ("c", "z", 1, 0)]
    ]
    assert {row.second for row in once} == {None}
    # Two parses: what both confuse comes first, and what only the second does stays where its name belongs.
    other = ([0, 1, 1, 1, 1, 1], ["root", "b", "a", "a", "b", "z"], ["X"] * 6)
    both = tw.analyze(conllu([gold]), conllu([given]), conllu([other])).confusions
    assert [(row.gold, row.given, row.first, row.second, row.second_heads) for row in both][:2] == [
        *[("c", "z", 1, 1, 1), ("a", "x", 1, 0, 0)]
    ]


def test_of_sentences_with_as_many_errors_short_ones_and_then_early_ones_come_first():
    gold = [chain(4), chain(3), chain(3), chain(5), chain(2)]
    wrong = [([0, 1, 2, *[1] * (n - 3)], *gold[place][1:]) for place, n in enumerate((4, 3, 3, 5, 2)) if n > 3]
    short = ([0, 1, 1], *gold[1][1:])
    parse = [wrong[0], short, short, wrong[1], gold[4]]
    errors = [sum(a != b for a, b in zip(g[0], p[0], strict=True)) for g, p in zip(gold, parse, strict=True)]
    assert errors == [1, 1, 1, 2, 0]
    for wanted, numbers in ((1, [4]), (2, [4, 2]), (3, [4, 2, 3]), (9, [4, 2, 3, 1])):
        found = tw.analyze(conllu(gold), conllu(parse), sentences=wanted).extremes
        assert [extreme.number for extreme in found[1]] == numbers
        assert found[0] == []
    better = tw.analyze(conllu(gold), conllu(parse), conllu(gold), sentences=2).extremes
    assert [[extreme.number for extreme in side] for side in better] == [[], [4, 2]]
    worse = tw.analyze(conllu(gold), conllu(gold), conllu(parse), sentences=2).extremes
    assert [[extreme.number for extreme in side] for side in worse] == [[4, 2], []]
    assert tw.analyze(conllu(gold), conllu(parse), sentences=0).extremes == ([], [])


def test_an_extreme_says_where_the_sentence_is():
    gold = [chain(2), chain(3)]
    parse = [chain(2), ([0, 1, 1], *chain(3)[1:])]
    (extreme,) = tw.analyze(conllu(gold), conllu(parse)).extremes[1]
    assert (extreme.number, extreme.line, extreme.sent_id, extreme.words) == (2, 5, "s2", 3)
    assert (extreme.first_errors, extreme.second_errors, extreme.second) == (1, None, None)
    assert [token.head for token in extreme.gold] == [0, 1, 2]
    assert [token.head for token in extreme.first] == [0, 1, 1]


def test_the_trees_of_an_extreme_are_those_of_its_sentence():
    gold = [chain(2), chain(2), chain(3), chain(4)]
    poor, worse = ([0, 1, 1], *chain(3)[1:]), ([2, 0, 1], *chain(3)[1:])
    parses = [[*gold[:2], tree, gold[3]] for tree in (worse, poor)]
    (extreme,) = tw.analyze(conllu(gold), *map(conllu, parses)).extremes[1]
    assert (extreme.number, extreme.line, extreme.first_errors, extreme.second_errors) == (3, 9, 3, 1)
    trees = [[token.head for token in tree] for tree in (extreme.gold, extreme.first, extreme.second)]
    assert trees == [[0, 1, 2], [2, 0, 1], [0, 1, 1]]


def test_an_analysis_has_its_defaults():
    text = conllu([chain(3)])
    found = tw.analyze(text, text, text)
    assert (found.metric, found.punctuation, found.relation) == ("las", "all", "full")
    assert list(found.tables) == list(BREAKDOWNS)
    assert (found.difference.resamples, found.difference.seed) == (2000, 1)
    assert Counter(len(side) for side in found.extremes) == {0: 2}
    many = tw.analyze(text * 5, text.replace(b"\t1\tdep", b"\t3\tdep").replace(b"\t2\tdep", b"\t1\tdep") * 5)
    assert len(many.extremes[1]) == 3


def test_frequent_confusions_of_both_parses_come_first():
    """A confusion is a number: gold relation, given relation, and whether the head is right."""
    names = SimpleNamespace(relations=SimpleNamespace(strings=["a", "b", "c"]))
    found = Confusions(names, None)
    a_as_b, b_as_c, c_as_a = 0 << 32 | 1 << 1, 1 << 32 | 2 << 1, 2 << 32 | 0 << 1
    found._counts = [Counter({a_as_b: 1, b_as_c: 4, b_as_c | 1: 1}), Counter({a_as_b | 1: 3, c_as_a: 2})]
    assert found.rows(True) == [
        Confusion("b", "c", 5, 1, 0, 0),
        Confusion("a", "b", 1, 0, 3, 3),
        Confusion("c", "a", 0, 0, 2, 0),
    ]
