"""What a recipe of a transition parser makes of a treebank, its trainer and the model, on a handful of sentences."""

from __future__ import annotations

from array import array
from types import SimpleNamespace
from typing import Any

import pytest
from treewright.features.word_clusters import WordClusters, cluster_key
from treewright.kinds.transition.engines.beam import BeamParser
from treewright.kinds.transition.engines.greedy import GreedyParser
from treewright.kinds.transition.learning.corpus import Corpus
from treewright.kinds.transition.learning.easy_first import EasyFirstTrainer
from treewright.kinds.transition.learning.online import OnlineTrainer
from treewright.systems.trees.arc_eager import PrintedArcEager

import treewright as tw
from treewright.errors import CombinationError, TreebankError
from treewright.features.cluster_templates import with_clusters
from treewright.kinds.transition import training as transition
from treewright.kinds.transition.learning.rounds_policy import RoundsPolicy
from treewright.kinds.transition.parser import TransitionParser
from treewright.kinds.transition.recipe import TransitionRecipe
from treewright.kinds.transition.training import TransitionStrategy, trainer_for
from treewright.training.gathering import gather
from treewright.training.observer import TrainingObserver


def tree(*words: str) -> bytes:
    """A sentence of words like ``2:nsubj`` or ``2:nsubj:PRON``: head, relation and tag."""
    rows = []
    for number, word in enumerate(words, 1):
        head, relation, tag = [*word.split(":"), "X"][:3]
        rows.append(f"{number}\tw{number}\t_\t{tag}\t_\t_\t{head}\t{relation.replace('/', ':')}\t_\t_\n")
    return ("".join(rows) + "\n").encode()


SPLIT = "[split]\np(stack[0]) & p(input[0])\n"  # a feature model that decides kinds before relations
PLAIN = tree("2:nsubj", "0:root", "2:obj/x")
CROSSING = tree("0:root", "1:a", "1:b", "2:c")  # the last arc crosses the one before


def prepared(
    text: bytes = PLAIN, dev: bytes | None = None, base: TransitionParser | None = None, **options: Any
) -> TransitionStrategy:
    strategy = TransitionStrategy(tw.recipe(**{"features": "lean", "governors": "any", "cutoff": 1, **options}), base)
    data = gather(text, "conllu", single_root=strategy.single_root)
    strategy.prepare(data, gather(dev, "conllu") if dev else None, TrainingObserver())
    return strategy


def learn(strategy: TransitionStrategy, rounds: int = 3) -> TransitionStrategy:
    for number in range(1, rounds + 1):
        strategy.learn(number, lambda sentences: None)
    return strategy


def finished(strategy: TransitionStrategy) -> TransitionParser:
    return learn(strategy).finish(strategy.weights(), {"recipe": strategy.recipe.to_dict()})


@pytest.mark.parametrize(
    ("options", "decision"),
    [
        ({"features": "lean"}, "joint"),
        ({"features": "lean", "decision": "split"}, "split"),
        ({"features": SPLIT}, "split"),
        ({"features": SPLIT, "beam": 2}, "joint"),
        ({"features": SPLIT, "beam": 1}, "split"),
        ({"features": SPLIT, "decision": "joint"}, "joint"),
    ],
)
def test_the_feature_model_says_how_moves_are_decided_unless_the_user_or_a_beam_does(options, decision):
    strategy = TransitionStrategy(tw.recipe(**options))
    assert strategy.recipe.decision == decision
    assert strategy.split is (decision == "split")


def test_the_system_is_the_one_of_the_recipe():
    strategy = TransitionStrategy(tw.recipe(system="arc-eager", root="first", single_root=False, costs="2012"))
    assert strategy.system.settings() == {"name": "arc-eager", "root": "first", "single_root": False}
    assert isinstance(strategy.system, PrintedArcEager)
    assert strategy.single_root is False
    assert TransitionStrategy(tw.recipe()).single_root is True


@pytest.fixture
def told(monkeypatch) -> list[Any]:
    """The arguments that a trainer gets after parser, learner and corpus."""
    heard: list[Any] = []
    for name in ("OnlineTrainer", "BeamTrainer"):
        monkeypatch.setattr(transition, name, lambda *given, name=name: heard.append((name, *given)))
    return heard


