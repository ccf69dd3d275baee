"""What a recipe of a graph parser makes of graphs, of its trainer and of the model, on a handful of sentences."""

from __future__ import annotations

import math
from array import array
from types import SimpleNamespace
from typing import Any

import pytest
from treewright.features.word_clusters import WordClusters, cluster_key

import treewright as tw
from tests.optional import needs
from treewright.errors import CombinationError, TreebankError
from treewright.features.adaptation import for_dag_shift_reduce
from treewright.features.bundled import load_feature_model
from treewright.features.cluster_templates import with_clusters
from treewright.kinds.graph import training as graph
from treewright.kinds.graph.parser import GraphParser
from treewright.kinds.graph.recipe import GraphRecipe
from treewright.kinds.graph.training import (
    GraphBatchStrategy,
    GraphStrategy,
    checked_graphs,
    graph_feature_model,
    graph_scores,
    numbered_arcs,
)
from treewright.kinds.transition.learning.rounds_policy import RoundsPolicy
from treewright.learners.batch import BatchLearner, Machine
from treewright.training.gathering import Gathered, gather
from treewright.training.observer import TrainingObserver
from treewright.treebank.graphs.graph import sentence_graphs


def text_of(*words: str) -> bytes:
    """A sentence of words like ``2:nsubj|4:nsubj VERB``: arcs and tag."""
    rows = []
    for number, word in enumerate(words, 1):
        arcs, tag = [*word.split(" "), "X"][:2]
        rows.append(f"{number}\tw{number}\t_\t{tag}\t_\t_\t{number - 1}\tdep\t{arcs}\t_\n")
    return ("".join(rows) + "\n").encode()


PLAIN = text_of("0:root", "1:obj|3:obj", "1:conj")
CROSSING = text_of("3:a", "4:b", "0:root|2:d", "3:c")


def gathered(text: bytes) -> Gathered:
    return gather(text, "conllu", graphs=True)


def prepared(text: bytes = PLAIN, dev: bytes | None = None, base: GraphParser | None = None, **options: Any) -> Any:
    recipe = tw.recipe(**{"system": "dag-arc-eager", "cutoff": 1, "governors": "any", **options})
    strategy = (GraphBatchStrategy if recipe.is_batch else GraphStrategy)(recipe, base)
    strategy.prepare(gathered(text), gathered(dev) if dev else None, TrainingObserver())
    return strategy


def learnt(strategy: Any, rounds: int = 2) -> GraphParser:
    for number in range(1, rounds + 1):
        strategy.learn(number, lambda sentences: None)
    return strategy.finish(strategy.weights(), {"recipe": strategy.recipe.to_dict()})


def test_the_usual_feature_models_are_those_made_for_the_system():
    rich, crossing, other = map(load_feature_model, ("dag-rich", "dag-crossing", "lean"))
    assert graph_feature_model("rich", "dag-arc-eager") == rich
    assert graph_feature_model("rich", "dag-crossing") == crossing
    assert graph_feature_model("rich", "dag-shift-reduce") == for_dag_shift_reduce(rich) != rich
    assert graph_feature_model("dag-rich", "dag-crossing") == rich
    assert graph_feature_model("lean", "dag-shift-reduce") == graph_feature_model("lean", "dag-arc-eager") == other
    assert GraphStrategy(tw.recipe(system="dag-crossing")).model == crossing


def test_notes_count_arcs_and_changed_graphs():
    assert prepared(PLAIN).notes == ["1 arcs more than words"]
    assert prepared(CROSSING + PLAIN + CROSSING).notes == ["3 arcs more than words", "2 graphs lifted or joined"]
    assert prepared(CROSSING, system="dag-crossing").notes == ["1 arcs more than words"]
    assert prepared(CROSSING, lifting="none").notes == ["1 arcs more than words"]


def test_cycles_are_kept_or_reversed():
    cycle = text_of("3:a|0:root", "1:b", "2:c") * 2
    assert prepared(cycle).relations == ["root", "a", "b", "c"]
    assert prepared(cycle, cycles="reverse").relations == ["root", "b↔", "a", "∅", "c"]


