"""The interval around how much more mistakes follow mistakes, against a bootstrap written again."""

from __future__ import annotations

import json
from array import array
from types import SimpleNamespace

import pytest

from tests.splitmix import draws
from treewright.analysis import moves
from treewright.analysis.moves import COUNTS, MoveAnalysis

LATER, CORRECTED = [3, 0, 5, 2, 7, 1, 4], [1, 1, 2, 2, 3, 0, 1]
MISTAKES = [4, 0, 6, 3, 8, 2, 5]


def analysis_of(**columns: list[int]) -> MoveAnalysis:
    """Return an analysis that has counted this, sentence by sentence."""
    n = len(next(iter(columns.values())))
    made = object.__new__(MoveAnalysis)
    made._replay = SimpleNamespace(rows=[columns.get(name, [0] * n)[place] for place in range(n) for name in COUNTS])
    made._parser = SimpleNamespace(engine=SimpleNamespace(system=SimpleNamespace(name="arc-x")))
    return made


@pytest.mark.parametrize("seed", [1, 5, 2**64 + 5])
def test_the_interval_is_that_of_two_thousand_resamples(seed):
    found = analysis_of(mistakes=MISTAKES, later_mistakes=LATER, corrected_later_mistakes=CORRECTED).report(seed)
    places, ratios = draws(7, seed % 2**64), []
    for _ in range(2000):
        drawn = [next(places) for _ in range(7)]
        below = sum(CORRECTED[place] for place in drawn)
        ratios.append(sum(LATER[place] for place in drawn) / below if below else 0.0)
    ratios.sort()
    assert found.inflation == pytest.approx(2.2)
    assert (found.low, found.high) == (pytest.approx(ratios[round(0.025 * 1999)]), pytest.approx(ratios[1949]))
    assert (found.system, found.sentences, found.sentences_with_mistakes) == ("arc-x", 7, 6)
    assert (found.mistakes, found.later_mistakes, found.corrected_later_mistakes) == (28, 22, 10)


def test_the_interval_leaves_out_fifty_resamples_on_either_side(monkeypatch: pytest.MonkeyPatch):
    """Of ratios 0 to 1999, from high to low, 50 are below it and 50 above."""
    monkeypatch.setattr(moves, "resampled_ratios", lambda *arguments: array("d", range(1999, -1, -1)))
    found = analysis_of(later_mistakes=LATER, corrected_later_mistakes=CORRECTED).report()
    assert (found.low, found.high) == (50.0, 1949.0)


def test_one_mistake_is_a_mistake():
    found = analysis_of(mistakes=[0, 1, 2, 1]).report()
    assert (found.sentences, found.sentences_with_mistakes, found.mistakes) == (4, 3, 4)
    assert json.dumps(found.to_dict()["sentences"]) == "4"


def test_the_seed_is_one_unless_another_is_chosen():
    made = analysis_of(later_mistakes=LATER, corrected_later_mistakes=CORRECTED)
    assert made.report() == made.report(1)
    assert made.report() != made.report(2)


def test_without_mistakes_after_corrections_there_is_no_ratio():
    found = analysis_of(later_mistakes=[1, 2]).report()
    assert (found.inflation, found.low, found.high, found.later_mistakes) == (None, None, None, 3)
