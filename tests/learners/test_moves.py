"""Labelled moves as classes: which relations an arc may take."""

from __future__ import annotations

import pytest
from treewright.features.extractor import Extractor
from treewright.kinds.transition.engines.greedy import GreedyParser
from treewright.learners.learner import Moves
from treewright.learners.perceptron import Perceptron

from treewright.errors import CombinationError
from treewright.features.language import parse_model
from treewright.systems import make_system

SYSTEM = make_system("arc-hybrid")
LEFT, RIGHT = 1, 2
CLASSES = [(kind, label) for kind in (LEFT, RIGHT) for label in range(3)]


def test_relations_of_the_root_come_first_then_shared_ones():
    moves = Moves(SYSTEM, CLASSES, root_labels=[2, 1], word_labels=[0, 1])
    assert moves.classes == [(1, 2), (1, 1), (1, 0), (2, 2), (2, 1), (2, 0)]
    assert moves.n_classes == 6


@pytest.mark.parametrize("extra", [(0, 0), (3, 0), (9, 0), (-1, 0), (1, 3), (1, -1)])
def test_a_move_that_the_system_does_not_have(extra):
    with pytest.raises(CombinationError, match="has no labelled move"):
        Moves(SYSTEM, [*CLASSES, extra], root_labels=[0], word_labels=[1, 2])


@pytest.mark.parametrize(
    ("classes", "root_labels", "word_labels"),
    [
        ([], [], []),
        ([(LEFT, 0), (LEFT, 1)], [0], [1]),
        ([(LEFT, 0), (LEFT, 1), (RIGHT, 1)], [0], [1]),
        ([(LEFT, 0), (LEFT, 1), (RIGHT, 0)], [0], [1]),
        (CLASSES, [0, 1, 2], []),
        (CLASSES, [], [0, 1, 2]),
    ],
)
def test_no_legal_move_is_without_a_relation(classes, root_labels, word_labels):
    with pytest.raises(CombinationError, match="has no relation for arcs"):
        Moves(SYSTEM, classes, root_labels, word_labels)


class TestWhatDoesNotFit:
    moves = Moves(SYSTEM, CLASSES, root_labels=[0], word_labels=[1, 2])

    def test_relations_that_have_no_name(self):
        extractor = Extractor(parse_model("w(stack[0])"), ["root", "dep"])
        with pytest.raises(CombinationError, match="relation that the extractor does not know"):
            GreedyParser(SYSTEM, extractor, self.moves, Perceptron(3, 6))

    def test_weights_for_other_moves(self):
        extractor = Extractor(parse_model("w(stack[0])"), ["root", "dep", "obj"])
        with pytest.raises(CombinationError, match="6 labelled moves, and weights for 5"):
            GreedyParser(SYSTEM, extractor, self.moves, Perceptron(3, 5))