def test_a_trainer_is_told_what_the_recipe_says(told):
    strategy = prepared(
        policy="explore",
        seed=7,
        k=3,
        p=0.25,
        exploration="2012",
        zero_cost="random-labelled",
        passive_aggressive="max-loss",
        cost_sensitive="margin",
        aggressiveness=0.5,
        arc_weights="obj=3",
    )
    [(name, parser, learner, corpus, *rest)] = told
    assert (name, learner, corpus) == ("OnlineTrainer", strategy.learner, strategy.corpus)
    assert type(parser) is GreedyParser
    assert parser.scorer is learner
    policy = RoundsPolicy("explore", 3, 0.25, 7, "2012", "random-labelled")
    assert rest == [policy, "margin", "max-loss", 0.5, [1, 1, 3]]
    prepared(decision="split")
    assert (parser.split, told[1][1].split) == (False, True)


def test_a_trainer_explores_as_in_2013_unless_told_otherwise(told):
    prepared()
    usual = (RoundsPolicy("explore", 1, 0.9, 1, "2013", "best"), None, None, 1.0, None)
    assert told[0][4:] == usual
    prepared(policy="ambiguity")
    assert told[1][4].name == "ambiguity"
    incomplete = TransitionStrategy(TransitionRecipe(features="lean"))
    incomplete.prepare(gather(PLAIN, "conllu"), None, TrainingObserver())
    assert told[2][4:] == usual
    assert incomplete.trainings == 1


@pytest.mark.parametrize(("exploration", "going_on"), [("2013", 0.125), ("2012", 0.875)])
def test_a_beam_is_told_the_probability_of_going_on(told, exploration, going_on):
    strategy = prepared(beam=2, update="early", p=0.125, k=0, seed=5, exploration=exploration)
    [(name, _, learner, corpus, *rest)] = told
    assert (name, learner, corpus) == ("BeamTrainer", strategy.learner, strategy.corpus)
    assert rest == [2, "early", RoundsPolicy("explore", 0, going_on, 5)]


def test_places_of_a_list_have_a_trainer_of_their_own():
    assert trainer_for(TransitionStrategy(tw.recipe(system="easy-first")).system) is EasyFirstTrainer
    assert trainer_for(TransitionStrategy(tw.recipe()).system) is OnlineTrainer


def test_weights_of_arcs_go_by_relation_and_subtypes_go_with_theirs(told):
    strategy = prepared(arc_weights="obj=3,nsubj=0")
    assert strategy.relations == ["nsubj", "root", "obj:x"]
    assert strategy._arc_weights() == [0, 1, 3]
    assert prepared(arc_weights="obj=3,obj:x=2")._arc_weights() == [1, 1, 2]
    lifted = prepared(CROSSING * 5, arc_weights="c=4")
    assert lifted.relations[-1] == "c↑a"
    assert lifted._arc_weights() == [1, 1, 1, 4, 4]
    sign = tree("0:root", "1:a↑b", "1:obj/x/y")  # a relation may look like a label of lifting
    assert prepared(sign, lifting="none", arc_weights="a↑b=4,obj=2")._arc_weights() == [1, 4, 2]


def test_a_weight_that_no_arc_has_is_refused(told):
    with pytest.raises(CombinationError, match=r"no arc of the treebank has the relation abc$"):
        prepared(arc_weights="obj=3,dep=1,abc=2")


def test_lifted_arcs_are_noted_and_rare_labels_are_plain():
    often, once = prepared(CROSSING * 5), prepared(CROSSING)
    assert often.notes == ["5 arcs lifted (head)"]
    assert often.relations == ["root", "a", "b", "c", "c↑a"]
    assert (once.notes, once.relations) == (["1 arcs lifted (head)"], ["root", "a", "b", "c"])
    assert prepared(PLAIN).notes == []
    assert prepared(CROSSING * 5, lifting="path").notes == ["5 arcs lifted (path)"]
    assert prepared(CROSSING * 5, lifting="none").notes == []
    assert prepared(tree("0:root", "1:a↑b"), lifting="none").relations == ["root", "a↑b"]


def test_a_tree_that_has_several_roots_is_for_parsers_that_may_build_several():
    two = tree("0:root", "0:root")
    with pytest.raises(TreebankError, match=r"several roots after lifting.*--no-single-root") as error:
        TransitionStrategy(tw.recipe(features="lean")).prepare(
            gather(PLAIN + two + PLAIN, "conllu", single_root=False), None, TrainingObserver()
        )
    assert error.value.source == "head"
    assert prepared(PLAIN + two, single_root=False).relations == ["nsubj", "root", "obj:x"]


