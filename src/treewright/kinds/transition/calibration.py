"""Confidences that mean what they say: of arcs with confidence 0.9, nine in ten are right.

One factor on all scores (temperature scaling: Guo et al. 2017) is fitted on a dev set by likelihood. With
``isotonic``, a rising function of the confidence follows, fitted by pooling adjacent violators.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from treewright.kinds.transition.engines.confidence import ConfidentParser, Margins
from treewright.kinds.transition.learning.confidence import likelihood, margins_on

if TYPE_CHECKING:
    from treewright.kinds.transition.engines.greedy import GreedyParser
    from treewright.kinds.transition.learning.corpus import Corpus

BINS = 15
MOST_KNOTS = 100


def calibrate(engine: GreedyParser, corpus: Corpus, method: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Fit a calibration on a corpus; return what the model keeps for parsing, and what people may want to know."""
    raw = ConfidentParser(engine)
    margins, right = margins_on(raw, corpus)
    before = margins.confidences(raw.beta, len(right))
    beta = _best_beta(margins, right, raw.beta)
    confidences = margins.confidences(beta, len(right))
    settings: dict[str, Any] = {"beta": beta}
    if method == "isotonic":
        settings["knots"] = isotonic([(p, r) for p, r in zip(confidences, right, strict=True) if p == p])
        after = [RisingFunction(settings["knots"])(p) for p in confidences]
    else:
        after = list(confidences)
    info = {
        "method": method,
        "ece_before": round(calibration_error(before, right), 5),
        "ece": round(calibration_error(after, right), 5),
    }
    return settings, info


def _best_beta(margins: Margins, right: bytearray, start: float) -> float:
    """Return the factor of the greatest likelihood, by golden section on its logarithm."""

    def worth(power: float) -> float:
        return likelihood(margins.confidences(start * math.exp(power), len(right)), right)

    low, high = -7.0, 7.0
    share = (math.sqrt(5) - 1) / 2
    inner = [high - share * (high - low), low + share * (high - low)]
    values = [worth(power) for power in inner]
    for _ in range(24):
        if values[0] >= values[1]:
            high, inner[1], values[1] = inner[1], inner[0], values[0]
            inner[0] = high - share * (high - low)
            values[0] = worth(inner[0])
        else:
            low, inner[0], values[0] = inner[0], inner[1], values[1]
            inner[1] = low + share * (high - low)
            values[1] = worth(inner[1])
    return start * math.exp((low + high) / 2)


def isotonic(pairs: Sequence[tuple[float, int]]) -> list[list[float]]:
    """Return the knots of the rising function that fits (confidence, right or not) best, 100 at most."""
    blocks: list[list[float]] = []  # [sum of confidences, sum of rights, number]
    for confidence, equals in groupby(sorted(pairs), key=itemgetter(0)):  # many words have a confidence of exactly 1
        rights = [good for _, good in equals]
        blocks.append([confidence * len(rights), sum(rights), len(rights)])
        while len(blocks) > 1 and blocks[-2][1] * blocks[-1][2] >= blocks[-1][1] * blocks[-2][2]:
            last = blocks.pop()
            blocks[-1] = [a + b for a, b in zip(blocks[-1], last, strict=True)]
    least = len(pairs) / MOST_KNOTS
    merged: list[list[float]] = []
    for block in blocks:
        if merged and merged[-1][2] < least:
            merged[-1] = [a + b for a, b in zip(merged[-1], block, strict=True)]
        else:
            merged.append(block)
    return [[round(p / n, 6), round(good / n, 6)] for p, good, n in merged]


class RisingFunction:
    """The rising function in Python, for judging a calibration; parsers run it compiled."""

    def __init__(self, knots: Sequence[Sequence[float]]) -> None:
        self.knots = knots

    def __call__(self, confidence: float) -> float:
        """Return what a confidence is worth."""
        if confidence != confidence or not self.knots:
            return confidence
        before = self.knots[0]
        for knot in self.knots:
            if knot[0] >= confidence:
                width = knot[0] - before[0]
                step = (confidence - before[0]) / width if width > 0 else 1.0
                return before[1] + max(step, 0.0) * (knot[1] - before[1])
            before = knot
        return before[1]


def calibration_error(confidences: Sequence[float], right: Sequence[int], bins: int = BINS) -> float:
    """Return the expected calibration error: how far confidence and accuracy are apart in bins of confidence.

    The mean over words of |mean confidence − share of right arcs| in their bin; words without one do not count.
    """
    totals = [[0.0, 0.0, 0.0] for _ in range(bins)]
    for confidence, good in zip(confidences, right, strict=True):
        if confidence == confidence:
            cell = totals[min(int(confidence * bins), bins - 1)]
            cell[0] += confidence
            cell[1] += good
            cell[2] += 1
    n = sum(count for *_, count in totals)
    return sum(abs(sure - good) for sure, good, _ in totals) / n if n else 0.0
