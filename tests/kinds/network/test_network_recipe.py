"""How long a network learns by itself, and which of its options count."""

from __future__ import annotations

import pytest

from tests.kinds.network.models import random_parser
from tests.toy import DEV
from treewright.errors import CombinationError
from treewright.kinds.network.recipe import MOST_ROUNDS, NeuralRecipe
from treewright.kinds.network.strategy import FEWEST_ROUNDS, WORDS_READ, usual_rounds
from treewright.treebank.files.reading import read_blocks


@pytest.mark.parametrize(
    ("words", "rounds"),
    [(0, MOST_ROUNDS), (100, MOST_ROUNDS), (WORDS_READ // 30 - 1, 30), (WORDS_READ // 29, 29), (10**8, FEWEST_ROUNDS)],
)
def test_small_treebanks_are_read_more_often(words: int, rounds: int) -> None:
    found = usual_rounds(words)
    assert found == rounds
    assert isinstance(found, int)


def test_options_that_change_nothing() -> None:
    assert "buckets" not in NeuralRecipe(ngram_width=1).idle()
    assert NeuralRecipe(ngram_width=0).idle()["buckets"] == "the network sees no pieces of words"
    assert NeuralRecipe(time_limit="5m").idle()["iterations"] == "the time limit decides how many rounds there are"


@pytest.mark.parametrize("name", ["dropout", "recurrent_dropout"])
def test_most_of_a_network_is_not_left_out(name: str) -> None:
    NeuralRecipe(**{name: 0.9}).check()
    with pytest.raises(CombinationError, match=f"{name} is 0.91"):
        NeuralRecipe(**{name: 0.91}).check()


def test_what_is_shown_of_a_parser() -> None:
    block = next(iter(read_blocks(DEV)))
    assert random_parser([block], ["root", "dep"])._details()["system"] == "neural"
