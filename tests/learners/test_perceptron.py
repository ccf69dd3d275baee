"""The averaged perceptron against one of dictionaries."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treewright.learners.perceptron import Perceptron

from tests.learners.reference import DictionaryPerceptron, same_history
from treewright.errors import CombinationError


def check(learner: Perceptron, reference: DictionaryPerceptron, keys: list[int]) -> None:
    """Every weight, now and averaged."""
    assert len(learner) == len(reference.features())
    for key in keys:
        for averaged in (False, True):
            weights = learner.weights_of(key, averaged)
            if key not in reference.features():
                assert weights is None
                continue
            kinds, classes = weights
            assert kinds == pytest.approx([reference.weight(key, "kind", k, averaged) for k in range(4)], abs=1e-4)
            for label in range(learner.n_classes):
                assert classes.get(label, 0) == pytest.approx(reference.weight(key, "class", label, averaged), abs=1e-4)


@given(st.integers(0, 2**32), st.integers(0, 40), st.integers(1, 12), st.integers(0, 60), st.integers(1, 4))
def test_weights_after_any_updates(seed, n_classes, n_keys, updates, cutoff):
    learner, reference, keys, rng = same_history(seed, n_classes, n_keys, updates, cutoff)
    check(learner, reference, keys)
    mine = rng.sample(keys, rng.randint(0, n_keys)) + [rng.getrandbits(64) for _ in range(3)]
    cut = sorted(rng.randint(0, len(mine)) for _ in range(2))
    counts = [cut[0], cut[1] - cut[0], len(mine) - cut[1]]
    kinds, classes = learner.score_keys(mine, counts)
    expected_kinds, expected_classes = reference.score(mine, counts)
    assert kinds == pytest.approx(expected_kinds, abs=1e-4)
    assert classes == pytest.approx(expected_classes, abs=1e-4)


def test_many_features_and_classes():
    """Past every growth: slots, features, the pool of entries, dense rows."""
    learner, reference, keys, _ = same_history(7, 50, 40, 2000)
    check(learner, reference, keys)
    learner = Perceptron(4, 2)
    everything = [key << 20 | 5 for key in range(1, 60_001)]
    for start in range(0, len(everything), 1000):
        learner.update_keys(everything[start : start + 1000], [0, 1000, 0], (0, 0), (1, 1))
    assert len(learner) == 60_000
    assert all(learner.weights_of(key) == ([1, -1, 0, 0], {0: 1, 1: -1}) for key in everything[::97])


@pytest.mark.parametrize("vectorised", [False, True], ids=["plain", "vectors"])
@pytest.mark.parametrize("n_classes", [1, 7, 8, 9, 33, 50])
def test_some_classes_score_as_they_do_among_all(n_classes, vectorised):
    """Lists and dense rows, ranges that begin and end within a vector; to the last bit, with or without vectors."""
    learner, reference, keys, _ = same_history(11, n_classes, 12, 1500)
    learner.vectorised = False
    counts = [3, 6, 3]
    plain = learner.score_keys(keys, counts)
    assert plain[1] == pytest.approx(reference.score(keys, counts)[1], abs=1e-3)
    learner.vectorised = vectorised
    if vectorised and not learner.vectorised:
        pytest.skip("the processor lacks these instructions")
    assert learner.score_keys(keys, counts) == plain
    for first in range(n_classes + 1):
        for end in range(first, n_classes + 1):
            assert learner.score_some_keys(keys, counts, first, end) == (plain[0], plain[1][first:end])
    with pytest.raises(ValueError, match="out of range"):
        learner.score_some_keys(keys, counts, 0, n_classes + 1)


@pytest.mark.parametrize("n_entries", [1, 2, 3, 4, 5, 8, 9, 15, 16, 17, 18, 30])
def test_rows_grow_and_become_dense_after_sixteen(n_entries):
    learner = Perceptron(2, 33)
    for label in range(n_entries):
        for _ in range(label + 1):
            learner.update_keys([99], [0, 1, 0], (0, label), (0, -1))
    kinds, classes = learner.weights_of(99)
    assert kinds == [0, 0, 0, 0]
    assert {k: w for k, w in classes.items() if w} == {k: k + 1 for k in range(n_entries)}
    assert len(classes) == (n_entries if n_entries <= 16 else 33)
    assert learner.score_keys([99, 99], [1, 1, 0])[1][:n_entries] == [2 * (k + 1) for k in range(n_entries)]


@pytest.mark.parametrize(("n_classes", "longest"), [(512, 16), (513, 32), (1024, 32), (1025, 64)])
def test_lists_are_longer_where_a_dense_row_has_many_classes(n_classes, longest):
    learner = Perceptron(2, n_classes)
    for n_entries in range(1, longest + 2):
        learner.update_keys([99], [0, 1, 0], (0, n_entries), (0, -1))
        _, classes = learner.weights_of(99)
        assert {k: w for k, w in classes.items() if w} == dict.fromkeys(range(1, n_entries + 1), 1)
        assert len(classes) == (n_entries if n_entries <= longest else n_classes)
        assert sum(learner.score_keys([99], [0, 1, 0])[1]) == n_entries


def test_released_rows_are_used_again():
    """Rows move to larger places and leave smaller ones free, without a trace of the old owner."""
    learner = Perceptron(2, 40)
    for key in range(1, 200):
        for label in range(key % 40):
            learner.update_keys([key], [1, 0, 0], (0, label), (0, -1), key)
    for key in range(1, 200):
        weights = learner.weights_of(key)
        if key % 40 == 0:
            assert weights is None
            continue
        assert {k: w for k, w in weights[1].items() if w} == dict.fromkeys(range(key % 40), key)


class TestAveraging:
    def test_by_the_formula(self):
        learner = Perceptron(2, 1)
        learner.update_keys([5], [0, 1, 0], (0, 0), (1, -1))  # at time 1
        for _ in range(3):
            learner.next_decision()
        learner.update_keys([5], [0, 1, 0], (0, -1), (1, -1), 2)  # at time 4
        learner.next_decision()
        assert learner.time == 5
        kinds, classes = learner.weights_of(5, averaged=True)
        # 1, 1, 1 and 3 after each of four decisions, over five moments of time.
        assert kinds == pytest.approx([6 / 5, -6 / 5, 0, 0])
        assert classes == {0: pytest.approx(4 / 5)}
        assert learner.weights_of(5)[0] == [3, -3, 0, 0]

    def test_after_very_many_decisions(self):
        learner = Perceptron(2, 0)
        learner.time = 10_000_000
        learner.update_keys([5], [0, 0, 1], (0, -1), (1, -1))
        learner.time = 20_000_000
        assert learner.weights_of(5, averaged=True)[0][:2] == pytest.approx([0.5, -0.5])


class TestCutoff:
    def test_a_feature_begins_with_the_nth_mistake(self):
        learner = Perceptron(2, 1, 3)
        for expected in (None, None, 1, 2):
            learner.update_keys([77], [0, 1, 0], (0, 0), (1, 0))
            found = learner.weights_of(77)
            assert (found and found[0][0]) == expected

    def test_each_key_counts_for_itself(self):
        learner = Perceptron(2, 1, 2)
        learner.update_keys([77, 78], [0, 2, 0], (0, 0), (1, 0))
        learner.update_keys([78, 79], [0, 2, 0], (0, 0), (1, 0))
        assert [learner.weights_of(key) is not None for key in (77, 78, 79)] == [False, True, False]

    def test_scoring_does_not_count(self):
        learner = Perceptron(2, 1, 2)
        for _ in range(5):
            learner.score_keys([77], [0, 1, 0])
        learner.update_keys([77], [0, 1, 0], (0, 0), (1, 0))
        assert len(learner) == 0


class TestMistakes:
    @pytest.mark.parametrize("shape", [(0, 1), (9, 1), (2, -1), (2, 1, 0), (2, 1, 256)])
    def test_sizes_out_of_range(self, shape):
        with pytest.raises(ValueError, match="kinds of move"):
            Perceptron(*shape)

    def test_more_labelled_moves_than_a_parser_can_have(self):
        assert Perceptron(4, 8192).n_classes == 8192
        with pytest.raises(CombinationError, match="8193 labelled moves; the limit is 8192"):
            Perceptron(4, 8193)

    @pytest.mark.parametrize("good", [(-1, 0), (2, 0), (0, 3), (0, -2)])
    def test_unknown_moves(self, good):
        with pytest.raises(ValueError, match="unknown move"):
            Perceptron(2, 3).update_keys([1], [0, 1, 0], good, (0, 0))

    @pytest.mark.parametrize("counts", [[0, 2, 0], [1], [0, 2, -1], [0, 0, 0]])
    def test_counts_that_do_not_fit(self, counts):
        with pytest.raises(ValueError, match="three counts"):
            Perceptron(2, 3).score_keys([1], counts)
        with pytest.raises(ValueError, match="three counts"):
            Perceptron(2, 3).update_keys([1], counts, (0, 0), (1, 0))
