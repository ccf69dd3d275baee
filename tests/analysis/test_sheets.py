"""Tables and summary of an analysis as plain data: what they say of nothing, of one parse, and of small numbers."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

import treewright as tw
from tests.analysis.made import conllu
from treewright.analysis.breakdowns import BreakdownRow
from treewright.analysis.confusions import Confusion
from treewright.analysis.moves import MoveReport
from treewright.analysis.propagation import AfterFirst, ErrorSpread
from treewright.analysis.report import Analysis
from treewright.analysis.sheets import breakdown_sheet, confusion_sheet, moves_sheet, p_text, spread_sheet, summary

GOLD = conllu([([0, 1], ["root", "obj"], ["VERB", "NOUN"])])
WRONG = conllu([([2, 0], ["obj", "root"], ["VERB", "NOUN"])])


# The summary


@pytest.mark.parametrize(
    ("options", "line"),
    [
        ({}, "LAS: all words, full relations"),
        ({"punctuation": "form"}, "LAS: without punctuation (by form), full relations"),
        (
            {"punctuation": "upos", "relation": "universal"},
            "LAS: without punctuation (UPOS), relations without subtype",
        ),
        ({"metric": "uas"}, "UAS: all words"),
    ],
)
def test_the_summary_says_which_words_and_relations_count(options: dict[str, str], line: str):
    metric = line[:3]
    assert summary(tw.analyze(GOLD, GOLD, **options)) == [
        "gold  (text): 2 words, 1 sentences",
        f"A     parser A: {metric} 100.00, right heads 100.00",
        line,
    ]


def test_the_summary_of_parses_without_a_right_word():
    found = tw.analyze(GOLD, WRONG, WRONG)
    assert summary(found)[1:3] == [f"{x}     parser {x}: LAS 0.00, right heads 0.00" for x in "AB"]


def test_the_summary_of_nothing_but_punctuation():
    text = conllu([([0], ["root"], ["PUNCT"])])
    assert summary(tw.analyze(text, text, punctuation="upos"))[:2] == [
        "gold  (text): 0 words, 1 sentences",
        "A     parser A: LAS 0.00, right heads 0.00",
    ]


def test_without_errors_no_group_has_a_part_of_them():
    (row,) = breakdown_sheet(tw.analyze(GOLD, GOLD), "length", [BreakdownRow("1-5", 2, 2, 2)], 9).rows
    assert row == ["1-5", 2, 100.0, 0, 0.0]


# P-values


@pytest.mark.parametrize(
    ("p", "text"),
    [
        *[(1.0, "p = 1.000"), (0.0994, "p = 0.099"), (0.001, "p = 0.001"), (0.0005, "p = 0.001")],
        *[(0.000499, "p < 0.001"), (0.0, "p < 0.001")],
    ],
)
def test_p_values_have_three_digits(p: float, text: str):
    assert p_text(p) == text


@pytest.mark.parametrize(
    ("only_first", "only_second", "p", "significant", "cell"),
    [
        (0, 0, 1.0, False, ""),
        (3, 0, 0.25, False, "0.250"),
        (0, 3, 0.25, False, "0.250"),
        (2, 1, 1.0, False, "1.000"),
        (0, 7, 0.015625, True, "0.016 *"),
        (9000, 1, 0.0, True, "< 0.001 *"),  # too small for a float
    ],
)
def test_rows_on_which_the_parses_differ_have_a_p_value(
    only_first: int, only_second: int, p: float, significant: bool, cell: str
):
    row = BreakdownRow("NOUN", 9999, 5, 5, 5, 5, only_first, only_second, p, significant)
    sheet = breakdown_sheet(tw.analyze(GOLD, GOLD, GOLD), "upos", [row], 9)
    assert [line[-3:] for line in sheet.rows] == [[only_first, only_second, cell]]


def test_a_table_of_two_parses_is_explained_unless_another_is():
    compared = tw.analyze(GOLD, GOLD, GOLD)
    rows = compared.tables["upos"]
    assert breakdown_sheet(compared, "upos", rows, 9).note.startswith("only A: words that only A gets right.")
    assert breakdown_sheet(compared, "upos", rows, 9, explained=False).note == ""


# Other tables


def test_a_confusion_that_only_one_parse_has():
    found = replace(
        tw.analyze(GOLD, GOLD, GOLD), confusions=[Confusion("obj", "obl", 5, 4, 0, 0), Confusion("a", "b", 0, 0, 3, 1)]
    )
    assert confusion_sheet(found, 9).rows == [["obj", "obl", "5 (4)", "0 (0)", -5], ["a", "b", "0 (0)", "3 (1)", 3]]


def test_a_distance_that_only_one_parse_has():
    first = ErrorSpread(9, 3, 1, [AfterFirst("1", 4, 1, 2.0), AfterFirst("2", 2, 0, 0.0)])
    second = ErrorSpread(9, 3, 1, [AfterFirst("1", 5, 1, 1.0), AfterFirst("3", 8, 2, 4.0)])
    found = SimpleNamespace(compared=True, spreads=[first, second])
    sheet = spread_sheet(found)
    assert sheet.rows == [
        ["1", 4, 25.0, 50.0, 0.5, 5, 20.0, 20.0, 1.0],
        ["2", 2, 0.0, 0.0, None, None, None, None, None],
        ["3", None, None, None, None, 8, 25.0, 50.0, 0.5],
    ]
    assert [len(row) for row in sheet.rows] == [len(sheet.header)] * 3


def test_distances_without_an_error_are_counted():
    """The first word is wrong, the others are right."""
    gold = conllu([([0, 1, 1], ["root", "obj", "obl"], ["VERB", "NOUN", "NOUN"])])
    (spread,) = tw.analyze(gold, gold.replace(b"root", b"dep"), by=[]).spreads
    assert spread == ErrorSpread(3, 1, 1, [AfterFirst("1", 1, 0, 0.0), AfterFirst("2", 1, 0, 0.0)])
    assert [row.ratio for row in spread.after] == [None, None]


def test_the_moves_of_one_model_have_no_letter():
    report = MoveReport("arc-eager", *range(13), inflation=None, low=None, high=None)
    alone, both = tw.analyze(GOLD, GOLD), tw.analyze(GOLD, GOLD, GOLD)

    def head(analysis: Analysis) -> list[object]:
        sheet = moves_sheet(analysis)
        return [sheet.header, sheet.rows[0]]

    assert head(replace(alone, moves=[report])) == [["", "model"], ["system", "arc-eager"]]
    assert head(replace(both, moves=[report, None])) == [["", "A", "B"], ["system", "arc-eager", None]]
