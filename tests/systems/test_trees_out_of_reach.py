"""Gold trees that a system cannot build: training goes on with what is legal, and harms nothing."""

from __future__ import annotations

from array import array

import pytest
from treewright.features.extractor import Extractor
from treewright.kinds.transition.learning.corpus import Corpus
from treewright.kinds.transition.learning.online import OnlineTrainer
from treewright.learners.learner import Moves
from treewright.learners.perceptron import Perceptron
from treewright.systems.system import System

from tests.systems.cases import SYSTEMS, block_of, name_of
from treewright.features.language import parse_model
from treewright.kinds.transition.learning.rounds_policy import RoundsPolicy
from treewright.kinds.transition.parser import engine_for
from treewright.kinds.transition.training import trainer_for
from treewright.oracles.exhaustive import all_trees

MODEL = parse_model("p(stack[0])\nw(stack[0]) & w(input[0])")
LIST_MODEL = parse_model("p(list[0])\nw(list[0]) & w(list[1])")


def train_on(system: System, trees: list[list[int]], policy: str) -> OnlineTrainer:
    classes = [(system.kinds.index(kind), label) for kind in system.labelled_kinds for label in (0, 1)]
    moves = Moves(system, classes, root_labels=[0], word_labels=[1])
    extractor = Extractor(LIST_MODEL if system.has_places else MODEL, ["root", "dep"])
    learner = Perceptron(len(system.kinds), moves.n_classes)
    parser = engine_for(system)(system, extractor, moves, learner)
    heads = [head for tree in trees for head in tree]
    corpus = Corpus(
        [block_of(*[[(f"w{word}",) for word in range(len(tree))] for tree in trees])],
        extractor.encoder,
        system.root == "last",
        array("i", heads),
        array("i", [int(head > 0) for head in heads]),
    )
    trainer = trainer_for(system)(parser, learner, corpus, RoundsPolicy(policy, 1, 0.9, 1))
    for _ in range(3):
        trainer.start_round()
        trainer.learn(0, len(trees))
    return trainer


@pytest.mark.parametrize("policy", ["static", "ambiguity", "explore"])
@pytest.mark.parametrize("system", SYSTEMS, ids=name_of)
def test_training_on_any_tree_comes_to_an_end(system, policy):
    if policy == "static" and "static" not in system.oracles:
        pytest.skip("no static oracle")
    trees = list(all_trees(4, projective=False, single_root=False))
    trainer = train_on(system, trees, policy)
    # The last round: 2 n + 1 moves a tree; covington n (n + 1) / 2 + n; easy-first n, each tried up to 20 times.
    most = 4 * 20 if system.has_places else 14 if system.name.startswith("covington") else 9
    assert 2 * len(trees) < trainer.decisions <= most * len(trees)
