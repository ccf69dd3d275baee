"""Test whether the difference between two parsers is significant: McNemar's test and the paired bootstrap."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from treewright.errors import TreewrightError, unknown
from treewright.evaluation.attachment import Convention, check_convention
from treewright.evaluation.comparison import Names
from treewright.evaluation.resampling import resampled_ratios
from treewright.evaluation.score import percent
from treewright.evaluation.stretches import comparisons, name_of
from treewright.evaluation.tally import right_per_sentence
from treewright.treebank.files.source import Source

EXACT_UP_TO = 1000
METRICS = ("las", "uas")


@dataclass(frozen=True)
class McNemar:
    """McNemar's test on the words that only one of two systems gets right.

    ``p_value`` is two-sided. Up to 1,000 such words the test is exact (binomial), and ``statistic`` is the smaller of
    the two counts. Above that, ``statistic`` is chi-square with continuity correction.
    """

    only_first: int
    only_second: int
    statistic: float
    p_value: float
    method: str


@dataclass(frozen=True)
class Bootstrap:
    """The paired bootstrap over sentences.

    ``difference`` is first minus second, ``low`` and ``high`` bound its 95 % interval, all in percentage points.
    ``p_value`` is two-sided: the share of resampled differences that are at least as far from the observed difference
    as the observed difference is from zero.
    """

    difference: float
    low: float
    high: float
    p_value: float
    resamples: int
    seed: int


@dataclass(frozen=True)
class PairedTests:
    """The tests of two systems against one gold standard, as JSON and as text."""

    first: str
    second: str
    mcnemar: McNemar
    bootstrap: Bootstrap

    def to_dict(self) -> dict[str, Any]:
        """Return all fields for JSON."""
        return asdict(self)

    def text(self, heading: str, first_score: float, second_score: float, unit: str = "") -> str:
        """Return scores and tests as text; ``unit`` names what McNemar's test counts."""
        test, sample = self.mcnemar, self.bootstrap
        return "\n".join(
            (
                heading,
                f"  first   {first_score:6.2f}  {self.first or '(text)'}",
                f"  second  {second_score:6.2f}  {self.second or '(text)'}",
                f"  difference {sample.difference:+.2f}, 95 % between {sample.low:+.2f} and {sample.high:+.2f}",
                f"  McNemar{unit} ({test.method}): only first right {test.only_first},"
                f" only second {test.only_second}, {_shown(test.p_value)}",
                f"  paired bootstrap ({sample.resamples} resamples, seed {sample.seed}): {_shown(sample.p_value)}",
            )
        )


@dataclass(frozen=True)
class SystemComparison(PairedTests):
    """Two systems' outputs against one gold standard."""

    metric: str
    punctuation: str
    relation: str
    average: str
    words: int
    sentences: int
    first_score: float
    second_score: float

    def __str__(self) -> str:
        heading = (
            f"{self.metric.upper()} ({self.average}, punctuation {self.punctuation},"
            f" relation {self.relation}) over {self.words} words, {self.sentences} sentences"
        )
        return self.text(heading, self.first_score, self.second_score)


def _shown(p_value: float) -> str:
    return f"p = {p_value:.4g}" if p_value > 1e-12 else "p < 1e-12"


def mcnemar(only_first: int, only_second: int) -> McNemar:
    """Test whether two systems are correct equally often, given how often only one of them is."""
    total, fewer = only_first + only_second, min(only_first, only_second)
    if total <= EXACT_UP_TO:
        tail = sum(math.comb(total, k) for k in range(fewer + 1))
        p_value = min(1.0, 2 * tail / 2**total)
        return McNemar(only_first, only_second, float(fewer), p_value, "exact binomial")
    statistic = max(0, abs(only_first - only_second) - 1) ** 2 / total
    p_value = math.erfc(math.sqrt(statistic / 2))
    return McNemar(only_first, only_second, statistic, p_value, "chi-square")