def test_without_lifting_only_arcs_from_a_word_to_itself_are_dropped():
    strategy = prepared(text_of("2:a|1:self", "0:root|2:self|1:b"), lifting="none")
    assert strategy.relations == ["a", "root", "b"]
    assert strategy.notes == ["1 arcs more than words", "1 graphs lifted or joined"]


def test_a_relation_with_a_sign_of_lifting_is_refused_where_it_is():
    with pytest.raises(TreebankError, match=r"'a↑b' contains a sign.*Rename the relation") as error:
        checked_graphs(gathered(text_of("0:a↑b")))
    assert error.value.source == "data"


def test_known_relations_keep_their_numbers():
    arcs, relations = numbered_arcs([[[(2, "new")], [(0, "old")]]], ["other", "old"])
    assert (arcs, relations) == ([[(2, 2)], [(0, 1)]], ["other", "old", "new"])


def test_words_of_some_tags_govern_nothing_if_the_treebank_shows_it():
    text = text_of("2:det DET", "3:nsubj NOUN", "0:root VERB", "3:punct PUNCT") * 300
    assert prepared(text, governors="learnt").settings()["leaf_tags"] == ["DET", "PUNCT"]
    assert prepared(text).settings()["leaf_tags"] == []


def test_a_trainer_is_told_what_the_recipe_says(monkeypatch):
    told: list[Any] = []
    monkeypatch.setattr(graph, "OnlineTrainer", lambda *given: told.append(given))
    first = prepared(k=3, p=0.25, seed=7, zero_cost="random")
    prepared(policy="ambiguity")
    assert told[0][1:] == (first.learner, first.corpus, RoundsPolicy("explore", 3, 0.25, 7, zero_cost="random"))
    assert told[1][3] == RoundsPolicy("ambiguity", 1, 0.9, 1)
    GraphStrategy(GraphRecipe()).prepare(gathered(PLAIN), None, TrainingObserver())
    assert told[2][3] == RoundsPolicy("explore", 1, 0.9, 1)


def test_clusters_of_words_come_with_the_treebank_and_stay_in_the_model(tmp_path):
    keys = array("Q", sorted(map(cluster_key, ("w1", "w2"))))
    data = gathered(PLAIN)
    data.clusters = WordClusters(keys, array("H", [1, 0]), array("I", [0, 1]), array("B", [1, 1]), "made up")
    strategy = GraphStrategy(tw.recipe(system="dag-arc-eager", cutoff=1))
    strategy.prepare(data, None, TrainingObserver())
    assert strategy.model == with_clusters(load_feature_model("dag-rich"))
    assert strategy.extractor.clusters is data.clusters
    first = learnt(strategy)
    assert first.settings["clusters"] is data.clusters
    assert prepared(base=first).clusters is data.clusters
    first.save(tmp_path / "m.tw")
    loaded = GraphParser.load(tmp_path / "m.tw")
    assert [loaded.extractor.clusters.path(word) for word in ("w1", "w2", "w3")] == [
        data.clusters.path(word) for word in ("w1", "w2", "w3")
    ]
    assert loaded.parse_graphs(data.blocks[0]) == first.parse_graphs(data.blocks[0])


def test_training_goes_on_from_a_graph_parser():
    leaves = text_of("2:det DET", "0:root VERB") * 600
    first = learnt(prepared(leaves, governors="learnt"), 1)
    again = prepared(text_of("2:new DET", "0:root VERB"), base=first, governors="learnt")
    assert again.relations == [*first.relations, "new"]
    assert again.leaf_tags == first.settings["leaf_tags"] == ["DET"]
    assert again.n_features == len(first.weights) > 0


class Parsed:
    """A parser whose graphs are given."""

    def __init__(self, text: bytes) -> None:
        self.graphs = iter([list(sentence_graphs(block)) for block in gathered(text).blocks])

    def parse_graphs(self, block: Any) -> Any:
        return next(self.graphs)


def scores_of(gold: bytes, system: bytes) -> tuple[float, dict[str, float]]:
    dev = [(block, list(sentence_graphs(block))) for block in gathered(gold).blocks]
    found = graph_scores(Parsed(system), dev)
    return found.value, dict(found.shown)


