"""Several trainings of a tokeniser or tagger whose weights are averaged."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from treewright.learners.perceptron import Perceptron

import treewright as tw
from tests.through_a_file import kept
from tests.toy import DEV, TEST, TRAIN
from treewright.kinds.tagger.recipe import TaggerRecipe
from treewright.kinds.tagger.training import TaggerStrategy, column_accuracy, train_tagger
from treewright.kinds.tokenizer.recipe import TokenizerRecipe
from treewright.kinds.tokenizer.training import TokenizerStrategy, train_tokenizer
from treewright.kinds.transition.training import TransitionStrategy
from treewright.training import repeated
from treewright.training.gathering import gather
from treewright.training.loop import Training
from treewright.training.observer import RoundReport, TrainingObserver
from treewright.training.repeated import RepeatedTraining, number_of_trainings
from treewright.training.strategy import Strategy
from treewright.treebank.files.reading import read_blocks


def test_how_many_depends_on_the_treebank_unless_it_is_said() -> None:
    assert number_of_trainings(0, 99_999) > 1
    assert number_of_trainings(0, 100_000) == 1
    assert number_of_trainings(7, 100_000) == 7


def test_rounds_belong_to_trainings() -> None:
    repeated = RepeatedTraining(3, 2)
    assert [number for number in range(1, repeated.rounds + 1) if repeated.begins_again(number)] == [3, 5]
    alone = Perceptron(3, 0)
    assert RepeatedTraining(1, 2).mean(alone) is alone
    repeated.add(alone)
    last = Perceptron(3, 0)
    assert repeated.mean(last) is repeated.mean(last)


@pytest.mark.parametrize("seeds", [1, 2])
def test_taggers_and_tokenisers_learn(seeds: int) -> None:
    tagger = train_tagger(read_blocks(TRAIN), TaggerRecipe(iterations=2, seeds=seeds))
    assert column_accuracy(tagger, list(read_blocks(TEST)))["UPOS"] > 95
    tokenizer = train_tokenizer(read_blocks(TRAIN), TokenizerRecipe(iterations=2, seeds=seeds))
    assert len(tokenizer.weights) > 0


class Heard(TrainingObserver):
    """Keeps the rounds that it hears of."""

    def __init__(self) -> None:
        self.rounds: list[RoundReport] = []

    def round_done(self, report: RoundReport) -> None:
        """Keep a round."""
        self.rounds.append(report)


@pytest.mark.parametrize(
    "made",
    [
        lambda seeds: TokenizerStrategy(TokenizerRecipe(iterations=2, seeds=seeds)),
        lambda seeds: TaggerStrategy(TaggerRecipe(iterations=2, seeds=seeds)),
        lambda seeds: TransitionStrategy(tw.recipe(features="tiny", iterations=2, seeds=seeds)),
    ],
    ids=["tokeniser", "tagger", "parser"],
)
def test_every_round_of_every_training_has_a_dev_score(made: Callable[[int], Strategy[Any, Any]]) -> None:
    heard, once = Heard(), Heard()
    Training(made(2), gather(TRAIN), gather(DEV), heard).run()
    Training(made(1), gather(TRAIN), gather(DEV), once).run()
    assert [report.round for report in heard.rounds] == [1, 2, 3, 4]
    assert len({tuple(report.scores) for report in heard.rounds}) == 1, "all rounds show the same scores"
    assert all(0 < value <= 100 for report in heard.rounds for value in report.scores.values())
    assert [report.mean_of for report in heard.rounds] == [1, 1, 1, 2]
    alone = [report.scores for report in once.rounds]
    assert [report.scores for report in heard.rounds[:2]] == alone, "the first is scored as if there were no other"


def test_trainings_of_large_treebanks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeated, "MANY_WORDS", 1)
    made: dict[Strategy[Any, Any], int] = {
        TokenizerStrategy(TokenizerRecipe()): 5,
        TaggerStrategy(TaggerRecipe()): 1,
        TransitionStrategy(tw.recipe(features="tiny", seeds=0)): 4,
    }
    for strategy, trainings in made.items():
        strategy.prepare(gather(TRAIN), None, TrainingObserver())
        assert strategy.trainings == trainings


def test_scores_under_way_change_nothing() -> None:
    """With a dev set and without, the same mean is kept."""
    made = [
        Training(TaggerStrategy(TaggerRecipe(iterations=2, seeds=2)), gather(TRAIN), dev).run()
        for dev in (None, gather(DEV))
    ]
    first, second = (kept(each)[1] for each in made)
    assert first == second


def test_two_trainings_differ_from_one() -> None:
    made = [train_tagger(read_blocks(TRAIN), TaggerRecipe(iterations=2, seeds=seeds)) for seeds in (1, 2, 2)]
    first, second, again = ({name: bytes(data) for name, data in tagger.weights.arrays.items()} for tagger in made)
    assert first != second
    assert second == again
