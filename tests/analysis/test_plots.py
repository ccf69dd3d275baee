"""The scales of plots, and what is plotted of nothing."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pytest

import treewright as tw
from tests.analysis.made import conllu
from treewright.analysis.breakdowns import Row
from treewright.analysis.plots import ratio_plot, scores_plot
from treewright.analysis.propagation import AfterFirst, Spread


def with_scores(*scores: int) -> SimpleNamespace:
    """Return what a plot needs of an analysis: buckets a, b, … with these scores."""
    rows = [Row(name, 100, score, score) for name, score in zip("abcd", scores, strict=False)]
    return SimpleNamespace(tables={"length": rows}, compared=False, metric="las")


def with_ratios(*ratios: float) -> SimpleNamespace:
    """Return the same for a plot of ratios: 100 errors were expected everywhere."""
    after = [AfterFirst(str(place), 1000, round(100 * ratio), 100.0) for place, ratio in enumerate(ratios, 1)]
    return SimpleNamespace(spreads=[Spread(0, 0, 0, after)])


def marks(plot: str) -> list[float]:
    """Return the numbers on the left."""
    return [float(number) for number in re.findall(r'text-anchor="end">([0-9.]+)<', plot)]


def heights(plot: str) -> list[float]:
    """Return where the points are: 190 is the lowest mark, 10 the highest."""
    return [float(y) for y in re.findall(r'<circle [^>]*cy="([0-9.]+)"', plot)]


@pytest.mark.parametrize(
    ("scores", "wanted"),
    [
        ((60, 80), [60, 65, 70, 75, 80]),
        ((60, 85), [60, 65, 70, 75, 80, 85]),
        ((60, 86), [60, 70, 80, 90]),
        ((40, 90), [40, 50, 60, 70, 80, 90]),
        ((40, 91), [40, 60, 80, 100]),
        ((0, 100), [0, 20, 40, 60, 80, 100]),
        ((61, 62), [60, 65]),
        ((70, 70), [70, 75]),
        ((100,), [100, 105]),
    ],
)
def test_scores_have_marks_at_round_numbers(scores: tuple[int, ...], wanted: list[float]):
    plot = scores_plot(with_scores(*scores), "length")
    assert marks(plot) == wanted
    low, high = wanted[0], wanted[-1]
    assert heights(plot) == [pytest.approx(190 - 180 * (score - low) / (high - low), abs=0.06) for score in scores]


@pytest.mark.parametrize(
    ("ratios", "wanted"),
    [
        ((1.0,), [0.5, 0.75, 1.0, 1.25, 1.5]),
        ((0.3, 1.6), [0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75]),
        ((2.0,), [0.5, 0.75, 1.0, 1.25, 1.5, 1.75, 2.0]),
        ((2.25,), [0.5, 1.0, 1.5, 2.0, 2.5]),
        ((3.5,), [0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5]),
        ((4.0,), [0.5, 1.25, 2.0, 2.75, 3.5, 4.25]),
    ],
)
def test_ratios_have_at_most_seven_marks(ratios: tuple[float, ...], wanted: list[float]):
    plot = ratio_plot(with_ratios(*ratios))
    assert marks(plot) == wanted
    low, high = wanted[0], wanted[-1]
    assert heights(plot) == [pytest.approx(190 - 180 * (ratio - low) / (high - low), abs=0.06) for ratio in ratios]


def test_points_stand_in_the_middle_of_their_part():
    """The names share the width from 62 to 552."""
    one, two = (scores_plot(with_scores(*scores), "length") for scores in ((50,), (50, 60)))
    assert re.findall(r'cx="([0-9.]+)"', one) == ["307.0"]
    assert re.findall(r'cx="([0-9.]+)"', two) == ["184.5", "429.5"]


def test_a_table_without_words_has_no_plot():
    assert scores_plot(with_scores(), "length") == ""


def test_without_a_ratio_there_is_no_plot():
    never_expected = AfterFirst("1", 3, 0, 0.0)
    assert never_expected.ratio is None
    for after in ([], [never_expected]):
        assert ratio_plot(SimpleNamespace(spreads=[Spread(9, 1, 1, after)])) == ""


def test_the_page_of_punctuation_alone_has_no_plots():
    text = conllu([([0, 1], ["root", "punct"], ["PUNCT", "PUNCT"])])
    found = tw.analyze(text, text, punctuation="upos")
    assert (found.total.words, found.tables["length"]) == (0, [])
    page = found.to_html()
    assert 'class="plot"' not in page
    assert page.count("<div></div></div>\n") == 8  # six breakdowns, confusions, errors after errors
