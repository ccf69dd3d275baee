"""Weights as they were learnt: the same scores as the averaged perceptron, from memory and from a file."""

from __future__ import annotations

from array import array
from pathlib import Path

import pytest
from treewright.learners.perceptron import Perceptron
from treewright.learners.plain_weights import PlainWeights, averaged

import treewright as tw
from tests.toy import DEV, TRAIN
from treewright.errors import ModelFileError
from treewright.kinds.transition.parser import TransitionParser
from treewright.systems import make_system


@pytest.fixture(scope="module")
def model() -> TransitionParser:
    made = tw.train(TRAIN, precision="float", keep="last", iterations=3, seed=4)
    assert isinstance(made, TransitionParser)
    return made


def test_a_model_with_floats_parses_as_well_and_survives_a_file(model: TransitionParser, tmp_path: Path) -> None:
    assert isinstance(model.weights, PlainWeights)
    path = tmp_path / "float.tw"
    model.save(path)
    again = tw.load(path)
    ours, theirs = tmp_path / "ours.conllu", tmp_path / "theirs.conllu"
    model.parse_file(DEV, ours)
    again.parse_file(DEV, theirs)
    assert ours.read_bytes() == theirs.read_bytes()
    assert tw.evaluate(DEV, ours).las > 60


def test_floats_and_bytes_nearly_agree(model: TransitionParser, tmp_path: Path) -> None:
    rounded = tw.train(TRAIN, prune=False, keep="last", iterations=3, seed=4)
    scores = []
    for each in (model, rounded):
        each.parse_file(DEV, tmp_path / "out.conllu")
        scores.append(tw.evaluate(DEV, tmp_path / "out.conllu").las)
    assert abs(scores[0] - scores[1]) < 3


def test_averaged_weights_are_those_of_the_perceptron(model: TransitionParser) -> None:
    weights = averaged(Perceptron(3, 4))
    assert len(weights) == 0
    scorer = model.weights.scorer(make_system("arc-eager")) if isinstance(model.weights, PlainWeights) else None
    assert isinstance(scorer, Perceptron)
    keys = memoryview(model.weights.arrays["features"]).cast("Q")
    moves = memoryview(model.weights.arrays["moves"]).cast("f")
    for number in range(0, len(keys), 97):
        found = scorer.weights_of(keys[number])
        assert found is not None
        assert found[0] == pytest.approx(list(moves[4 * number : 4 * number + 4]))


@pytest.mark.parametrize(
    "change",
    [
        {"features": array("Q", [5, 5])},
        {"features": array("Q", [0, 5])},
        {"sizes": array("H", [1, 9])},
        {"values": array("f", [float("nan"), 1])},
        {"moves": array("f", [float("inf")] * 8)},
        {"classes": array("H", [0, 3])},
    ],
)
def test_damaged_weights_are_rejected(change: dict[str, array[float]]) -> None:
    good = {
        "features": array("Q", [5, 6]),
        "moves": array("f", [1.0] * 8),
        "sizes": array("H", [1, 1]),
        "classes": array("H", [0, 1]),
        "values": array("f", [1.0, 2.0]),
    }
    settings = {"n_classes": 2, "kind_weights": 4}
    PlainWeights(good, settings).scorer(make_system("arc-eager"))
    with pytest.raises(ModelFileError, match="damaged"):
        PlainWeights({**good, **change}, settings).scorer(make_system("arc-eager"))
