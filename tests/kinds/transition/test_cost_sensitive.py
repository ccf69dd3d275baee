"""How far an update goes, by the cost of the mistake: one sentence, features that never meet twice."""

from __future__ import annotations

from array import array
from typing import Any

import pytest
from treewright.features.extractor import Extractor
from treewright.kinds.transition.engines.greedy import GreedyParser
from treewright.kinds.transition.learning.corpus import Corpus
from treewright.kinds.transition.learning.online import OnlineTrainer
from treewright.learners.learner import Moves
from treewright.learners.perceptron import Perceptron
from treewright.systems.system import Parse

from tests.systems.cases import block_of
from treewright.features import inspection
from treewright.features.language import parse_model
from treewright.kinds.transition.learning.rounds_policy import RoundsPolicy
from treewright.systems import make_system

SHIFT, REDUCE, LEFT, RIGHT = range(4)
# He wrote her a letter, the root first: SHIFTing "wrote" loses its head and its subject.
HEADS, LABELS = [2, 0, 2, 5, 2], [1, 0, 1, 1, 1]
MODEL = parse_model("w(stack[0]) & w(input[0])")


def weights_after_a_round(
    cost_sensitive: str | None, moves: list[str], shared: bool = True, **updates: Any
) -> list[float]:
    """Learn from the sentence once; return the weights of the feature of the configuration after some moves."""
    system = make_system("arc-eager", root="first")
    classes = [(system.kinds.index(kind), label) for kind in system.labelled_kinds for label in (0, 1)]
    table = Moves(system, classes, root_labels=[0], word_labels=[1])
    extractor = Extractor(MODEL, ["root", "dep"])
    learner = Perceptron(4, table.n_classes, 1)
    if not shared:
        learner.share_nothing(1 << LEFT | 1 << RIGHT)
    block = block_of([(form,) for form in ("He", "wrote", "her", "a", "letter")])
    corpus = Corpus([block], extractor.encoder, False, array("i", HEADS), array("i", LABELS))
    parser = GreedyParser(system, extractor, table, learner)
    policy = RoundsPolicy("ambiguity", 1, 0.9, 1)
    trainer = OnlineTrainer(parser, learner, corpus, policy, cost_sensitive, **updates)
    trainer.start_round()
    trainer.learn(0, 1)
    parse = Parse(system, 5)
    for move in moves:
        parse.apply(move, 1 if move in system.labelled_kinds else None)
    keys, _ = inspection.extracted(extractor, parse, block, 0)
    found = learner.weights_of(keys[0])
    return found[0] if found else [0, 0, 0, 0]


@pytest.mark.parametrize(("cost_sensitive", "step"), [(None, 1), ("scale", 2)])
def test_a_scaled_step_is_the_number_of_arcs_lost(cost_sensitive: str | None, step: int) -> None:
    # All scores are 0 here, so that SHIFT, the first, is predicted, and LEFT is right.
    assert weights_after_a_round(cost_sensitive, ["SHIFT"]) == [-step, 0, step, 0]


def test_a_margin_asks_for_more_than_a_right_choice() -> None:
    # SHIFT is right and predicted: a plain perceptron learns nothing. RIGHT, which would lose two arcs (the head of
    # "He", and the one arc that the root may give), must be beaten by two.
    assert weights_after_a_round(None, []) == [0, 0, 0, 0]
    assert weights_after_a_round("margin", []) == [1, 0, 0, -1]


def test_passive_aggressive_steps_are_as_long_as_the_margin_needs() -> None:
    # SHIFT is predicted, LEFT with one of two relations is right: the loss is 1. The feature has a weight for each of
    # the two kinds, and one for the relation of the right move: the step is 1/3, and then the right move wins by 1.
    for variant in ("prediction", "max-loss"):
        weights = weights_after_a_round(None, ["SHIFT"], passive_aggressive=variant)
        assert weights == pytest.approx([-1 / 3, 0, 1 / 3, 0])


def test_a_costly_mistake_needs_a_wider_margin() -> None:
    # SHIFT loses two arcs here: the margin is the root of two.
    weights = weights_after_a_round("margin", ["SHIFT"], passive_aggressive="prediction")
    assert weights == pytest.approx([-(2**0.5) / 3, 0, 2**0.5 / 3, 0])


def test_no_step_is_longer_than_the_aggressiveness_allows() -> None:
    weights = weights_after_a_round(None, ["SHIFT"], passive_aggressive="prediction", aggressiveness=0.125)
    assert weights == [-0.125, 0, 0.125, 0]


def test_max_loss_asks_for_more_than_a_right_choice() -> None:
    assert weights_after_a_round(None, [], passive_aggressive="prediction") == [0, 0, 0, 0]
    # RIGHT comes within the margin of SHIFT, which is right: three weights differ again.
    assert weights_after_a_round(None, [], passive_aggressive="max-loss") == pytest.approx([1 / 3, 0, 0, -1 / 3])


def test_heavy_arcs_lengthen_the_step() -> None:
    # SHIFT loses the arc from the root (relation 0) and that of the subject (relation 1).
    assert weights_after_a_round("scale", ["SHIFT"], arc_weights=[5, 2]) == [-7, 0, 7, 0]


def test_without_shared_weights_a_labelled_move_has_only_its_own() -> None:
    """As in the papers: φ(c, t) of a transition t with its relation. Moves without one keep their weights."""
    assert weights_after_a_round(None, ["SHIFT"], shared=False) == [-1, 0, 0, 0]


@pytest.mark.parametrize(("shared", "step"), [(True, 1 / 3), (False, 1 / 2)])
def test_a_passive_aggressive_step_knows_which_weights_there_are(shared: bool, step: float) -> None:
    """A margin of 1 over the squared length: SHIFT's weight and LEFT's relation, and the weight of LEFT if shared."""
    found = weights_after_a_round(None, ["SHIFT"], shared, passive_aggressive="prediction")
    assert found == pytest.approx([-step, 0, step if shared else 0, 0])
