"""Fitting confidences: the factor of the greatest likelihood, rising functions, and the error that is left."""

from __future__ import annotations

import math
from array import array
from types import SimpleNamespace

import pytest

from treewright.kinds.transition import calibration
from treewright.kinds.transition.calibration import RisingFunction, calibrate, calibration_error, isotonic


class TwoMoves:
    """Margins of decisions between two moves: the confidence is the logistic function of factor times margin."""

    def __init__(self, margins: list[float]) -> None:
        self.margins = margins

    def confidences(self, beta, n):
        assert n == len(self.margins)
        return array("f", [1 / (1 + math.exp(-beta * margin)) if margin else math.nan for margin in self.margins])


def calibrated(monkeypatch, margins, right, method, start=3.0):
    monkeypatch.setattr(calibration, "ConfidentParser", lambda engine: SimpleNamespace(beta=start))
    monkeypatch.setattr(calibration, "margins_on", lambda raw, corpus: (TwoMoves(margins), bytearray(right)))
    return calibrate(None, None, method)


@pytest.mark.parametrize("right", [1, 3, 5, 7, 9])
@pytest.mark.parametrize("start", [0.01, 1.0, 50.0])
def test_the_factor_makes_confidence_the_share_of_right_arcs(monkeypatch, right, start):
    """With one margin everywhere, the greatest likelihood is where the confidence is the share of right arcs."""
    settings, info = calibrated(monkeypatch, [0.5] * 10, [1] * right + [0] * (10 - right), "temperature", start)
    share = 1 / (1 + math.exp(-settings["beta"] * 0.5))
    # A factor above zero gives no confidence below one half.
    assert share == pytest.approx(max(right / 10, 0.5), abs=0.01)
    assert set(settings) == {"beta"}
    assert info["method"] == "temperature"
    assert info["ece"] == pytest.approx(abs(share - right / 10), abs=1e-4)
    before = 1 / (1 + math.exp(-start * 0.5))
    assert info["ece_before"] == pytest.approx(abs(before - right / 10), abs=1e-4)


def test_the_factor_is_found_to_three_digits(monkeypatch):
    settings, _ = calibrated(monkeypatch, [2.0] * 10, [1] * 9 + [0], "temperature")
    assert settings["beta"] == pytest.approx(math.log(9) / 2, rel=1e-3)


def test_a_rising_function_follows_the_factor(monkeypatch):
    """Confident arcs are right half of the time, hesitant ones always: one factor cannot say so."""
    margins, right = [3.0] * 4 + [1.0] * 4 + [0.0], [1, 0, 1, 0, 1, 1, 1, 1, 1]
    settings, info = calibrated(monkeypatch, margins, right, "isotonic")
    assert [value for _, value in settings["knots"]] == [0.75]  # all pooled, the word without confidence left out
    assert info["method"] == "isotonic"
    assert info["ece"] == 0
    assert info["ece_before"] == pytest.approx(
        (4 * (1 / (1 + math.exp(-9)) - 0.5) + 4 * (1 - 1 / (1 + math.exp(-3)))) / 8, abs=0.05
    )


def test_a_function_that_rises_is_left_as_it_is():
    assert isotonic([(0.9, 1), (0.1, 0)]) == [[0.1, 0], [0.9, 1]]


def test_falling_and_level_neighbours_are_pooled():
    assert isotonic([(0.2, 1), (0.4, 0)]) == [[0.3, 0.5]]
    assert isotonic([(0.2, 1), (0.4, 1), (0.6, 1)]) == [[0.4, 1]]
    assert isotonic([]) == []
    assert isotonic([(0.1, 0), (0.2, 1), (0.3, 0), (0.4, 0), (0.5, 1)]) == [[0.1, 0], [0.3, 0.333333], [0.5, 1]]


def test_words_of_one_confidence_are_pooled_whatever_their_order():
    """Scores far apart give a confidence of exactly 1: what counts is the share of these words that is right."""
    assert isotonic([(1.0, 1), (1.0, 0), (0.5, 0), (1.0, 1), (1.0, 1)]) == [[0.5, 0], [1.0, 0.75]]


@pytest.mark.parametrize(("words", "knots"), [(50, 50), (100, 100), (400, 100), (401, 81)])
def test_there_are_at_most_a_hundred_knots(words, knots):
    """Neighbours are joined until each knot has a hundredth of the words."""
    found = isotonic([(place / words, place / words) for place in range(words)])  # type: ignore[misc]
    assert len(found) == knots
    if words == 400:
        assert found[0] == pytest.approx([1.5 / 400, 1.5 / 400], abs=1e-6)


def test_between_two_knots_a_rising_function_is_a_line():
    rising = RisingFunction([[0.2, 0.1], [0.4, 0.5], [0.8, 0.7]])
    for confidence, value in {
        0.0: 0.1,
        0.2: 0.1,
        0.3: 0.3,
        0.4: 0.5,
        0.5: 0.55,
        0.6: 0.6,
        0.8: 0.7,
        1.0: 0.7,
    }.items():
        assert rising(confidence) == pytest.approx(value), confidence


def test_a_rising_function_without_knots_changes_nothing():
    assert RisingFunction([])(0.3) == 0.3


def test_two_knots_at_one_place_are_a_step():
    rising = RisingFunction([[0.5, 0.2], [0.5, 0.9]])
    assert (rising(0.4), rising(0.5), rising(0.6)) == (0.2, 0.2, 0.9)


def test_words_are_compared_within_their_bin_of_confidence():
    """Of 15 bins: 0.06 and 0.07 are on two sides of a border, and 1 belongs to the last."""
    assert calibration_error([0.06, 0.07], [1, 0]) == pytest.approx((0.94 + 0.07) / 2)
    assert calibration_error([0.06, 0.07], [1, 0], bins=10) == pytest.approx(0.87 / 2)
    assert calibration_error([0.95, 1.0], [1, 1]) == pytest.approx(0.05 / 2)
    assert calibration_error([0.9, 1.0], [1, 0]) == pytest.approx((0.1 + 1) / 2)
    assert calibration_error([1.0, 0.0], [0, 1]) == 1
    assert calibration_error([math.nan], [1]) == 0
