"""The page of an analysis: plots that hold what is written in them, and tables that leave nothing important out."""

import re
from dataclasses import replace
from random import Random
from xml.dom.minidom import parseString

import pytest

import treewright as tw
from tests.analysis.made import conllu, parse_of, treebank
from treewright.analysis.as_html import _section
from treewright.analysis.as_text import pictures_of
from treewright.analysis.plots import ratio_plot, scores_plot
from treewright.analysis.sheets import Sheet, breakdown_sheet, sheets
from treewright.display.difference import Pair


@pytest.fixture(scope="module")
def analysis():
    random = Random(3)
    gold = treebank(random, 80, 40)
    parses = [gold, parse_of(random, gold, 0.3), parse_of(random, gold, 0.5)]
    return tw.analyze(*(conllu(parse) for parse in parses))


@pytest.mark.parametrize("name", ["length", "distance", "depth"])
def test_plots_hold_all_points_and_names(analysis, name):
    drawn = parseString(f"<div>{scores_plot(analysis, name)}</div>").documentElement.firstChild
    width, height = map(float, drawn.getAttribute("viewBox").split()[2:])
    circles = drawn.getElementsByTagName("circle")
    rows = analysis.tables[name]
    assert len(circles) == 2 * len(rows)
    for circle in circles:
        assert 0 <= float(circle.getAttribute("cx")) <= width
        assert 0 <= float(circle.getAttribute("cy")) <= height
    names = [node.firstChild.data for node in drawn.getElementsByTagName("text")]
    assert {row.name for row in rows} <= set(names)
    notes = [node.firstChild.data for node in drawn.getElementsByTagName("title")]
    assert notes[0] == f"{rows[0].name}: A: {rows[0].first_score:.2f} of {rows[0].words:,} words"
    assert notes[-1] == f"{rows[-1].name}: B: {rows[-1].second_score:.2f} of {rows[-1].words:,} words"


def test_the_plot_of_ratios_has_two_lines_and_the_level_of_no_effect(analysis):
    plot = ratio_plot(analysis)
    drawn = parseString(f"<div>{plot}</div>").documentElement.firstChild
    assert len([node for node in drawn.getElementsByTagName("path") if node.getAttribute("class") == "line"]) == 2
    assert plot.count('class="level"') == 1
    assert re.findall(r"</svg>([AB])</li>", plot) == ["A", "B"]


def test_columns_of_numbers_are_set_as_numbers(analysis):
    page = analysis.to_html()
    for header in re.findall(r"<tr>(<th.*?)</tr>", page):
        names = re.findall(r"<th(.*?)>(.*?)</th>", header)
        assert all(not kind for kind, name in names[1:] if name in ("p", "words", "only A", "B - A", "A wrong"))


def test_what_is_significant_is_shown_however_rare(analysis):
    rows = analysis.tables["deprel"]
    assert len(rows) > 3
    rows = [*(replace(row, significant=False) for row in rows[:-1]), replace(rows[-1], significant=True)]
    sheet = breakdown_sheet(analysis, "deprel", rows, 2)
    assert [row[0] for row in sheet.rows] == [rows[0].name, rows[1].name, rows[-1].name]
    assert sheet.marked == {2}
    assert sheet.left_out == len(rows) - 3
    assert next(sheets(analysis, 1)).left_out < len(rows)


# Bars


def bars_of(values, more_is_better=True):
    """Return direction, left end and width of the bars of a column."""
    sheet = Sheet("Title", ["name", "B - A"], [["x", value] for value in values], bar=1, more_is_better=more_is_better)
    drawn = re.findall(r'<i class="(\w+)" style="left:([0-9.]+)%;width:([0-9.]+)%">', _section(sheet, ""))
    return [(colour, float(left), float(width)) for colour, left, width in drawn]


def test_bars_go_from_the_middle_and_the_longest_to_the_edge():
    assert bars_of([4, -2, 1.0]) == [("up", 50.0, 50.0), ("down", 25.0, 25.0), ("up", 50.0, 12.5)]


def test_more_errors_have_the_colour_of_what_is_worse():
    assert bars_of([4, -2], more_is_better=False) == [("down", 50.0, 50.0), ("up", 25.0, 25.0)]


def test_a_row_without_a_number_has_a_bar_without_width():
    assert bars_of([4, None]) == [("up", 50.0, 50.0), ("down", 50.0, 0.0)]


def test_parses_that_are_equally_good_have_no_bars():
    assert bars_of([0, 0.0]) == []
    text = conllu([([0, 1], ["root", "obj"], ["VERB", "NOUN"])])
    page = tw.analyze(text, text, text).to_html()
    assert 'class="bar"' not in page
    assert "<th></th>" not in page


# Tables


def test_a_table_without_rows_has_no_header():
    empty = Sheet("Confused relations", ["gold", "given"], [], "Number of words.")
    assert _section(empty, "") == (
        '<section>\n<h2>Confused relations</h2>\n<div class="side"><div class="scroll"></div></div>\n'
        '<p class="note">Number of words.</p>\n</section>\n'
    )


@pytest.mark.parametrize(
    ("cells", "text"), [(["a", 1], False), (["a", "b", 1], True), (["a", "< 0.001", ""], False), (["a"], True)]
)
def test_a_column_is_text_if_most_of_its_cells_are(cells, text):
    page = _section(Sheet("Title", ["first", "second"], [["x", cell] for cell in cells]), "")
    assert re.findall(r"<th(.*?)>(.*?)</th>", page) == [(' class="t"', "first"), (' class="t"' * text, "second")]
    assert page.count('<td class="t">') == len(cells) * (1 + text)


# Sentences

WORDS = "1\t{}\t_\tVERB\t_\t_\t0\troot\t{}\t_\n2\t{}\t_\tNOUN\t_\t_\t1\t{}\t{}\t_\n\n"


def analysis_of(first, second, deps=("_", "_")):
    """Return the analysis of one sentence of two words, with a wrong relation."""
    gold, parse = (WORDS.format(first, deps[0], second, relation, deps[1]).encode() for relation in ("obj", "obl"))
    return tw.analyze(gold, parse, by=[])


def test_sentences_from_right_to_left_are_set_so():
    assert '<div class="scroll" dir="rtl"><svg' in analysis_of("קרא", "ספר").to_html()
    assert '<div class="scroll"><svg' in analysis_of("read", "books").to_html()


def test_a_page_has_one_style_sheet():
    page = analysis_of("read", "books").to_html()
    assert page.count('<svg xmlns="http://www.w3.org/2000/svg" class="treewright"') == 1
    assert page.count("<style>") == 1
    assert '<p class="note"><span class="letter">A</span>: 1 wrong relation</p>' in page


def test_drawn_sentences_are_trees_without_tags_unless_these_are_wanted():
    """The graph has an arc that the tree does not have."""
    (extreme,) = analysis_of("read", "books", deps=("0:root|2:ref", "1:obj")).extremes[1]
    ((letter, picture),) = pictures_of(extreme)
    assert letter == "A"
    assert [(arc.head, arc.dependent, arc.label) for arc in picture.arcs] == [(0, 1, "root"), (1, 2, "obl→obj")]
    assert [word.tag for word in picture.words] == ["", ""]
    ((_, tagged),) = pictures_of(extreme, "upos")
    assert [word.tag for word in tagged.words] == ["VERB", "NOUN"]
    assert [arc.dependent for arc in Pair(extreme.gold, extreme.first).picture().arcs] == [1, 1, 2]
