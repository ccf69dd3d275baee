"""Language models learn from text, the same one whatever the threads, and go on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import treewright as tw
from tests.kinds.language_model.raw import SMALL, sentences
from tests.optional import needs
from treewright.errors import CombinationError
from treewright.kinds.language_model import training
from treewright.kinds.language_model.model import LanguageModel
from treewright.kinds.language_model.recipe import LanguageModelRecipe
from treewright.kinds.language_model.training import pretrain
from treewright.training.observer import RoundReport, TrainingObserver

pytestmark = needs("torch")
RECIPE = LanguageModelRecipe(**SMALL, steps=40)
TEXT = sentences(150)


class Heard(TrainingObserver):
    def __init__(self, stop_after: int = 100) -> None:
        self.reports: list[RoundReport] = []
        self.stop_after, self.stopped = stop_after, 0

    def round_done(self, report: RoundReport) -> None:
        self.reports.append(report)

    def advanced(self, sentences: int) -> None:
        if len(self.reports) == self.stop_after:
            raise KeyboardInterrupt

    def interrupted(self, rounds: int) -> None:
        self.stopped = rounds


def saved(model: LanguageModel, folder: Path, name: str) -> bytes:
    path = folder / name
    model.save(path)
    return path.read_bytes()


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return pretrain(TEXT, "text", RECIPE)


def test_text_held_out_is_guessed_better_and_better() -> None:
    heard = Heard()
    model = pretrain(TEXT, "text", replace(RECIPE, steps=160), observer=heard)
    perplexities = [report.scores["perplexity"] for report in heard.reports]
    assert len(perplexities) == 20
    assert perplexities[-1] < perplexities[0] / 2
    assert model.info["dev"]["perplexity"] == round(min(perplexities), 2)
    assert model.info["training"]["words"] > 1000
    assert model.info["recipe"]["steps"] == 160


def test_same_seed_same_bytes_with_one_and_two_threads(model: LanguageModel, tmp_path: Path) -> None:
    first = saved(model, tmp_path, "first.lm")
    assert saved(pretrain(TEXT, "text", RECIPE), tmp_path, "again.lm") == first
    assert saved(pretrain(TEXT, "text", replace(RECIPE, threads=2)), tmp_path, "threads.lm") == first
    assert saved(pretrain(TEXT, "text", replace(RECIPE, seed=2)), tmp_path, "seed.lm") != first


def test_ctrl_c_keeps_the_best() -> None:
    heard = Heard(stop_after=3)
    model = pretrain(TEXT, "text", RECIPE, observer=heard)
    assert heard.stopped == 3
    assert model.info["dev"]["round"] in (1, 2, 3)
    at_once = Heard(stop_after=0)
    assert pretrain(TEXT, "text", RECIPE, observer=at_once).info["dev"]["round"] == at_once.stopped == 1


def test_a_training_goes_on(model: LanguageModel) -> None:
    more = pretrain(sentences(100, seed=5), "more", RECIPE, base=model)
    assert more.network.vocabulary.lists == model.network.vocabulary.lists
    assert more.guesses.endings == model.guesses.endings
    longer = Heard()
    pretrain(TEXT, "text", RECIPE, base=model, observer=longer)
    assert longer.reports[0].scores["perplexity"] < 1.2 * model.info["dev"]["perplexity"]
    with pytest.raises(CombinationError, match="has hidden 8"):
        pretrain(TEXT, "text", replace(RECIPE, hidden=16), base=model)


def test_a_time_limit_becomes_a_number_of_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = [0.0]

    def now() -> float:
        clock[0] += 0.01
        return clock[0]

    monkeypatch.setattr(training, "monotonic", now)
    model = pretrain(TEXT, "text", replace(RECIPE, steps=None, time_limit="2s"))
    steps = model.info["recipe"]["steps"]
    assert 100 <= steps <= 200
    assert not model.info["recipe"]["time_limit"]
    again = pretrain(TEXT, "text", replace(RECIPE, steps=steps))
    assert {name: bytes(values) for name, values in again.arrays.items()} == {
        name: bytes(values) for name, values in model.arrays.items()
    }


def test_passes_say_how_many_steps_there_are() -> None:
    one = pretrain(TEXT, "text", replace(RECIPE, steps=None, passes=1.0))
    words = one.info["training"]["words"] + one.info["training"]["sentences"]
    assert one.info["recipe"]["steps"] == pytest.approx(words / 60, abs=10)


@pytest.mark.parametrize("given", [{"passes": 1.0}, {"time_limit": "10m"}])
def test_one_answer_to_how_long(given: dict[str, Any]) -> None:
    with pytest.raises(CombinationError, match="all say how long to learn"):
        replace(RECIPE, **given).check()


def test_other_models_are_no_base(model: LanguageModel) -> None:
    from tests.toy import TRAIN

    parser = tw.train(TRAIN, iterations=1, features="tiny")
    with pytest.raises(CombinationError, match="cannot go on from"):
        pretrain(TEXT, "text", RECIPE, base=parser)


def test_a_language_model_parses_nothing(model: LanguageModel) -> None:
    refused: Callable[[str], object] = model
    with pytest.raises(CombinationError, match="train --pretrained"):
        refused("the dog sees birds .")
