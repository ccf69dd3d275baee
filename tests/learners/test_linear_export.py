"""A matrix of weights in the table gives the scores of the matrix."""

from __future__ import annotations

import random
from array import array

import pytest
from treewright.learners.feature_index import FeatureIndex
from treewright.learners.learner import Moves
from treewright.learners.linear_export import freeze_matrix
from treewright.learners.table import LinearTable

from tests.learners.reference import spread_keys
from treewright.systems import make_system


@pytest.mark.parametrize("with_bias", [False, True])
def test_scores_are_those_of_the_matrix(with_bias: bool) -> None:
    rng = random.Random(3)
    moves = Moves(make_system("arc-eager"), [(k, label) for k in (2, 3) for label in range(9)], range(9), range(9))
    keys = spread_keys(rng, 60)
    index = FeatureIndex()
    for key in keys:
        index.add(key)
    decisions = rng.sample(range(20), 20)  # columns in any order
    weights = array("d", [rng.gauss(0, 1) for _ in range(60 * 20)])
    bias = [rng.gauss(0, 1) for _ in range(20)] if with_bias else None
    table = LinearTable(freeze_matrix(index, weights, decisions, [0, 1], moves, 4, bias, 7 if with_bias else 0))
    for _ in range(20):
        chosen = sorted({6, *rng.sample(range(60), 8)})
        kinds, classes = table.score_keys([keys[i] for i in chosen], [0, len(chosen), 0])
        expected = [0.0] * 20
        for column, decision in enumerate(decisions):
            expected[decision] = sum(weights[20 * i + column] for i in chosen) + (bias[column] if bias else 0)
        scored = [kinds[0], kinds[1]] + [kinds[k] + classes[i] for i, (k, _) in enumerate(moves.classes)]
        # Each weight is rounded to a step of largest / 127, twice for labelled moves.
        step = 1 / table.scale
        for a, b in zip(scored, expected, strict=True):
            assert abs(a * step - b) <= len(chosen) * step + 1e-6


def test_a_bias_needs_a_feature() -> None:
    moves = Moves(make_system("arc-eager"), [(2, 0), (3, 0)], [0], [0])
    index = FeatureIndex()
    index.add(12345)
    with pytest.raises(ValueError, match="every configuration"):
        freeze_matrix(index, array("d", [1, 2]), [0, 1], [0, 1], moves, 4, [1, 1])
    with pytest.raises(ValueError, match="expected 2 weights"):
        freeze_matrix(index, array("d", [1]), [0, 1], [0, 1], moves, 4)
    with pytest.raises(ValueError, match="a column is for decision 9"):
        freeze_matrix(index, array("d", [1]), [9], [0, 1], moves, 4)
