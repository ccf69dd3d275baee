"""The rounds of a training: which weights are kept, what is reported, how Ctrl-C ends it. Nothing is learnt here."""

from __future__ import annotations

import math
from typing import Any

import pytest

import treewright as tw
from tests.toy import DEV, TRAIN
from treewright.errors import CombinationError, TreewrightError
from treewright.training.gathering import Gathered, gather
from treewright.training.loop import Training
from treewright.training.observer import BarOnly, DevScore, RoundReport, TrainingObserver
from treewright.training.strategy import Strategy, in_batches, share


class Planned(Strategy[str, dict[str, Any]]):
    """A training whose scores are given: the weights of round 3 are called "3", pruned "3-", "3--"."""

    step, counted = "test", "wrong guesses"
    notes, columns = ("a note",), ("FORM", "LEMMA", "DEPS")

    def __init__(self, scores: list[float], pruned: tuple[float, ...] = (), selects: bool = True) -> None:
        self.recipe = tw.recipe()
        self.rounds, self.chosen, self.stop_in = len(scores), selects, 0
        names = [str(number) for number in range(1, len(scores) + 1)]
        self.scores = dict(zip(names, scores, strict=True))
        self.pruned = pruned
        self.round, self.learnt, self.judged = 0, True, list[str]()

    def prepare(self, data, dev, observer):
        self.prepared_with = data, dev, observer

    def learn(self, number, advanced):
        if number == self.stop_in:
            raise KeyboardInterrupt
        self.round = number
        advanced(7)
        return 0.5 / number

    def weights(self):
        return str(self.round)

    def score(self, weights):
        self.judged.append(weights)
        plain = weights.rstrip("-")
        value = self.pruned[len(weights) - len(plain) - 1] if weights != plain else self.scores[plain]
        if value < 0:
            raise KeyboardInterrupt
        return DevScore(value, {"LAS": value, "labelled F1": 66.666})

    def smaller(self, weights):
        for dashes in range(1, len(self.pruned) + 1):
            yield weights + "-" * dashes

    def finish(self, weights, info):
        return {"weights": weights, **info}

    @property
    def selects(self):
        return self.chosen

    @property
    def n_features(self):
        return 100 + self.round

    @property
    def has_learnt(self):
        return self.learnt


class Heard(TrainingObserver):
    """Keeps what it hears."""

    def __init__(self) -> None:
        self.calls: list[tuple[Any, ...]] = []
        self.rounds: list[RoundReport] = []

    def prepared(self, *what):
        self.calls.append(("prepared", *what))

    def begun(self, *what):
        self.calls.append(("begun", *what))

    def interrupted(self, rounds):
        self.calls.append(("interrupted", rounds))

    def round_done(self, report):
        self.rounds.append(report)


@pytest.fixture(scope="module")
def data() -> Gathered:
    return gather(TRAIN)


@pytest.fixture(scope="module")
def dev() -> Gathered:
    return gather(DEV)


@pytest.mark.parametrize(
    ("scores", "kept"),
    [
        ([50.0, 60.0, 55.0], "2"),
        ([50.0, 60.0, 60.0], "2"),  # the earlier of two equals
        ([0.0, 0.0], "1"),
        ([50.0, 40.0, 60.0], "3"),
    ],
)
def test_the_best_round_on_dev_is_kept(scores, kept, data, dev):
    heard = Heard()
    made = Training(Planned(scores), data, dev, heard).run()
    assert made["weights"] == kept
    assert made["dev"] == {"name": "dev.conllu", "round": int(kept), "las": max(scores), "labelled_f1": 66.67}
    best = [number for number, score in enumerate(scores, 1) if score > max([-1.0, *scores[: number - 1]])]
    assert [report.round for report in heard.rounds if report.best] == best


