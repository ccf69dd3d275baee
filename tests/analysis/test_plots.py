"""What is plotted of an analysis, and of nothing."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

import treewright as tw
from tests.analysis.made import conllu
from treewright.analysis.breakdowns import BreakdownRow
from treewright.analysis.plots import ratio_plot, scores_plot
from treewright.analysis.propagation import AfterFirst, ErrorSpread


def with_scores(*scores: int) -> SimpleNamespace:
    """Return what a plot needs of an analysis: buckets a, b, … with these scores."""
    rows = [BreakdownRow(name, 100, score, score) for name, score in zip("abcd", scores, strict=False)]
    return SimpleNamespace(tables={"length": rows}, compared=False, metric="las")


def with_ratios(*ratios: float) -> SimpleNamespace:
    """Return the same for a plot of ratios: 100 errors were expected everywhere."""
    after = [AfterFirst(str(place), 1000, round(100 * ratio), 100.0) for place, ratio in enumerate(ratios, 1)]
    return SimpleNamespace(spreads=[ErrorSpread(0, 0, 0, after)])


def heights(plot: str) -> list[float]:
    """Return how far down the points are."""
    return [float(y) for y in re.findall(r'<circle [^>]*cy="([0-9.]+)"', plot)]


def test_better_scores_stand_higher_and_names_are_in_order():
    plot = scores_plot(with_scores(60, 80, 70), "length")
    first, second, third = heights(plot)
    assert second < third < first
    assert third == pytest.approx((first + second) / 2, abs=0.1)
    assert re.findall(r"<title>(.*?)</title>", plot) == [
        "a: 60.00 of 100 words",
        "b: 80.00 of 100 words",
        "c: 70.00 of 100 words",
    ]
    assert re.findall(r">([a-d])</text>", plot) == ["a", "b", "c"]
    assert ">LAS, %</text>" in plot
    assert ">words in the sentence</text>" in plot
    assert "<ul" not in plot  # one parse needs no legend


def test_the_plots_of_small_ratios_are_not_blown_up():
    """Two parses that differ by chance shall not look as if they differed by much."""
    low, high = heights(ratio_plot(with_ratios(0.99, 1.01)))
    assert 0 < low - high < 0.03 * 270
    low, high = heights(ratio_plot(with_ratios(0.5, 4.0)))
    assert low - high > 0.6 * 270


def test_ratios_that_are_not_known_leave_a_gap():
    after = [AfterFirst("1", 9, 3, 2.0), AfterFirst("2", 9, 3, 0.0), AfterFirst("3-5", 9, 4, 2.0)]
    other = [AfterFirst("0", 9, 3, 2.0), AfterFirst("2", 9, 3, 4.0)]
    plot = ratio_plot(SimpleNamespace(spreads=[ErrorSpread(0, 0, 0, after), ErrorSpread(0, 0, 0, other)]))
    assert re.findall(r"<title>(.*?)</title>", plot) == ["1: A: 1.50", "3-5: A: 2.00", "2: B: 0.75", "0: B: 1.50"]
    assert ">words after the first error</text>" in plot


def test_a_table_without_words_has_no_plot():
    assert scores_plot(with_scores(), "length") == ""


def test_without_a_ratio_there_is_no_plot():
    never_expected = AfterFirst("1", 3, 0, 0.0)
    assert never_expected.ratio is None
    for after in ([], [never_expected]):
        assert ratio_plot(SimpleNamespace(spreads=[ErrorSpread(9, 1, 1, after)])) == ""


def test_the_page_of_punctuation_alone_has_no_plots():
    text = conllu([([0, 1], ["root", "punct"], ["PUNCT", "PUNCT"])])
    found = tw.analyze(text, text, punctuation="upos")
    assert (found.total.words, found.tables["length"]) == (0, [])
    page = found.to_html()
    assert 'class="chart"' not in page
    assert '<div class="plot">' not in page
