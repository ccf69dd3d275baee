"""How sure enhanced graphs are of a word's heads: fitted on a dev set, with trees as the parser gives them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import chain
from typing import Any

from treewright.kinds.enhanced.parser import Calibration, EnhancedParser, usual_beta
from treewright.kinds.transition.calibration import RisingFunction, calibration_error, isotonic
from treewright.treebank.blocks.block import Block
from treewright.treebank.graphs.graph import Graph

POWERS = [step / 2 for step in range(-16, 5)]  # of 2: factors of scores that are tried
SUREST = 1 - 1e-6  # for likelihoods: nothing is certain


def calibration_on(
    parser: EnhancedParser, dev: Sequence[tuple[Block, list[Graph]]]
) -> tuple[Calibration, dict[str, Any]]:
    """Return what makes probabilities of a parser's scores, and what people may want to know of it."""
    right = [
        set(found) == set(wanted)
        for block, gold in dev
        for ours, theirs in zip(parser.parse_graphs(block), gold, strict=True)
        for found, wanted in zip(ours, theirs, strict=True)
    ]

    def confidences(beta: float) -> list[float]:
        return list(chain.from_iterable(parser.raw_confidences(block, beta) for block, _ in dev))

    usual = usual_beta(parser.weights)
    beta = max((usual * 2**power for power in POWERS), key=lambda beta: _likelihood(confidences(beta), right))
    pairs = [(sure, int(good)) for sure, good in zip(confidences(beta), right, strict=True) if sure == sure]
    knots = isotonic(pairs)
    worth, rights = RisingFunction(knots), [good for _, good in pairs]
    info = {
        "method": "isotonic",
        "ece_before": round(calibration_error([sure for sure, _ in pairs], rights), 5),
        "ece": round(calibration_error([worth(sure) for sure, _ in pairs], rights), 5),
    }
    return {"beta": beta, "knots": knots}, info


def _likelihood(confidences: Sequence[float], right: Sequence[bool]) -> float:
    """Return the logarithm of the likelihood of what is right; words without heads do not count."""
    total = 0.0
    for confidence, good in zip(confidences, right, strict=True):
        if confidence == confidence:
            sure = min(max(confidence, 1 - SUREST), SUREST)
            total += math.log(sure if good else 1 - sure)
    return total