def test_without_dev_the_last_round_is_kept_and_nothing_judged(data):
    strategy, heard = Planned([50.0, 40.0]), Heard()
    made = Training(strategy, data, None, heard).run()
    assert (made["weights"], strategy.judged) == ("2", [])
    assert "dev" not in made
    assert [(report.best, report.scores) for report in heard.rounds] == [(False, {}), (True, {})]


def test_a_recipe_may_keep_the_last_round_though_there_is_a_dev_set(data, dev):
    strategy, heard = Planned([50.0, 40.0], selects=False), Heard()
    made = Training(strategy, data, dev, heard).run()
    assert (made["weights"], strategy.judged) == ("2", ["1", "2"])
    assert [(report.best, report.las) for report in heard.rounds] == [(False, 50.0), (False, 40.0)]
    assert made["dev"]["round"] == 2


def test_of_several_trainings_the_one_under_way_is_scored_and_the_mean_at_the_end(data, dev):
    class Repeated(Planned):
        trainings = 2

        def weights(self):
            assert self.round == self.rounds, "the mean is there when all trainings are done"
            return "4"

        def score_under_way(self):
            return DevScore(0.0, {"LAS": 10.0 * self.round})

    strategy, heard = Repeated([0.0, 0.0, 0.0, 99.0], selects=False), Heard()
    made = Training(strategy, data, dev, heard).run()
    assert [report.las for report in heard.rounds] == [10.0, 20.0, 30.0, 99.0]
    assert [report.remark for report in heard.rounds] == ["", "", "", "mean of 2"]
    assert made["dev"] == {"name": "dev.conllu", "round": 4, "las": 99.0, "labelled_f1": 66.67}
    Training(strategy, data, None, heard).run()
    assert [(report.las, report.remark) for report in heard.rounds[4:]] == [(None, "")] * 4


@pytest.mark.parametrize(
    ("pruned", "kept", "judged"),
    [
        ((60.0, 60.0), "2--", ["1", "2", "2-", "2--"]),  # as good is good enough
        ((61.0, 60.0, 62.0), "2-", ["1", "2", "2-", "2--"]),  # each is compared with the one before it
        ((59.0, 70.0), "2", ["1", "2", "2-"]),
        ((60.0, -1.0, 70.0), "2-", ["1", "2", "2-", "2--"]),  # Ctrl-C
    ],
)
def test_weights_are_pruned_until_dev_gets_worse(pruned, kept, judged, data, dev):
    strategy, heard = Planned([50.0, 60.0], pruned), Heard()
    made = Training(strategy, data, dev, heard).run()
    assert (made["weights"], strategy.judged) == (kept, judged)
    assert made["dev"]["round"] == 2
    assert heard.calls[2:] == ([("interrupted", 2)] if -1.0 in pruned else [])


def test_nothing_is_pruned_without_dev(data):
    assert Training(Planned([1.0], (1.0,)), data).run()["weights"] == "1"


def test_what_an_observer_hears(data, dev):
    strategy, heard = Planned([50.0, 60.0, 55.0]), Heard()
    training = Training(strategy, data, dev, heard)
    assert training.dev_scores() == {}
    training.run()
    assert strategy.prepared_with == (data, dev, heard)
    assert training.reports == heard.rounds
    assert heard.calls == [
        ("prepared", "test", data.n_sentences, data.n_words, ["a note"]),
        ("begun", "test", 3 * data.n_sentences),
    ]
    scores = {"LAS": 60.0, "labelled F1": 66.666}
    assert heard.rounds[1] == RoundReport("test", 2, 3, 0.25, "wrong guesses", 102, True, scores)


def test_what_a_model_says_about_its_training(data, dev):
    made = Training(Planned([50.0, 60.0]), data, dev).run({"treebank": "toy"})
    assert made["version"] == tw.__version__
    assert made["recipe"] == tw.recipe().to_dict()
    assert made["columns"] == ["FORM", "LEMMA"]  # which hold anything
    assert made["treebank"] == "toy"
    assert made["training"] == {
        "name": "train.conllu",
        "sentences": data.n_sentences,
        "words": data.n_words,
        "notes": ["a note"],
        "rounds": 2,
    }


