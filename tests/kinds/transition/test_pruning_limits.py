"""What training tries and drops: limits of pruned weights, rare relations of graphs, relations that are most usual."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace

import pytest

import treewright as tw
from tests.toy import toy_parser
from treewright.kinds.graph.training import _classes, _usual
from treewright.kinds.transition import perceptron
from treewright.kinds.transition.training import TransitionStrategy
from treewright.treebank.graphs.graph_signs import JOINED

SYSTEM = SimpleNamespace(kinds=("SHIFT", "LEFT-ARC", "RIGHT-ARC"), root="first")


@pytest.mark.parametrize(("prune", "limits"), [(True, [2, 3, 4, 5, 6, 7, 8]), (False, [])])
def test_weights_are_pruned_with_rising_limits(prune, limits, monkeypatch):
    monkeypatch.setattr(perceptron, "prune", lambda weights, least: least)
    strategy = TransitionStrategy(tw.recipe(prune=prune))
    assert list(strategy.smaller(toy_parser().weights)) == limits
    assert list(strategy.smaller(None)) == []  # weights of full precision are not pruned


def test_a_joined_relation_met_once_becomes_plain():
    joined = f"obl{JOINED}nsubj"
    assert _usual(joined, Counter({joined: 2})) == joined
    assert _usual(joined, Counter({joined: 1})) == "obl"


def test_every_move_has_the_usual_relations_and_the_first_of_equals_is_the_usual_one():
    """Relations 5 and 3 are as frequent among words: 3 is the usual one. 7 is that of roots."""
    graphs = [[[], [], [], [], []]]
    arcs = [[(0, 7)], [(1, 5)], [(1, 3)], [(5, 3)], [(1, 5)]]
    assert _classes(SYSTEM, graphs, arcs) == ([(1, 3), (1, 7), (2, 3), (2, 5), (2, 7)], [7], [3, 5])


def test_the_usual_relation_is_the_most_frequent_one():
    """Among words 5 (three times), among roots 8 (twice); of roots that are as frequent, the first."""
    graphs = [[[]] * 8]
    arcs = [[(0, 8)], [(0, 8), (1, 3)], [(0, 7)], [(1, 5)], [(1, 5)], [(1, 5)], [(0, 9)], [(0, 9)]]
    (classes, roots, words) = _classes(SYSTEM, graphs, arcs)
    assert [label for kind, label in classes if kind == 1] == [5, 8]
    assert (roots, words) == ([7, 8, 9], [3, 5])


def test_a_root_after_the_words_is_to_their_right():
    last = SimpleNamespace(kinds=SYSTEM.kinds, root="last")
    graphs, arcs = [[[], [], []]], [[(0, 7), (0, 6)], [(1, 5), (3, 4)], []]
    assert _classes(SYSTEM, graphs, arcs)[0] == [(1, 4), (1, 6), (2, 4), (2, 5), (2, 6), (2, 7)]
    assert _classes(last, graphs, arcs)[0] == [(1, 4), (1, 6), (1, 7), (2, 4), (2, 5), (2, 6)]


def test_graphs_without_roots_or_without_other_arcs_borrow_the_usual_relation():
    assert _classes(SYSTEM, [[[], []]], [[(2, 4)], []])[1:] == ([4], [4])
    assert _classes(SYSTEM, [[[], []]], [[(0, 4)], []])[1:] == ([4], [4])
