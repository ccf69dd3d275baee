"""From scores to trees: arcs that must not be, words that govern nothing, and relations between which others vote."""

from __future__ import annotations

from array import array
from math import log

import pytest
from treewright.kinds.network.decoding import TreeFinder, best_labels

#: two words, dependent by head: the root governs the first one, which governs the second one
CHAIN = array("f", [0, 0, 0, log(0.8), 0, log(0.2), log(0.4), log(0.6), 0])


def test_arcs_that_must_not_be_are_those_of_the_batchs_own_words() -> None:
    first_banned, banned = array("i", [0, 0, 0, 0, 1]), array("i", [1])  # of four words, the last: not below the first
    given = array("i", [-1] * 4)
    found = []
    for first in (0, 2):
        heads = array("i", [0, 0])
        TreeFinder().find(CHAIN, array("i", [3]), [], b"", True, False, heads, None, given, first_banned, banned, first)
        found.append(heads.tolist())
    assert found == [[0, 1], [2, 0]]


def test_a_word_that_governs_nothing_is_no_single_root() -> None:
    """So its head is sure where only one other word may govern it."""
    heads, sure = array("i", [0, 0]), array("f", [0, 0])
    for single_root, expected in ((True, 1.0), (False, 0.6)):
        TreeFinder().find(CHAIN, array("i", [3]), [], bytes([0, 1]), single_root, False, heads, sure)
        assert heads.tolist() == [0, 1]
        assert sure[1] == pytest.approx(expected)


def label_of(scores: list[float], votes: list[tuple[float, int]]) -> int:
    """Return the best relation of a word whose head is 0, given votes for relations with their weights."""
    rows = memoryview(array("f", [0.0] * len(scores) + scores)).cast("B").cast("f", (2, len(scores)))
    out, weights = array("i", [-1]), array("d", [weight for weight, _ in votes])
    labels = array("i", [label for _, label in votes])
    best_labels(rows, array("i", [2]), array("i", [0]), out, weights, array("i", [0] * len(votes)), labels)
    return out[0]


def test_of_two_relations_that_are_equal_the_first_one_is_taken() -> None:
    assert label_of([0.5, 2.0, 2.0], []) == 1
    assert label_of([0.5, 2.0, 2.5], []) == 2


def test_votes_must_say_more_than_the_network_itself() -> None:
    assert label_of([1.0, 0.5], [(0.5, 1)]) == 0
    assert label_of([1.0, 0.5], [(0.75, 1)]) == 1
