"""What a recipe with a batch learner makes of features, instances and rounds, on two sentences."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from treewright.learners.decisions import ForeignScorer
from treewright.learners.problem import Problem

import treewright as tw
from tests.optional import needs
from tests.toy import toy_parser
from treewright.errors import CombinationError, FeatureModelError
from treewright.features.bundled import load_feature_model
from treewright.features.language import parse_model
from treewright.features.program import in_key_order
from treewright.kinds.transition import batch, dumping
from treewright.kinds.transition.batch import CONSTANT, BatchStrategy
from treewright.kinds.transition.machine_weights import MachineWeights
from treewright.kinds.transition.parser import TransitionParser
from treewright.kinds.transition.perceptron import BOTH, for_all_decisions
from treewright.learners.batch import BatchLearner, LinearModel, Machine
from treewright.training.gathering import gather
from treewright.training.observer import TrainingObserver

pytestmark = needs("liblinear")

ROW = "{}\t{}\t_\t{}\t_\t_\t{}\t{}\t_\t_\n"
TWO = "".join(
    ROW.format(1, "it", "PRON", 2, "nsubj") + ROW.format(2, verb, "VERB", 0, "root") + ROW.format(3, *last) + "\n"
    for verb, last in (("is", ("so", "ADV", 2, "advmod")), ("has", ("tea", "NOUN", 2, "obj")))
).encode()


def strategy_of(**options: Any) -> BatchStrategy:
    estimator = options.pop("estimator", None)
    recipe = tw.recipe(**{"learner": "liblinear", "features": "malt", "governors": "any", **options})
    return BatchStrategy(recipe, estimator=estimator)


def prepared(**options: Any) -> BatchStrategy:
    strategy = strategy_of(**options)
    strategy.prepare(gather(TWO, "conllu"), None, TrainingObserver())
    return strategy


def learn(strategy: BatchStrategy, number: int = 1) -> float:
    return strategy.learn(number, lambda sentences: None)


def test_there_is_nothing_to_keep_before_the_first_fit():
    strategy = prepared()
    assert (strategy.has_learnt, strategy.n_features) == (False, 0)
    assert math.isnan(learn(strategy))
    assert strategy.has_learnt
    assert strategy.n_features == len(strategy.weights()) > 20


def test_a_batch_learner_does_not_go_on_from_a_model():
    base = toy_parser()
    assert isinstance(base, TransitionParser)
    with pytest.raises(CombinationError, match=r"^liblinear learns from all instances at once.* --learner perceptron$"):
        BatchStrategy(tw.recipe(learner="liblinear"), base)


def test_dagger_has_rounds_after_the_first():
    assert strategy_of().rounds == strategy_of(policy="static").rounds == 1
    assert strategy_of(policy="dagger").rounds == 4
    assert prepared(policy="dagger", dagger_rounds=2).rounds == 3


def test_the_learner_is_the_recipes_with_its_options_and_seed():
    learner = strategy_of(learner_options="-s 0 -c 2", seed=9).batch_learner
    assert (learner.name, learner.options, learner.seed) == ("liblinear", "-s 0 -c 2", 9)
    with pytest.raises(CombinationError, match=r"given as an object, from Python: train\("):
        strategy_of(learner="sklearn")
    with pytest.raises(CombinationError, match=r"^<object object .* lacks fit or partial_fit"):
        strategy_of(learner="sklearn", estimator=object())


def test_options_are_checked_before_any_work():
    with pytest.raises(CombinationError, match="cross-validation"):
        strategy_of(learner_options="-v 5")


def test_every_template_counts_for_every_decision():
    model = parse_model("[split]\n[moves]\nw(stack[0])\n[labels]\nw(input[0])\n", "mine")
    assert {template.parts for template in model.templates} == {("moves",), ("labels",)}
    for_all = for_all_decisions(model)
    assert for_all.decision == "joint"
    assert [template.parts for template in for_all.templates] == [BOTH, BOTH]
    assert list(map(str, for_all.templates)) == list(map(str, model.templates))


def test_a_bias_is_a_feature_that_is_always_there(tmp_path: Path):
    plain, biased = strategy_of().model, strategy_of(learner_options="-s 0 -B 1").model
    assert list(map(str, biased.templates)) == [*map(str, plain.templates), CONSTANT]
    own = tmp_path / "own.features"
    own.write_text(f"{CONSTANT}\np(stack[0])\n")
    assert len(strategy_of(features=str(own), learner_options="-s 0 -B 1").model.templates) == 2


def test_what_a_bias_adds_is_the_same_in_every_configuration():
    strategy = prepared(learner_options="-s 0 -B 1")
    learn(strategy)
    constant = strategy._constant(strategy.problem)
    rows = [strategy.problem.instance(number)[0] for number in range(len(strategy.problem))]
    everywhere = set(rows[0]).intersection(*rows)
    assert constant in everywhere


def test_fixed_columns_and_templates_with_lists_exclude_each_other():
    with pytest.raises(CombinationError, match=r"^timbl needs a fixed.* model rich has templates with `each`.*malt or"):
        strategy_of(learner="timbl", features="rich")
    assert load_feature_model("rich").has_lists
    assert not load_feature_model("malt").has_lists


@needs("libsvm")
def test_instances_are_split_by_a_template_of_the_feature_model():
    learner = strategy_of(learner="libsvm", split_on="p( input[0] )", split_threshold=7).batch_learner
    strategy = strategy_of(learner="libsvm")
    names = [str(template) for template in in_key_order(strategy.model)]
    assert (names[learner.column], learner.threshold) == ("p(input[0])", 7)
    assert strategy.batch_learner.column == -1
    with pytest.raises(CombinationError, match=r"w\(stack\[9\]\)' is not a template of the feature model malt") as told:
        strategy_of(learner="libsvm", split_on="w(stack[9])")
    listed = str(told.value).partition("one function are: ")[2].split(", p")
    assert len(listed) > 3
    assert "&" not in str(told.value)
    with pytest.raises(CombinationError, match="not a template of the feature model rich"):
        strategy_of(learner="libsvm", features="rich", split_on="p(input[0])")
    with pytest.raises(FeatureModelError, match=r"^--split-on:1:8: "):
        strategy_of(learner="libsvm", split_on="p(input")
    with pytest.raises(CombinationError, match=r"^liblinear does not split its instances"):
        strategy_of(split_on="p(input[0])")


def test_the_first_round_follows_the_oracle_and_the_others_the_model():
    strategy = prepared(policy="dagger", dagger_rounds=1)
    learn(strategy)
    first = len(strategy.problem)
    assert first == 6  # moves of two sentences, where there is a choice
    assert learn(strategy, 2) == 0  # two sentences are learnt by heart
    assert len(strategy.problem) == 2 * first


def test_what_the_model_does_wrong_is_counted():
    blind = prepared(policy="dagger", cutoff=200)  # no feature is met so often
    learn(blind)
    assert blind.n_features == 0
    assert 0 < learn(blind, 2) < 1


def test_instances_are_dumped_where_they_are_wanted(tmp_path: Path):
    strategy = strategy_of()
    with pytest.raises(CombinationError, match="the ending of its name"):
        strategy.dump_to(tmp_path / "x.csv")
    strategy.dump_to(tmp_path / "x.timbl")
    strategy.prepare(gather(TWO, "conllu"), None, TrainingObserver())
    learn(strategy)
    parser = strategy.finish(strategy.weights(), {"name": "x"})
    assert isinstance(parser, TransitionParser)
    assert parser.info["name"] == "x"
    rows = [line.split("\t") for line in (tmp_path / "x.timbl").read_text().splitlines()]
    assert len(rows) == len(strategy.problem)
    assert [row[-1] for row in rows][:2] == ["LEFT:nsubj", "RIGHT:advmod"]
    assert {"it", "PRON"} <= set(rows[0])
    assert prepared().names is None  # nobody asks for texts otherwise


class Fake(BatchLearner):
    """Learns what it was told to, and keeps what it saw."""

    name = "fake"
    result: Any = None
    checked: Any = None
    wants_texts = True

    def check(self, model: Any) -> None:
        self.checked = model

    def fit(self, problem: Problem) -> Any:
        self.problem = problem
        return self.result


def with_fake(monkeypatch: pytest.MonkeyPatch, result: Any) -> BatchStrategy:
    monkeypatch.setattr(batch, "learner_class", lambda name: type("Told", (Fake,), {"result": result}))
    strategy = prepared()
    learn(strategy)
    return strategy


def test_a_table_of_weights_is_frozen_with_its_bias(monkeypatch):
    monkeypatch.setattr(batch, "freeze_matrix", lambda *given: given)
    monkeypatch.setattr(BatchStrategy, "_constant", lambda self, problem: 77)
    for bias, constant in (([0.5], 77), (None, 0)):
        strategy = with_fake(monkeypatch, LinearModel(b"weights", [3, 1], bias))
        index, *rest = strategy.weights()
        assert index is strategy.batch_learner.problem.index
        assert rest == [b"weights", [3, 1], [0, 1], strategy.moves, 4, bias, constant]


def test_a_machine_is_kept_with_the_features_that_it_knows(monkeypatch):
    machine = Machine()
    strategy = with_fake(monkeypatch, machine)
    weights, learner = strategy.weights(), strategy.batch_learner
    assert isinstance(weights, MachineWeights)
    assert (weights.learner, weights.machine) == ("fake", machine)
    assert isinstance(strategy.engine(weights).scorer, ForeignScorer)
    assert (weights.index, weights.n_classes) == (learner.problem.index, strategy.moves.n_classes)


def test_a_learner_sees_the_feature_model_and_the_texts_that_it_wants(monkeypatch):
    strategy = with_fake(monkeypatch, Machine())
    learner = strategy.batch_learner
    assert learner.checked == strategy.model
    assert len(learner.texts) == 1 + learner.problem.index.n_features
    assert {"it", "PRON"} <= set(learner.texts)
    dumped: list[Any] = []
    monkeypatch.setattr(dumping, "dump", lambda *given: dumped.append(given))
    monkeypatch.setattr(batch.TransitionStrategy, "finish", lambda self, weights, info: (weights, info))
    assert strategy.finish("weights", {}) == ("weights", {})
    assert dumped == []  # texts that a learner wants are not for a file
    strategy._dump_path = "x.timbl"
    strategy.finish("weights", {})
    [(path, problem, templates, names, decisions)] = dumped
    assert (path, problem, names) == ("x.timbl", strategy.problem, strategy.names)
    assert (templates, decisions[0]) == (in_key_order(strategy.model), "SHIFT")
