"""Confidences: the same trees, probabilities of moves, and calibration."""

from __future__ import annotations

import math
import random
from array import array
from pathlib import Path

import pytest
from treewright.features.inspection import extracted
from treewright.kinds.transition.engines.confidence import ConfidentParser, Margins
from treewright.kinds.transition.learning.confidence import likelihood
from treewright.systems.system import Parse
from treewright.treebank.blocks.block import Block
from treewright.treebank.blocks.misc_values import with_misc_number

import treewright
from tests.toy import DEV, TEST, TRAIN
from treewright.errors import ModelFileError, TreewrightError, TreewrightWarning
from treewright.kinds.transition.calibration import RisingFunction, calibration_error, isotonic
from treewright.steps.parser import Parser
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.formats.conllu import CONLLU


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


def scored_moves(parser: Parser, parse: Parse, block: Block, sentence: int) -> dict[tuple[str, int | None], float]:
    """Return the score of every legal move, in the order in which the compiled parser compares them."""
    engine, settings, found = parser.engine, parser.settings, {}
    for move in parse.legal():
        arc = parse.arc(move)  # turns to its place
        kinds, classes = engine.scorer.score_keys(*extracted(engine.extractor, parse, block, sentence))
        kinds = [0.0] * (len(engine.system.kinds) - len(kinds)) + kinds  # with five kinds, the first scores 0
        kind = engine.system.kinds.index(move.split("_")[0])
        if arc is None:
            found[move, None] = kinds[kind]
            continue
        allowed = settings["word_labels"] if arc[0] else settings["root_labels"]
        for number, (of_kind, label) in enumerate(engine.moves.classes):
            if of_kind == kind and label in allowed:
                found[move, label] = kinds[kind] + classes[number]
    return found


def measured_arcs(parser: Parser, block: Block, sentence: int) -> list[tuple[int, int, int, float]]:
    """Parse in plain Python: (dependent, head, relation, probability of the move) for every arc, in order."""
    parse, arcs = Parse(parser.engine.system, len(block.words_of(sentence))), []
    beta = 1 / parser.engine.scorer.scale
    while not parse.terminal:
        scores = scored_moves(parser, parse, block, sentence)
        move, label = max(scores, key=lambda one: scores[one])
        arc = parse.arc(move)
        if arc is not None:
            best = scores[move, label]
            assert label is not None
            share = 1 / sum(math.exp(beta * (score - best)) for score in scores.values())
            arcs.append((arc[1], arc[0], label, share))
        parse.apply(move, label)
    return arcs


def with_deps(text: str) -> str:
    """Return a sentence with its tree in DEPS."""
    rows = [line.split("\t") for line in text.splitlines() if line[:1].isdigit()]
    return "\n".join("\t".join([*row[:8], f"{row[6]}:{row[7]}", row[9]]) for row in rows)


@pytest.mark.parametrize("system", ["dag-arc-eager", "dag-crossing"])
def test_confidence_in_the_arcs_of_graphs(system: str, tmp_path: Path) -> None:
    """The probability of the move that made each arc, against a computation in plain Python."""
    path = tmp_path / "graphs.conllu"
    sentences = Path(TRAIN).read_text(encoding="utf-8").split("\n\n")[:150]
    path.write_text("".join(with_deps(text) + "\n\n" for text in sentences), encoding="utf-8")
    parser = treewright.train(path, system=system, iterations=1)
    engine = parser.engine
    block = next(iter(read_blocks(TEST)))
    dependents, heads, labels, confidences = engine.parse_block(block, engine.new_scratch(), confidences=True)
    assert (dependents, heads, labels) == engine.parse_block(block, engine.new_scratch())
    found = list(zip(dependents, heads, labels, confidences, strict=True))
    for sentence in range(0, block.n_sentences, 5):
        words = block.words_of(sentence)
        mine = [(word - words.start + 1, *rest) for word, *rest in found if word in words]
        expected = measured_arcs(parser, block, sentence)
        assert [arc[:3] for arc in mine] == [arc[:3] for arc in expected]
        assert [arc[3] for arc in mine] == pytest.approx([arc[3] for arc in expected], rel=1e-4)
    assert len({round(confidence, 3) for confidence in confidences}) > 20


def test_confidence_of_easy_first_is_among_the_moves_at_all_places() -> None:
    parser = treewright.train(DEV, system="easy-first", iterations=1, lifting="none")
    block = next(iter(read_blocks(TEST)))
    heads, labels = array("i", bytes(4 * block.n_words)), array("i", bytes(4 * block.n_words))
    confidences = array("f", bytes(4 * block.n_words))
    ConfidentParser(parser.engine).parse_block(block, heads, labels, confidences)
    assert (heads, labels) == parser.trees(block)[:3][1:]
    for sentence in range(0, block.n_sentences, 8):
        start = block.words_of(sentence).start - 1
        for word, head, label, share in measured_arcs(parser, block, sentence):
            assert (heads[start + word], labels[start + word]) == (head, label)
            assert confidences[start + word] == pytest.approx(share, rel=1e-4)


def test_a_model_without_dev_warns() -> None:
    bare = treewright.train(DEV, features="lean", iterations=1)
    with pytest.warns(TreewrightWarning, match="--dev"):
        bare.parse_words(["a", "b"], confidence=True)


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