def test_scores_are_f1_over_all_arcs():
    """Of four arcs in two sentences, and five of the parser's, two are right, and a third but for its relation."""
    gold = text_of("2:a", "0:root") + text_of("0:root", "1:b")
    system = text_of("2:a", "0:root") + text_of("2:c", "1:d|0:e")
    assert scores_of(gold, system) == (
        pytest.approx(200 * 2 / 9),
        {"unlabelled F1": pytest.approx(200 * 3 / 9), "labelled F1": pytest.approx(200 * 2 / 9)},
    )
    assert scores_of(gold, gold) == (100, {"unlabelled F1": 100, "labelled F1": 100})
    assert graph_scores(Parsed(gold), []).value == 0
    assert scores_of(text_of("0:root"), text_of("0:other"))[1] == {"unlabelled F1": 100, "labelled F1": 0}


def test_two_relations_to_one_head_are_one_head():
    twice, once = text_of("2:a|2:b", "0:root"), text_of("2:a", "0:root")
    assert scores_of(twice, twice)[1] == {"unlabelled F1": 100, "labelled F1": 100}
    assert scores_of(twice, once)[1] == {"unlabelled F1": 100, "labelled F1": pytest.approx(80)}


def test_dev_is_scored_as_it_is_without_preparation():
    strategy = prepared(PLAIN * 3, CROSSING)
    parser = learnt(strategy)
    assert [found for _, found in strategy.dev] == [list(sentence_graphs(gathered(CROSSING).blocks[0]))]
    assert strategy.score(strategy.weights()) == graph_scores(parser, strategy.dev)
    assert prepared(PLAIN).dev == []


@needs("liblinear")
def test_a_linear_batch_learner_learns_in_one_round():
    strategy = prepared(PLAIN * 2, learner="liblinear", learner_options="-s 7", seed=4, features="tokgoz-eryigit")
    assert (strategy.rounds, strategy.batch_learner.seed, strategy.batch_learner.options) == (1, 4, "-s 7")
    assert {template.parts for template in strategy.model.templates} == {("moves", "labels")}
    assert strategy.problem.n_decisions == strategy.moves.n_classes + 2  # SHIFT and REDUCE have no relation
    assert not strategy.has_learnt
    assert math.isnan(strategy.learn(1, lambda sentences: None))
    parser = strategy.finish(strategy.weights(), {})
    [block] = gathered(PLAIN).blocks
    assert [sorted(arcs) for arcs in parser.parse_graphs(block)[0]] == [
        [(0, "root")],
        [(1, "obj"), (3, "obj")],
        [(1, "conj")],
    ]


class Other(BatchLearner):
    """A learner whose kind is given."""

    def fit(self, problem: Any) -> Any:
        return Machine()


@pytest.mark.parametrize(
    "trait", [{"wants_bias": True}, {"machine": Machine}, {"fixed_columns": True}], ids=lambda trait: next(iter(trait))
)
def test_learners_that_are_not_linear_are_refused(trait, monkeypatch):
    monkeypatch.setattr(graph, "learner_class", lambda name: type("Odd", (Other,), trait))
    with pytest.raises(CombinationError, match=r"^graphs are learnt by the perceptron or by liblinear, without -B"):
        prepared(learner="liblinear")


def test_a_learner_that_gives_no_weights_is_refused(monkeypatch):
    monkeypatch.setattr(graph, "learner_class", lambda name: Other)
    with pytest.raises(CombinationError, match="need a linear learner, which liblinear is not: choose --learner libl"):
        learnt(prepared(learner="liblinear"), 1)


def test_a_batch_learner_checks_the_feature_model_and_does_not_go_on(monkeypatch, tmp_path):
    (tmp_path / "mine").write_text("[split]\np(stack[0]) & p(input[0])\n")
    checked: list[Any] = []
    monkeypatch.setattr(
        graph, "learner_class", lambda name: type("Odd", (Other,), {"check": lambda _, m: checked.append(m)})
    )
    strategy = prepared(learner="liblinear", features=str(tmp_path / "mine"))
    assert [model.decision for model in (*checked, strategy.model)] == ["split", "split"]
    with pytest.raises(CombinationError, match=r"^liblinear cannot go on from a model: leave --init-from out$"):
        prepared(learner="liblinear", base=SimpleNamespace())
