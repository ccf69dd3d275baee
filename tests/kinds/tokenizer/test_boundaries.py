"""Where tokens and sentences end by the tables of a model alone, and what its features know of open brackets."""

from __future__ import annotations

import random
from typing import Any

import pytest
from treewright.kinds.tokenizer.boundaries.boundaries import CELL_COUNT, SPAN_COUNT, BoundaryModel
from treewright.kinds.tokenizer.boundaries.characters import Characters, kind_number
from treewright.kinds.tokenizer.online import BoundaryTrainer
from treewright.learners.perceptron import Perceptron

INSIDE, TOKEN, SENTENCE = range(3)


def labels_of(text: str, usual: str, **settings: Any) -> list[int]:
    """Return the labels of a model without weights, which looks labels up by the kinds of the characters around."""
    found = bytearray(len(text))
    kept = {"longest": 1000, "marks": 0, "spaces_inside": False, "words": {}, "alphabet": "abc", **settings}
    kept = {"usual": usual, "spans": "1" * SPAN_COUNT, **kept}
    BoundaryModel(Perceptron(3, 0), kept).label(Characters(text.encode()), found)
    return list(found)


def together(letter: str) -> str:
    """Return a table by which tokens end everywhere but between two letters of a kind."""
    kind = kind_number(letter)
    place = 32 * kind + kind
    return "1" * place + "0" + "1" * (CELL_COUNT - place - 1)


@pytest.mark.parametrize(
    ("alphabet", "table", "inside"),
    [("abc", "a", True), ("abcש", "a", False), ("abcש", "ש", True), ("ש", "ש", True), ("abc", "ש", False)],
)
def test_letters_without_capitals_are_read_as_small_ones_where_the_treebank_has_none(
    alphabet: str, table: str, inside: bool
) -> None:
    """`ש` has no capital, nor has `ל`, which no alphabet here has."""
    assert labels_of("לל", together(table), alphabet=alphabet)[0] == (INSIDE if inside else TOKEN)


def test_a_sentence_that_has_more_words_than_it_may_have_ends() -> None:
    found = labels_of("a b c a b c a", "1" * CELL_COUNT, longest=3)
    assert [at // 2 for at, label in enumerate(found) if label == SENTENCE] == [3, 6]


def remarks(rng: random.Random, sentences: int) -> tuple[Characters, bytes]:
    """Return sentences of one word only, with a remark in brackets, and their labels: no stop in it ends a sentence."""

    def some(end: str) -> str:
        return " ".join(["a"] * rng.choice((3, 30))) + end

    written = [f"{some(' (')}{some('. ')}{some(') ')}{some('.')}" for _ in range(sentences)]
    labels = [bytes(INSIDE if sign == " " else TOKEN for sign in text[:-1]) + bytes([SENTENCE]) for text in written]
    return Characters(" ".join(written).encode()), bytes([INSIDE]).join(labels)


def test_a_bracket_that_is_closed_is_not_open() -> None:
    """Nothing else tells the stops apart."""
    learner, rng = Perceptron(3, 0), random.Random(1)
    kept = {"longest": 1000, "marks": 0, "spaces_inside": False, "words": {}, "alphabet": "().a"}
    model = BoundaryModel(learner, {"usual": "?" * CELL_COUNT, "spans": "?" * SPAN_COUNT, **kept})
    trainer = BoundaryTrainer(model, learner, 0.0)
    for _ in range(20):
        trainer.start_round()
        text, labels = remarks(rng, 20)
        trainer.learn(text, labels, bytearray(len(labels)))
    text, labels = remarks(rng, 20)
    found = bytearray(len(labels))
    model.label(text, found)
    assert found == labels
