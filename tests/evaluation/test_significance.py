"""Significance tests against known values, enumeration and simple cases."""

from __future__ import annotations

import itertools
import math
from random import Random

import pytest
from treewright.evaluation.resampling import resampled_ratios

from tests.evaluation import generated_treebanks as generated
from treewright.errors import TreewrightError
from treewright.evaluation import bootstrap, compare_systems, evaluate, mcnemar


@pytest.mark.parametrize("only_first", range(7))
@pytest.mark.parametrize("only_second", range(7))
def test_exact_mcnemar_is_the_share_of_coin_throws(only_first: int, only_second: int) -> None:
    n = only_first + only_second
    observed = abs(only_first - only_second)
    throws = list(itertools.product((1, -1), repeat=n))
    share = sum(abs(sum(throw)) >= observed for throw in throws) / len(throws)
    assert mcnemar(only_first, only_second).p_value == pytest.approx(share)


def test_mcnemar_of_many_words() -> None:
    """Chi-square 3.841459 with one degree of freedom is the five percent point."""
    result = mcnemar(5000, 5197)
    assert result.method == "chi-square"
    assert result.statistic == pytest.approx(196**2 / 10197)
    five_percent = mcnemar(50_000, 50_000 + round(1 + math.sqrt(3.841459 * 100_620)))
    assert five_percent.p_value == pytest.approx(0.05, abs=0.001)
    assert mcnemar(600, 600).p_value == 1


def test_the_two_methods_meet() -> None:
    exact, approximate = mcnemar(460, 540), mcnemar(461, 541)
    assert exact.method != approximate.method
    assert exact.p_value == pytest.approx(approximate.p_value, rel=0.02)


def test_bootstrap_against_all_resamples() -> None:
    """With three sentences all 27 resamples can be enumerated."""
    first, second, weights = [3, 1, 4], [1, 2, 2], [4, 2, 5]
    observed = (8 - 5) / 11
    far = 0
    for places in itertools.product(range(3), repeat=3):
        ratio = sum(first[i] - second[i] for i in places) / sum(weights[i] for i in places)
        far += abs(ratio - observed) >= observed
    result = bootstrap(first, second, weights, resamples=200_000, seed=3)
    assert result.difference == pytest.approx(100 * observed)
    assert result.p_value == pytest.approx(far / 27, abs=0.005)


def test_every_place_is_drawn_equally_often() -> None:
    from array import array

    n, resamples = 7, 20_000
    for place in range(n):
        hits = array("d", (float(i == place) for i in range(n)))
        ratios = resampled_ratios(hits, array("d", [1.0] * n), resamples, 11)
        assert sum(ratios) / resamples == pytest.approx(1 / n, rel=0.05)


def test_the_same_seed_gives_the_same_result() -> None:
    random = Random(1)
    first, second = ([random.randint(0, 20) for _ in range(50)] for _ in range(2))
    one, same, other = (bootstrap(first, second, [20] * 50, resamples=500, seed=seed) for seed in (1, 1, 2))
    assert one == same
    assert (one.low, one.high, one.p_value) != (other.low, other.high, other.p_value)
    assert one.low <= one.difference <= one.high


def test_bootstrap_needs_resamples() -> None:
    with pytest.raises(TreewrightError, match="at least one"):
        bootstrap([1], [1], [1], resamples=0)


@pytest.mark.parametrize("metric", ["las", "uas"])
@pytest.mark.parametrize("average", ["micro", "macro"])
@pytest.mark.parametrize("punctuation", ["all", "upos", "form"])
def test_systems_have_the_scores_that_evaluate_gives(metric: str, average: str, punctuation: str) -> None:
    random = Random(8)
    analysis = [s for _ in range(20) for s in generated.sentences(random, generated.text(random))]
    gold = generated.conllu(random, analysis)
    first, second = (generated.disturbed(random, gold, chance) for chance in (0.1, 0.4))
    result = compare_systems(
        gold.encode(),
        first.encode(),
        second.encode(),
        metric=metric,
        punctuation=punctuation,
        average=average,
        resamples=2000,
    )
    for score, system in ((result.first_score, first), (result.second_score, second)):
        scores = evaluate(gold.encode(), system.encode()).attachment(punctuation, average=average)
        assert score == pytest.approx(getattr(scores, metric))
    assert result.bootstrap.difference == pytest.approx(result.first_score - result.second_score)
    assert result.bootstrap.p_value < 0.05
    assert result.mcnemar.p_value < 0.05
    assert "McNemar" in str(result)


def test_a_system_does_not_differ_from_itself() -> None:
    random = Random(2)
    gold = generated.conllu(random, generated.sentences(random, generated.text(random)))
    system = generated.disturbed(random, gold).encode()
    result = compare_systems(gold.encode(), system, system, resamples=100)
    assert result.mcnemar.p_value == result.bootstrap.p_value == 1
    assert result.to_dict()["bootstrap"]["difference"] == 0


def test_an_unknown_metric_is_refused() -> None:
    with pytest.raises(TreewrightError, match="las, uas"):
        compare_systems(b"", b"", b"", metric="blex")