def test_ctrl_c_keeps_the_best_so_far(data, dev):
    strategy, heard = Planned([50.0, 40.0, 70.0]), Heard()
    strategy.stop_in = 3
    assert Training(strategy, data, dev, heard).run()["weights"] == "1"
    assert heard.calls[2:] == [("interrupted", 2)]


def test_ctrl_c_without_a_judged_round_keeps_what_is_learnt(data):
    strategy, heard = Planned([50.0, 40.0, 70.0]), Heard()
    strategy.stop_in = 2
    made = Training(strategy, data, None, heard).run()
    assert (made["weights"], made["training"]["rounds"]) == ("1", 2)
    assert (heard.rounds[-1].round, heard.rounds[-1].best) == (2, True)
    assert math.isnan(heard.rounds[-1].mistakes)
    assert heard.calls[2:] == [("interrupted", 2)]


def test_ctrl_c_before_anything_is_learnt_ends_the_training(data):
    strategy = Planned([50.0])
    strategy.stop_in, strategy.learnt = 1, False
    with pytest.raises(KeyboardInterrupt):
        Training(strategy, data).run()


def test_a_training_without_rounds_is_an_error(data):
    with pytest.raises(TreewrightError, match="anything to keep"):
        Training(Planned([]), data).run()


def test_a_strategy_selects_on_dev_prunes_nothing_and_has_no_instances_unless_it_says_so(data, dev):
    class Plain(Planned):
        selects, has_learnt, smaller = Strategy.selects, Strategy.has_learnt, Strategy.smaller

    strategy = Plain([50.0, 60.0, 55.0], (70.0,))
    assert strategy.trainings == 1
    assert Training(strategy, data, dev).run()["weights"] == "2"
    strategy.stop_in = 1
    assert Training(strategy, data).run()["training"]["rounds"] == 1
    with pytest.raises(CombinationError, match="leave --dump-instances out"):
        strategy.dump_to("x")


def test_batches_cover_all_sentences_once():
    learnt, reported = [], []
    in_batches(lambda first, end: learnt.append((first, end)), 7, 3, reported.append)
    assert (learnt, reported) == ([(0, 3), (3, 6), (6, 9)], [3, 3, 1])
    in_batches(lambda first, end: learnt.append((first, end)), 0, 3, reported.append)
    assert len(learnt) == 3


def test_the_share_of_mistakes():
    assert share(1, 4) == 0.25
    assert share(1, 1) == 1
    assert math.isnan(share(0, 0))


def test_a_report_knows_the_scores_of_trees_and_of_graphs():
    def report(**scores):
        return RoundReport("parser", 1, 1, 0.0, "wrong moves", 1, True, scores)

    tree = report(UAS=2.0, LAS=1.0)
    graph = report(**{"unlabelled F1": 4.0, "labelled F1": 3.0})
    assert (tree.uas, tree.las, graph.uas, graph.las) == (2, 1, 4, 3)
    assert (report().uas, report().las) == (None, None)


def test_the_remark_of_a_round():
    def remark(scores, best, mean_of=1):
        return RoundReport("parser", 1, 1, 0.0, "wrong moves", 1, best, scores, mean_of).remark

    scores = {"LAS": 1.0}
    assert (remark(scores, True), remark(scores, False), remark({}, True)) == ("best", "", "")
    assert (remark(scores, True, 2), remark({}, True, 2)) == ("mean of 2", "")


def test_a_training_within_a_training_moves_the_bar_and_ends_with_it():
    moved = []
    outer = TrainingObserver()
    outer.advanced = moved.append  # type: ignore[method-assign]
    BarOnly(outer).advanced(5)
    assert moved == [5]
    with pytest.raises(KeyboardInterrupt):
        BarOnly(outer).interrupted(1)