def bootstrap(
    first: Sequence[float], second: Sequence[float], weights: Sequence[float], *, resamples: int = 10_000, seed: int = 1
) -> Bootstrap:
    """Resample sentences.

    ``first`` and ``second`` are the correct words of each sentence, ``weights`` its scored words. With sentence scores
    and weights of 1, this is the bootstrap of their mean.
    """
    check_resamples(resamples)
    numerators = array("d", (a - b for a, b in zip(first, second, strict=True)))
    denominators = array("d", weights)
    if len(denominators) != len(numerators):
        raise ValueError("scores and weights must cover the same sentences")
    total = sum(denominators)
    observed = sum(numerators) / total if total else 0.0
    return bootstrap_of(observed, resampled_ratios(numerators, denominators, resamples, seed % 2**64), seed)


def check_resamples(resamples: int) -> None:
    """Reject a bootstrap without samples."""
    if resamples < 1:
        raise TreewrightError(f"{resamples} resamples: the bootstrap needs at least one")


def bootstrap_of(observed: float, drawn: Iterable[float], seed: int) -> Bootstrap:
    """Return the result for an observed difference and the resampled differences, all as shares."""
    ordered = sorted(drawn)
    # The tolerance prevents rounding in the sums from deciding ties.
    far = sum(abs(difference - observed) >= abs(observed) - 1e-12 for difference in ordered)
    return Bootstrap(
        difference=100 * observed,
        low=100 * _quantile(ordered, 0.025),
        high=100 * _quantile(ordered, 0.975),
        p_value=(far + 1) / (len(ordered) + 1),
        resamples=len(ordered),
        seed=seed,
    )


def _quantile(ordered: Sequence[float], share: float) -> float:
    return ordered[round(share * (len(ordered) - 1))]


def compare_systems(
    gold: Source,
    first: Source,
    second: Source,
    *,
    metric: str = "las",
    punctuation: str = "all",
    relation: str = "full",
    average: str = "micro",
    resamples: int = 10_000,
    seed: int = 1,
) -> SystemComparison:
    """Test the difference between two systems' outputs.

    All three files must have the same words.
    """
    check_convention(punctuation, relation, average)
    if metric not in METRICS:
        raise TreewrightError(unknown("metric", metric, METRICS))
    convention = Convention(metric, punctuation, relation)
    ours = _decisions(gold, first, convention.ignored_flags, convention.right_flags)
    theirs = _decisions(gold, second, convention.ignored_flags, convention.right_flags)
    only_first = sum(a > b for a, b in zip(ours.right, theirs.right, strict=True))
    only_second = sum(a < b for a, b in zip(ours.right, theirs.right, strict=True))
    scores = [_sentence_values(decisions, average) for decisions in (ours, theirs)]
    # A sentence without scored words has no score and does not count in a mean over sentences.
    scored = [int(words > 0) for words in ours.sentence_words]
    weights = ours.sentence_words if average == "micro" else scored
    return SystemComparison(
        first=name_of(first),
        second=name_of(second),
        metric=metric,
        punctuation=punctuation,
        relation=relation,
        average=average,
        words=sum(ours.sentence_words),
        sentences=sum(scored),
        first_score=percent(sum(scores[0]), sum(weights)),
        second_score=percent(sum(scores[1]), sum(weights)),
        mcnemar=mcnemar(only_first, only_second),
        bootstrap=bootstrap(scores[0], scores[1], weights, resamples=resamples, seed=seed),
    )


class _Decisions(NamedTuple):
    right: bytes  # one byte per scored word: 1 if the system is correct
    sentence_words: array[int]
    sentence_right: array[int]


def _decisions(gold: Source, system: Source, ignored_flags: int, wanted_flags: int) -> _Decisions:
    verdict = bytes((flags & wanted_flags) == wanted_flags for flags in range(256))
    ignored = bytes(flags for flags in range(256) if flags & ignored_flags)
    parts: list[bytes] = []
    words, rights = array("i"), array("i")
    for pair in comparisons(gold, system, Names()):
        parts.append(pair.flags.tobytes().translate(verdict, ignored))
        n_words, n_right = right_per_sentence(pair, ignored_flags, wanted_flags)
        words.extend(n_words)
        rights.extend(n_right)
    return _Decisions(b"".join(parts), words, rights)


def _sentence_values(decisions: _Decisions, average: str) -> Sequence[float]:
    """Return the correct words of each sentence, or their share for a mean over sentences."""
    if average == "micro":
        return decisions.sentence_right
    pairs = zip(decisions.sentence_right, decisions.sentence_words, strict=True)
    return [right / words if words else 0.0 for right, words in pairs]
