"""The page of an analysis: plots that hold what is written in them, and tables that leave nothing important out."""

import re
from dataclasses import replace
from math import cos, radians, sin
from random import Random
from xml.dom.minidom import parseString

import pytest

import treewright as tw
from tests.analysis.made import conllu, parse_of, treebank
from treewright.analysis.plots import LETTER, WIDTH, ratio_plot, scores_plot
from treewright.analysis.sheets import breakdown_sheet, sheets


@pytest.fixture(scope="module")
def analysis():
    random = Random(3)
    gold = treebank(random, 80, 40)
    parses = [gold, parse_of(random, gold, 0.3), parse_of(random, gold, 0.5)]
    return tw.analyze(*(conllu(parse) for parse in parses))


def corner_of(node):
    """Return where a text begins, and whether it is slanted: slanted ones end where they are put."""
    turned = re.match(r"translate\((\S+) (\S+)\) rotate\(-40\)", node.getAttribute("transform"))
    if turned is None:
        return None
    x, y, length = float(turned[1]), float(turned[2]), LETTER * len(node.firstChild.data)
    return x - length * cos(radians(40)), y + length * sin(radians(40))


@pytest.mark.parametrize("name", ["length", "distance", "depth"])
def test_plots_hold_all_points_and_names(analysis, name):
    drawn = parseString(scores_plot(analysis, name)).documentElement
    height = float(drawn.getAttribute("height"))
    circles = drawn.getElementsByTagName("circle")
    rows = analysis.tables[name]
    assert len(circles) == 2 * len(rows)
    for circle in circles:
        assert 0 <= float(circle.getAttribute("cx")) <= WIDTH
        assert 0 <= float(circle.getAttribute("cy")) <= height
    names = [node.firstChild.data for node in drawn.getElementsByTagName("text")]
    assert {row.name for row in rows} <= set(names)
    for corner in filter(None, map(corner_of, drawn.getElementsByTagName("text"))):
        assert corner[0] >= 0
        assert corner[1] <= height
    notes = [node.firstChild.data for node in drawn.getElementsByTagName("title")]
    assert notes[0] == f"{rows[0].name}: A: {rows[0].first_score:.2f} of {rows[0].words:,} words"


def test_the_plot_of_ratios_is_well_formed(analysis):
    drawn = parseString(ratio_plot(analysis)).documentElement
    assert len(drawn.getElementsByTagName("polyline")) == 2


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
