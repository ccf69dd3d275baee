"""Several trainings of a tokeniser or tagger whose weights are averaged."""

from __future__ import annotations

import pytest

from tests.toy import TEST, TRAIN
from treewright.learners.perceptron import Perceptron
from treewright.recipes.text import TaggerRecipe, TokenizerRecipe
from treewright.training.repeated import RepeatedTraining, number_of_trainings
from treewright.text.tagger.training import column_accuracy, train_tagger
from treewright.text.tokenizer.training import train_tokenizer
from treewright.treebank.reading import read_blocks


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


def test_two_trainings_differ_from_one() -> None:
    made = [train_tagger(read_blocks(TRAIN), TaggerRecipe(iterations=2, seeds=seeds)) for seeds in (1, 2, 2)]
    first, second, again = ({name: bytes(data) for name, data in tagger.weights.arrays.items()} for tagger in made)
    assert first != second
    assert second == again