def test_words_of_some_tags_have_no_dependents_if_the_treebank_shows_it():
    text = tree("2:det:DET", "3:nsubj:NOUN", "0:root:VERB", "3:punct:PUNCT") * 300
    strategy = prepared(text, governors="learnt")
    assert strategy.leaf_tags == ["DET", "PUNCT"]
    assert strategy.settings()["leaf_tags"] == ["DET", "PUNCT"]
    assert prepared(text).leaf_tags == []


def test_what_is_moved_away_from_such_words_is_noted_beside_what_is_lifted():
    text = tree("2:det:DET", "0:root:VERB") * 1100 + tree("0:root:DET", "1:obj:VERB") + CROSSING
    strategy = prepared(text, governors="learnt")
    assert strategy.notes == ["1 tree changed: no dependents of DET", "1 arcs lifted (head)"]
    det, root, obj = (strategy.relations.index(name) for name in ("det", "root", "obj"))
    assert strategy.root_labels == [root]  # the old root word and the new one have changed places
    assert {det, obj} <= set(strategy.word_labels)


def test_clusters_of_words_come_with_the_treebank():
    keys = array("Q", sorted(map(cluster_key, ("w1", "w2"))))
    clusters = WordClusters(keys, array("H", [1, 0]), array("I", [0, 1]), array("B", [1, 1]), "made up")
    data = gather(PLAIN, "conllu")
    data.clusters = clusters
    strategy = TransitionStrategy(tw.recipe(features="lean"))
    plain = strategy.model
    strategy.prepare(data, None, TrainingObserver())
    assert strategy.model == with_clusters(plain)
    assert strategy.settings()["clusters"] is clusters


def test_a_model_file_keeps_what_parsing_needs():
    strategy = prepared(CROSSING * 5, system="arc-standard", features="malt", lifting="head+path", decision="split")
    settings = strategy.settings()
    assert settings["system"] == strategy.system.settings()
    assert (settings["split"], settings["lifting"], settings["feature_model"]) == (True, "head+path", "malt")
    assert settings["relations"] == strategy.relations


def test_the_score_is_the_share_of_words(monkeypatch):
    strategy = prepared(dev=PLAIN)
    engine = SimpleNamespace(scorer=SimpleNamespace(raise_failure=lambda: None))
    monkeypatch.setattr(strategy, "engine", lambda weights: engine)
    for counts, shown in (((3, 1, 4), (75, 25)), ((1, 1, 1), (100, 100)), ((0, 0, 0), (0, 0))):
        monkeypatch.setattr(transition, "accuracy", lambda found, dev, counts=counts: counts)
        score = strategy.score(None)
        assert (score.value, score.shown) == (counts[1], {"UAS": shown[0], "LAS": shown[1]})


@pytest.mark.parametrize(("root", "is_last"), [("first", False), ("last", True)])
def test_the_root_of_a_corpus_is_where_the_system_has_it(root, is_last, monkeypatch):
    places = []

    def corpus(blocks, encoder, root_last, heads, labels):
        places.append(root_last)
        return Corpus(blocks, encoder, root_last, heads, labels)

    monkeypatch.setattr(transition, "Corpus", corpus)
    strategy = prepared(root=root, dev=PLAIN + PLAIN)
    assert places == [is_last, is_last]
    assert (strategy.corpus.n_sentences, strategy.n_sentences) == (1, 1)
    assert strategy.dev is not None
    assert strategy.dev.n_sentences == 2


def test_dev_has_the_relations_of_words_that_are_not_lifted():
    """The label of a lifted word is right if the parse has the relation: what the lift needs is not compared."""
    strategy = learn(prepared(CROSSING * 5, dev=CROSSING), 8)
    score = strategy.score(strategy.weights())
    assert (score.value, score.shown) == (4, {"UAS": 100, "LAS": 100})


@pytest.mark.parametrize(("seeds", "trainings"), [(None, 1), (1, 1), (3, 3), (0, 4)])
def test_several_trainings_have_the_rounds_of_all(seeds, trainings):
    strategy = prepared(seeds=seeds, iterations=5)
    assert (strategy.trainings, strategy.rounds) == (trainings, 5 * trainings)
    assert strategy.selects is (trainings == 1)
    assert TransitionStrategy(tw.recipe(seeds=seeds)).trainings == 1  # until the size of the treebank is known


