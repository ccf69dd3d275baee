"""More kinds of move than fit a line of the table: five to eight."""

from __future__ import annotations

import random
from array import array

import pytest
from treewright.learners.frozen import FrozenWeights, freeze, prune, thaw
from treewright.learners.perceptron import Perceptron
from treewright.learners.table import LinearTable

from tests.learners.reference import TableByHand, keys_with_distinct_tags, same_history, trained
from treewright.errors import ModelFileError


def weights_for(n_kinds: int, n_classes: int = 9) -> tuple[Perceptron, FrozenWeights, list[int]]:
    """A perceptron after random updates, its frozen weights, its keys and as many others."""
    rng = random.Random(n_kinds)
    keys = keys_with_distinct_tags(rng, 300)
    learner = trained(rng, keys[:150], n_classes, 1500, n_kinds=n_kinds)
    return learner, freeze(learner), keys


@pytest.mark.parametrize(("n_kinds", "expected"), [(1, 4), (4, 4), (5, 5), (8, 8)])
def test_a_model_keeps_four_weights_or_as_many_as_there_are_kinds(n_kinds, expected):
    learner = Perceptron(n_kinds, 0)
    learner.update_keys([1], [0, 0, 1], (n_kinds - 1, -1), (0, -1), 2)
    while_learning = 4 if n_kinds <= 4 else 8
    assert learner.kind_weights == len(learner.score_keys([1], [0, 0, 1])[0]) == while_learning
    assert len(learner.weights_of(1)[0]) == while_learning
    weights = freeze(learner)
    assert weights.kind_weights == LinearTable(weights).kind_weights == expected
    assert weights.settings.get("kind_weights", 4) == expected
    assert ("kind_weights" in weights.settings) == (expected != 4)


@pytest.mark.parametrize("n_kinds", [5, 6, 8])
def test_the_perceptron_has_the_weights_of_one_of_dictionaries(n_kinds):
    learner, reference, keys, _ = same_history(n_kinds, 7, 30, 400, n_kinds=n_kinds)
    for averaged in (False, True):
        for key in keys:
            expected = [reference.weight(key, "kind", kind, averaged) for kind in range(8)]
            assert learner.weights_of(key, averaged)[0] == pytest.approx(expected, abs=1e-4)
    counts = [5, 10, 15]
    kinds, classes = learner.score_keys(keys, counts)
    assert kinds == pytest.approx(reference.score(keys, counts)[0], abs=1e-3)
    assert classes == pytest.approx(reference.score(keys, counts)[1], abs=1e-3)


@pytest.mark.parametrize("vectorised", [False, True], ids=["plain", "vectors"])
@pytest.mark.parametrize("n_kinds", [5, 8])
def test_the_table_sums_quantised_weights(n_kinds, vectorised):
    learner, weights, keys = weights_for(n_kinds)
    table, by_hand = LinearTable(weights), TableByHand(weights)
    table.vectorised = vectorised
    for key in keys:
        assert table.score_keys([key], [0, 1, 0]) == by_hand.score([key])
        assert table.score_keys([key], [0, 0, 1])[0] == by_hand.score([key])[0]
        assert table.score_keys([key], [1, 0, 0])[0] == [0] * n_kinds
    assert table.score_keys(keys, [0, 300, 0]) == by_hand.score(keys)
    found = [key for key in keys[:150] if by_hand.has(key)]
    assert len(found) > 140
    for key in found:
        scores = [score / weights.scale for score in table.score_keys([key], [0, 0, 1])[0]]
        assert scores == pytest.approx(learner.weights_of(key, averaged=True)[0][:n_kinds], abs=0.51 / weights.scale)


@pytest.mark.parametrize("least", [60, 100])
def test_pruning(least):
    _, weights, _ = weights_for(5)
    before, after = TableByHand(weights).found, TableByHand(prune(weights, least)).found
    large = [
        (line, tag) for (line, tag), (moves, row) in before.items() if max(map(abs, [*moves, *row.values()])) >= least
    ]
    assert 0 < len(after) <= len(large) < len(before)
    kept = {tag: found for (_, tag), found in before.items()}
    assert all(kept[tag] == found for (_, tag), found in after.items())


def test_thawing():
    _, weights, _ = weights_for(5)
    learner = Perceptron(5, 9, n_lines=weights.n_lines)
    thaw(weights, learner, array("i", range(9)))
    learner.next_decision()
    assert TableByHand(freeze(learner)).found == TableByHand(weights).found
    for n_kinds in (4, 6):
        with pytest.raises(ValueError, match="not made for these weights"):
            thaw(weights, Perceptron(n_kinds, 9, n_lines=weights.n_lines), array("i", range(9)))


def test_the_arrays_survive_a_file():
    _, weights, _ = weights_for(5)
    again = FrozenWeights({name: bytes(part) for name, part in weights.arrays.items()}, weights.settings)
    assert (again.settings, TableByHand(again).found) == (weights.settings, TableByHand(weights).found)


@pytest.mark.parametrize("kind_weights", [0, 3, 4, 6, 8, 16, -8, "8", None, 1e30])
def test_damaged_settings_are_rejected(kind_weights):
    _, weights, _ = weights_for(5)
    with pytest.raises(ModelFileError, match="damaged"):
        FrozenWeights(weights.arrays, {**weights.settings, "kind_weights": kind_weights})


def test_nine_kinds_are_rejected():
    with pytest.raises(ValueError, match="1 to 8 kinds"):
        Perceptron(9, 0)
