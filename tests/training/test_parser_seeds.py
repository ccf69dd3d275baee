"""Parsers that are the mean of several trainings."""

from __future__ import annotations

import pytest

import treewright as tw
from tests.toy import DEV, TRAIN
from treewright.errors import CombinationError
from treewright.kinds.pipeline.recipe import PipelineRecipe
from treewright.kinds.transition.recipe import TransitionRecipe


def parses(**options: object) -> str:
    parser = tw.train(TRAIN, features="tiny", iterations=1, **options)
    return "".join(parser.parse(sentence).to_conllu() for sentence in tw.read(DEV))


@pytest.mark.parametrize("precision", ["byte", "float"])
def test_the_mean_is_a_parser_like_any_other(precision: str) -> None:
    one, two = (tw.train(TRAIN, dev=DEV, features="tiny", iterations=2, seeds=n, precision=precision) for n in (1, 2))
    assert one.info["training"]["rounds"] == 2
    assert two.info["training"]["rounds"] == 4
    assert two.info["dev"]["las"] > one.info["dev"]["las"] - 5
    assert two.info["recipe"]["seeds"] == 2


def test_the_same_seeds_give_the_same_parser() -> None:
    assert parses(seeds=2) == parses(seeds=2)
    assert parses(seeds=1) == parses()


def test_pipelines_have_several() -> None:
    assert TransitionRecipe().completed().seeds == 1
    assert PipelineRecipe().completed().parser.seeds == 4
    assert PipelineRecipe(parser=TransitionRecipe(seeds=1)).completed().parser.seeds == 1
    assert PipelineRecipe(parser=TransitionRecipe(keep="last")).completed().parser.seeds == 1


def test_a_round_to_keep_and_a_mean_exclude_each_other() -> None:
    with pytest.raises(CombinationError, match="keep has no effect"):
        tw.train(TRAIN, seeds=3, keep="last")