def test_the_last_round_is_kept_where_the_recipe_says_so():
    assert prepared(keep="best").selects is True
    assert prepared(keep="last").selects is False


def test_each_training_has_a_seed_of_its_own(monkeypatch):
    seeds = []
    strategy = prepared(seeds=3, iterations=2, seed=10)
    monkeypatch.setattr(transition, "RoundsPolicy", lambda *given: seeds.append(given[3]) or RoundsPolicy(*given))
    learners = []
    for number in range(1, 7):
        strategy.learn(number, lambda sentences: None)
        learners.append(strategy.learner)
    assert list(map(repr, seeds)) == ["11", "12"]
    assert [learners.index(learner) for learner in learners] == [0, 0, 2, 2, 4, 4]


def test_of_several_trainings_the_mean_is_kept_and_the_one_under_way_is_scored(monkeypatch):
    strategy = learn(prepared(seeds=2, iterations=1, dev=PLAIN), 2)
    monkeypatch.setattr(strategy, "kept_weights", lambda learner: learner)
    monkeypatch.setattr(strategy, "score", lambda learner: learner)
    assert strategy.score_under_way() is strategy.learner
    assert strategy.weights() is strategy.repeated.mean(strategy.learner) is not strategy.learner


def test_training_goes_on_from_a_parser():
    text = tree("2:det:DET", "0:root:VERB") * 600
    first = finished(prepared(text, governors="learnt", features="malt"))
    assert first.settings["leaf_tags"] == ["DET"]
    again = prepared(tree("2:new:DET", "0:root:VERB"), base=first, features="malt", governors="learnt")
    assert again.relations == [*first.settings["relations"], "new"]
    assert again.leaf_tags == ["DET"]
    assert str(again.model) == first.settings["features"]
    assert again.n_features == len(first.weights)
    assert {(kind, label) for kind, label in first.settings["classes"]} < set(again.moves.classes)
    with pytest.raises(CombinationError, match="has features 'malt', which cannot become 'lean'"):
        prepared(base=first)
    del first.info["recipe"]  # as models of early versions
    assert prepared(base=first).model.name == "malt"


def test_weights_that_are_no_bytes_cannot_be_trained_further():
    exact = finished(prepared(precision="float"))
    with pytest.raises(CombinationError, match="only a linear model with --precision byte can be trained further"):
        prepared(base=exact)


def test_a_round_tells_the_share_of_wrong_moves():
    strategy = prepared()
    first, *_, last = [strategy.learn(number, lambda sentences: None) for number in range(1, 6)]
    assert 0 < first < 1
    assert last == 0


def test_a_beam_is_kept_with_what_dev_says_of_it(monkeypatch):
    monkeypatch.setattr(transition, "fit_margin", lambda beam, dev: 0.5 * beam.width)
    alone = finished(prepared(beam=3))
    assert alone.settings["beam"] == 3
    assert "beam_margin" not in alone.settings
    judged = finished(prepared(beam=2, dev=PLAIN * 3))
    assert {"beam": 2, "beam_margin": 1.0}.items() <= judged.settings.items()
    assert "beam_confidence" in judged.settings
    assert "confidence" not in judged.settings


@pytest.mark.parametrize("method", ["temperature", "isotonic", "none"])
def test_confidences_are_fitted_on_dev(method):
    parser = finished(prepared(dev=PLAIN * 3, calibration=method))
    assert type(parser.engine) is GreedyParser
    assert "beam" not in parser.settings
    if method == "none":
        assert ("confidence" in parser.settings, "calibration" in parser.info) == (False, False)
    else:
        assert parser.info["calibration"]["method"] == method
        assert ("knots" in parser.settings["confidence"]) is (method == "isotonic")
    assert "confidence" not in finished(prepared(calibration=method)).settings


def test_what_parses_dev_is_what_the_model_will_parse_with():
    strategy = learn(prepared(decision="split", system="arc-standard"))
    engine = strategy.engine(strategy.weights())
    assert type(engine) is GreedyParser
    beam = prepared(beam=3).engine(strategy.weights())
    assert isinstance(beam, BeamParser)
    assert beam.width == 3
    assert (engine.system, engine.extractor) == (strategy.system, strategy.extractor)
