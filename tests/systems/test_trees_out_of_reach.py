"""Gold trees that a system cannot build: training goes on with what is legal, and harms nothing."""

from __future__ import annotations

from array import array

import pytest

from tests.systems.cases import SYSTEMS, block_of, name_of
from treewright.features.extractor import Extractor
from treewright.features.language import parse_model
from treewright.learners.learner import Moves
from treewright.learners.perceptron import Perceptron
from treewright.oracles.exhaustive import all_trees
from treewright.parsing.greedy import GreedyParser
from treewright.systems.system import System
from treewright.training.corpus import Corpus
from treewright.training.online import OnlineTrainer

MODEL = parse_model("p(stack[0])\nw(stack[0]) & w(input[0])")


def train_on(system: System, trees: list[list[int]], policy: str) -> OnlineTrainer:
    classes = [(system.kinds.index(kind), label) for kind in system.labelled_kinds for label in (0, 1)]
    moves = Moves(system, classes, root_labels=[0], word_labels=[1])
    extractor = Extractor(MODEL, ["root", "dep"])
    learner = Perceptron(len(system.kinds), moves.n_classes)
    parser = GreedyParser(system, extractor, moves, learner)
    heads = [head for tree in trees for head in tree]
    corpus = Corpus(
        [block_of(*[[(f"w{word}",) for word in range(len(tree))] for tree in trees])],
        extractor.encoder,
        system.root == "last",
        array("i", heads),
        array("i", [int(head > 0) for head in heads]),
    )
    trainer = OnlineTrainer(parser, learner, corpus, policy, 1, 0.9, 1)
    for _ in range(3):
        trainer.start_round()
        trainer.learn(0, len(trees))
    return trainer


@pytest.mark.parametrize("policy", ["static", "ambiguity", "explore"])
@pytest.mark.parametrize("system", SYSTEMS, ids=name_of)
def test_training_on_any_tree_comes_to_an_end(system, policy):
    if policy == "explore" and "dynamic" not in system.oracles:
        pytest.skip("no dynamic oracle")
    trees = list(all_trees(4, projective=False, single_root=False))
    trainer = train_on(system, trees, policy)
    assert 2 * len(trees) < trainer.decisions <= 9 * len(trees)
