"""What the recipe of a pipeline says of its steps: which are trained, which are kept, and which options count."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import treewright as tw
from tests.toy import TRAIN
from treewright.errors import CombinationError
from treewright.kinds.pipeline import jackknife, training
from treewright.kinds.pipeline.recipe import PipelineRecipe
from treewright.kinds.tagger.recipe import TaggerRecipe
from treewright.kinds.tagger.training import train_tagger
from treewright.kinds.transition.recipe import TransitionRecipe
from treewright.training.gathering import gather
from treewright.treebank.files.reading import read_blocks

GRAPHS = Path(__file__).parents[3] / "examples" / "graphs.conllu"


def test_a_kept_step_is_a_name_and_a_file() -> None:
    """Names of files may have equals signs and spaces; there may be several steps."""
    recipe = PipelineRecipe(keep_step="tagger=a=b c.tw\n\n tokenizer = d.tw \n")
    assert recipe.kept_steps == {"tagger": "a=b c.tw", "tokenizer": "d.tw"}
    for wrong in ("tagger", "tagger=", "lemmas=a.tw"):
        with pytest.raises(CombinationError, match="give STEP=MODEL, with a step of tokenizer, tagger, parser"):
            PipelineRecipe(keep_step=wrong).check_together()


@pytest.mark.parametrize(
    ("options", "idle", "counts"),
    [
        (
            {"step": "tokenizer"},
            {"jackknife": "only the tokenizer is trained", "widen": "only the tokenizer is trained"},
            {"tokenizer_iterations"},
        ),
        (
            {"step": "tagger"},
            {"jackknife": "only the tagger is trained", "tokenizer_iterations": "only the tagger is trained"},
            {"tagger_iterations", "widen"},
        ),
        (
            {"keep_step": "tagger=a.tw"},
            {"tagger_iterations": "the tagger is kept", "tagger_compose": "the tagger is kept"},
            {"tokenizer_iterations", "jackknife", "iterations"},
        ),
        ({}, {"clusters": "there is no --raw and no --vectors"}, {"jackknife", "widen", "tagger_iterations"}),
        ({"raw": "a.txt"}, {"p": "the policy static does not explore"}, {"clusters"}),
    ],
)
def test_options_that_change_nothing(options: dict[str, Any], idle: dict[str, str], counts: set[str]) -> None:
    found = PipelineRecipe(parser=TransitionRecipe(policy="static"), **options).idle()
    assert {name: found.get(name) for name in idle} == idle
    assert not counts & {*found}


def test_graphs_are_learnt_from_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sentences are widened for parsers of trees alone."""
    calls: list[object] = []
    monkeypatch.setattr(training, "widened", lambda data, *rest: calls.append(rest) or data)
    short: dict[str, Any] = {"iterations": 1, "tagger_iterations": 1, "tokenizer_iterations": 1, "jackknife": 0}
    graphs = tw.train(GRAPHS, pipeline=True, system="dag-arc-eager", **short)
    assert calls == []
    assert graphs.info["recipe"]["system"] == "dag-arc-eager"
    tw.train(GRAPHS, pipeline=True, **short)
    assert len(calls) == 1


@pytest.mark.parametrize(("asked", "rounds"), [(1, 1), (jackknife.ROUNDS + 5, jackknife.ROUNDS)])
def test_taggers_that_only_tag_parts_are_trained_once_and_briefly(
    asked: int, rounds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipes: list[TaggerRecipe] = []
    quick = train_tagger(read_blocks(TRAIN), TaggerRecipe(iterations=1, seeds=1))
    monkeypatch.setattr(jackknife, "train_tagger", lambda blocks, recipe, *rest: recipes.append(recipe) or quick)
    jackknife.jackknifed(gather(TRAIN), 3, TaggerRecipe(iterations=asked, seeds=4))
    assert [(recipe.iterations, recipe.seeds) for recipe in recipes] == [(rounds, 1)] * 3
