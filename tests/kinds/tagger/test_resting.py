"""What is right by far rests for some rounds, and counts as right meanwhile."""

from __future__ import annotations

from typing import Any

import pytest
from treewright.kinds.tokenizer.boundaries.boundaries import CELL_COUNT, SPAN_COUNT, BoundaryModel
from treewright.kinds.tokenizer.boundaries.characters import Characters
from treewright.kinds.tokenizer.online import BoundaryTrainer
from treewright.learners.perceptron import Perceptron

from tests.toy import TRAIN
from treewright.kinds.tagger.recipe import TaggerRecipe
from treewright.kinds.tagger.training import TaggerStrategy
from treewright.kinds.tokenizer.recipe import TokenizerRecipe
from treewright.kinds.tokenizer.training import TokenizerStrategy
from treewright.training.gathering import gather
from treewright.training.observer import TrainingObserver

TEXT = "a, b, c"
LABELS = bytes([1, 1, 0, 1, 1, 0, 2])
#: of a tokeniser that decides about every place
SETTINGS: dict[str, Any] = {
    **{"features": 5, "marks": 0, "longest": 1000, "spaces_inside": False},
    **{"usual": "?" * CELL_COUNT, "spans": "?" * SPAN_COUNT, "words": {}, "alphabet": ", abc"},
}


def states(margin: float, rounds: int) -> list[int]:
    """Return the state of the boundary after the first letter of a text, round by round."""
    learner = Perceptron(3, 0)
    trainer = BoundaryTrainer(BoundaryModel(learner, SETTINGS), learner, margin)
    text, rest, found = Characters(TEXT.encode()), bytearray(len(TEXT)), []
    for _ in range(rounds):
        trainer.start_round()
        trainer.learn(text, LABELS, rest)
        assert trainer.decisions == 4  # those that rest are counted
        found.append(rest[0])
    return found


def test_rests_become_longer_and_end() -> None:
    found = states(10.0, 30)
    looked_at = [number for number, state in enumerate(found) if state >> 4 == state & 15]
    first = next(number for number in looked_at if found[number])
    # One round, then two, then four each time; between them the boundary is looked at.
    assert [number - first for number in looked_at if number >= first][:4] == [0, 2, 5, 10]
    assert not any(found[:first])


def test_nothing_rests_without_a_margin() -> None:
    assert not any(states(0.0, 10))


def test_each_boundary_has_a_state() -> None:
    learner = Perceptron(3, 0)
    model = BoundaryModel(learner, SETTINGS)
    with pytest.raises(ValueError, match="one rest per character"):
        BoundaryTrainer(model, learner, 10.0).learn(Characters(TEXT.encode()), LABELS, bytearray(2))


@pytest.mark.parametrize(
    "strategy",
    [
        TokenizerStrategy(TokenizerRecipe(iterations=12, seeds=1)),
        TaggerStrategy(TaggerRecipe(iterations=12, seeds=1, dropout=0.0)),
        TaggerStrategy(TaggerRecipe(iterations=12, seeds=1, dropout=0.0, search="greedy")),
    ],
    ids=["tokeniser", "twice", "greedy"],
)
def test_decisions_are_the_same_in_every_round(strategy: TokenizerStrategy | TaggerStrategy) -> None:
    strategy.prepare(gather(TRAIN), None, TrainingObserver())
    decisions = set()
    for number in range(1, 13):
        strategy.learn(number, lambda _: None)
        decisions.add(strategy.trainer.decisions)
    assert len(decisions) == 1
