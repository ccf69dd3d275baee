"""Confidences: the same trees, probabilities of moves, and calibration."""

from __future__ import annotations

import math
import random
from array import array
from pathlib import Path

import pytest

import treewright
from tests.toy import DEV, TEST, TRAIN
from treewright.errors import ModelFileError, TreewrightError, TreewrightWarning
from treewright.parsing.confidence import ConfidentParser, Margins
from treewright.parsing.parser import Parser
from treewright.training.calibration import RisingFunction, calibration_error, isotonic
from treewright.training.margins import likelihood
from treewright.treebank.block import Block
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.misc_values import with_misc_number
from treewright.treebank.reading import read_blocks


@pytest.fixture(scope="module", params=["lean", "malt"])
def parser(request: pytest.FixtureRequest) -> Parser:
    """Lean decides the kind first, then the relation; malt both together."""
    made: Parser = treewright.train(TRAIN, DEV, features=request.param, iterations=2)
    return made


def test_trees_stay_and_confidences_come(parser: Parser, tmp_path: Path) -> None:
    parser.save(tmp_path / "model.tw")
    sure = treewright.load(str(tmp_path / "model.tw"))
    parser.parse_file(TEST, tmp_path / "plain.conllu")
    sure.parse_file(TEST, tmp_path / "sure.conllu", threads=2, confidence=True)
    values = []
    for one, two in zip(
        treewright.read(tmp_path / "plain.conllu"), treewright.read(tmp_path / "sure.conllu"), strict=True
    ):
        for a, b in zip(one.words, two.words, strict=True):
            assert (a.head, a.deprel, a.form) == (b.head, b.deprel, b.form)
            if "Confidence" in b.misc:
                values.append(float(b.misc["Confidence"]))
    assert len(values) > 0.95 * sum(len(s.words) for s in treewright.read(TEST))
    assert all(0 <= value <= 1 for value in values)
    assert len(set(values)) > 20
    assert parser.info["calibration"]["ece"] < max(0.05, parser.info["calibration"]["ece_before"])


def test_confidence_is_the_share_of_the_chosen_move(parser: Parser) -> None:
    """With a factor of nearly 0 all legal moves are alike; with a huge one the chosen move takes all."""
    block = next(iter(read_blocks(TEST)))

    def mean(beta: float) -> float:
        n = block.n_words
        found = array("f", bytes(4 * n))
        heads, labels = array("i", bytes(4 * n)), array("i", bytes(4 * n))
        ConfidentParser(parser.engine, {"beta": beta}).parse_block(block, heads, labels, found)
        shown = [value for value in found if value == value]
        return sum(shown) / len(shown)

    assert mean(1e-9) < 0.2
    assert mean(1e9) > 0.98
    assert mean(1e-9) < mean(0.01) < mean(0.1) < mean(1e9)


def test_a_model_without_dev_warns() -> None:
    bare = treewright.train(DEV, features="lean", iterations=1)
    with pytest.warns(TreewrightWarning, match="--dev"):
        bare.parse(["a", "b"], confidence=True)


def test_formats_without_misc_are_refused(parser: Parser, tmp_path: Path) -> None:
    with pytest.warns(TreewrightWarning, match="cannot hold"):
        treewright.convert(TEST, tmp_path / "test.conllx", to="conllx")
    with pytest.raises(TreewrightError, match="no MISC"):
        parser.parse_file(tmp_path / "test.conllx", tmp_path / "out", format="conllx", confidence=True)


def test_isotonic_calibration_is_kept(tmp_path: Path) -> None:
    made = treewright.train(TRAIN, DEV, features="lean", iterations=2, calibration="isotonic")
    knots = made.settings["confidence"]["knots"]
    assert knots == sorted(knots)
    assert [b for _, b in knots] == sorted(b for _, b in knots)
    made.save(tmp_path / "model.tw")
    text = treewright.load(str(tmp_path / "model.tw")).parse(next(iter(treewright.read(TEST))), confidence=True)
    levels = {round(b, 3) for _, b in knots}
    found = [float(word.misc["Confidence"]) for word in text.words if "Confidence" in word.misc]
    assert found
    assert all(min(levels) - 1e-3 <= value <= max(levels) + 1e-3 for value in found)


@pytest.mark.parametrize(
    "bad",
    [
        {"beta": 0},
        {"beta": -1},
        {"beta": 1, "knots": [[0.5, 0.5], [0.4, 0.6]]},
        {"beta": 1, "knots": [[0, 2]]},
    ],
)
def test_damaged_calibrations_are_refused(parser: Parser, bad: dict) -> None:
    with pytest.raises(ModelFileError, match="calibration"):
        ConfidentParser(parser.engine, bad)


def test_isotonic_regression_is_the_best_rising_function() -> None:
    rng = random.Random(1)
    pairs = [(rng.random(), rng.randrange(2)) for _ in range(40)]
    knots = isotonic(pairs)
    values = [b for _, b in knots]
    assert values == sorted(values)
    # Pooling by hand: the value of a place is the largest mean from any place before it to the smallest end after it.
    rights = [good for _, good in sorted(pairs)]
    expected = [
        max(min(sum(rights[i:j]) / (j - i) for j in range(place + 1, 41)) for i in range(place + 1))
        for place in range(40)
    ]
    assert set(values) == {round(value, 6) for value in expected}
    function = RisingFunction(knots)
    assert function(0.0) == values[0]
    assert function(1.0) == values[-1]
    assert math.isnan(function(math.nan))


def test_calibration_error_by_hand() -> None:
    assert calibration_error([0.9] * 10, [1] * 9 + [0]) == pytest.approx(0)
    assert calibration_error([0.9] * 10, [1] * 5 + [0] * 5) == pytest.approx(0.4)
    assert calibration_error([0.9] * 5 + [0.1] * 5 + [math.nan], [1] * 5 + [0] * 5 + [1]) == pytest.approx(0.1)
    assert calibration_error([], []) == 0
    assert likelihood(array("f", [0.5, 0.5, math.nan]), bytearray([1, 0, 1])) == pytest.approx(math.log(0.5))
    assert len(Margins()) == 0


def test_misc_keeps_all_else() -> None:
    rows = ["_", "SpaceAfter=No", "Confidence=0.1", "A=1|Confidence=9|B=2", "ConfidenceX=1", "Confidence", "|", "x"]
    lines = [f"{i}\tw\t_\t_\t_\t_\t{0 if i == 1 else 1}\troot\t_\t{misc}" for i, misc in enumerate(rows, 1)]
    text = "# c\n" + "\n".join(lines) + "\n\n"
    block = Block(text.encode(), CONLLU, "x")
    values = array("f", [0.5, 1, 0.25, 0.1234, 0, 0.5, 0.5, math.nan])
    out = with_misc_number(block, b"Confidence", values).decode()
    assert [line.split("\t")[9] for line in out.splitlines()[1:-1]] == [
        "Confidence=0.500",
        "SpaceAfter=No|Confidence=1.000",
        "Confidence=0.250",
        "A=1|B=2|Confidence=0.123",
        "ConfidenceX=1|Confidence=0.000",
        "Confidence|Confidence=0.500",
        "Confidence=0.500",
        "x",
    ]
    assert [line.split("\t")[:9] for line in out.splitlines()] == [line.split("\t")[:9] for line in text.splitlines()]
