"""Frozen weights and the table that scores with them, against the arrays read by hand."""

from __future__ import annotations

import math
import random
from array import array

import pytest
from hypothesis import given
from hypothesis import strategies as st
from treewright.learners.frozen import FrozenWeights, freeze, prune, thaw
from treewright.learners.perceptron import Perceptron
from treewright.learners.table import LinearTable

from tests.learners.reference import TableByHand, keys_with_distinct_tags, spread_keys, trained
from treewright.errors import ModelFileError

BOTH = pytest.mark.parametrize("vectorised", [False, True], ids=["plain", "vectors"])


def table_of(weights: FrozenWeights, vectorised: bool = True) -> LinearTable:
    table = LinearTable(weights)
    if vectorised and not table.vectorised:
        pytest.skip("the processor lacks these instructions")
    table.vectorised = vectorised
    assert table.vectorised == vectorised
    return table


def check(table: LinearTable, by_hand: TableByHand, keys: list[int]) -> None:
    assert table.score_keys(keys, [0, len(keys), 0]) == by_hand.score(keys)


@BOTH
@pytest.mark.parametrize("n_classes", [0, 1, 9, 31, 32, 33, 64, 90, 128, 129, 160, 250, 256, 257, 600])
def test_scores_are_the_sums_of_quantised_weights(n_classes, vectorised):
    rng = random.Random(n_classes)
    keys = keys_with_distinct_tags(rng, 300)
    weights = freeze(trained(rng, keys[:200], n_classes, 1500, per_update=12))
    table, by_hand = table_of(weights, vectorised), TableByHand(weights)
    assert table.n_classes == n_classes
    for key in keys:
        check(table, by_hand, [key])
    for size in (0, 2, 50, 255, 256):
        check(table, by_hand, rng.choices(keys, k=size))


@BOTH
def test_more_features_than_are_summed_at_once(vectorised):
    rng = random.Random(3)
    keys = keys_with_distinct_tags(rng, 400)
    weights = freeze(trained(rng, keys, 40, 2000, per_update=12))
    table, by_hand = table_of(weights, vectorised), TableByHand(weights)
    for size in (257, 512, 513, 4096):
        check(table, by_hand, rng.choices(keys, k=size))


@BOTH
def test_sums_of_256_extreme_weights_do_not_overflow(vectorised):
    learner = Perceptron(4, 40)
    for label in range(40):
        learner.update_keys([9], [0, 1, 0], (label % 2, label), (2 + label % 2, -1))
    learner.time = 1e9
    weights = freeze(learner)
    largest = max(TableByHand(weights).weights_of(9)[0])
    assert largest == 127
    table = table_of(weights, vectorised)
    check(table, TableByHand(weights), [9] * 256)
    assert max(table.score_keys([9] * 256, [0, 256, 0])[0]) == 256 * 127


@pytest.mark.parametrize("seed", range(5))
def test_rows_of_every_size(seed):
    """From no weight for classes to one for each class, and the limits between the types of row."""
    rng = random.Random(seed)
    keys = keys_with_distinct_tags(rng, 40)
    learner = Perceptron(2, 64)
    for size, key in enumerate(keys):
        learner.update_keys([key], [0, 0, 1], (0, -1), (1, -1))
        for label in rng.sample(range(64), size):
            learner.update_keys([key], [1, 0, 0], (0, label), (0, -1), rng.choice([-3, 2]))
    learner.time = 1e9
    weights = freeze(learner)
    by_hand = TableByHand(weights)
    assert sorted(len(row) for _, row in by_hand.found.values()) == list(range(40))
    for vectorised in (True, False):
        table = table_of(weights, vectorised)
        for key in keys:
            check(table, by_hand, [key])
        check(table, by_hand, keys)


@pytest.mark.parametrize("high", [0, 0x12345678, 0xFFFFFFFF], ids=["first", "inner", "last"])
@pytest.mark.parametrize("n", [5, 6, 7, 100, 300])
def test_of_more_features_than_a_line_has_room_for_the_largest_stay(high, n):
    rng = random.Random(n)
    keys = [high << 32 | tag for tag in rng.sample(range(1, 1 << 16, 2), n)]
    learner = Perceptron(2, 3)
    for place, key in enumerate(keys, 1):
        learner.update_keys([key], [0, 1, 0], (0, 0), (1, 1), place if place % 2 else -place)
    learner.time = 1e9
    weights = freeze(learner)
    table, by_hand = table_of(weights), TableByHand(weights)
    assert len(weights) == min(n, 6)
    for place, key in enumerate(keys):
        check(table, by_hand, [key])
        assert any(table.score_keys([key], [0, 1, 0])[0]) == (place >= n - 6)
    check(table, by_hand, keys)


def test_tags_are_odd():
    """The last bit of a tag says that a slot is taken: keys that differ there only are one."""
    learner = Perceptron(2, 0)
    learner.update_keys([7 << 32], [0, 0, 1], (0, -1), (1, -1))
    learner.time = 1e9
    for vectorised in (True, False):
        table = table_of(freeze(learner), vectorised)
        assert table.score_keys([7 << 32], [0, 0, 1])[0] == [127, -127, 0, 0]
        assert table.score_keys([7 << 32 | 1], [0, 0, 1])[0] == [127, -127, 0, 0]
        assert table.score_keys([7 << 32 | 2], [0, 0, 1])[0] == [0, 0, 0, 0]


@pytest.mark.parametrize("first", [1, 3])
def test_of_two_features_that_look_the_same_the_larger_is_kept(first):
    learner = Perceptron(2, 0)
    learner.update_keys([7 << 32 | 5], [0, 0, 1], (0, -1), (1, -1), first)
    learner.update_keys([7 << 32 | 1 << 20 | 5], [0, 0, 1], (0, -1), (1, -1), 2)
    learner.time = 1e9
    table = table_of(freeze(learner))
    assert len(table.weights) == 1
    assert table.scale == pytest.approx(127 / max(first, 2))
    assert table.score_keys([7 << 32 | 1 << 20 | 5], [0, 0, 1])[0] == [127, -127, 0, 0]


class TestFreezing:
    @pytest.mark.parametrize("n_classes", [10, 300])
    def test_quantised_weights_are_close_to_the_averages(self, n_classes):
        rng = random.Random(n_classes)
        keys = spread_keys(rng, 150)
        learner = trained(rng, keys, n_classes, 2000)
        weights = freeze(learner)
        table = table_of(weights)
        half = 0.5 / table.scale + 1e-5
        assert len(weights) == len(keys)
        for key in keys:
            kinds, classes = learner.weights_of(key, averaged=True)
            kind_scores, class_scores = table.score_keys([key], [0, 1, 0])
            assert [score / table.scale for score in kind_scores] == pytest.approx(kinds, abs=half)
            expected = [classes.get(label, 0) for label in range(n_classes)]
            assert [score / table.scale for score in class_scores] == pytest.approx(expected, abs=half)

    def test_the_largest_weight_becomes_127(self):
        rng = random.Random(0)
        weights = freeze(trained(rng, keys_with_distinct_tags(rng, 50), 10, 500))
        found = TableByHand(weights).found.values()
        assert max(max(map(abs, [*moves, *row.values()])) for moves, row in found) == 127

    def test_features_without_a_weight_are_left_out(self):
        learner = Perceptron(2, 3)
        learner.update_keys([1, 2], [0, 2, 0], (0, 1), (1, 2))
        learner.update_keys([2], [0, 1, 0], (1, 2), (0, 1))
        learner.next_decision()
        assert len(learner) == 2
        assert len(freeze(learner)) == 1

    def test_nothing_learnt(self):
        table = table_of(freeze(Perceptron(3, 7)))
        assert table.score_keys([1, 2, 3], [1, 1, 1]) == ([0] * 4, [0] * 7)

    def test_the_threshold(self):
        learner = Perceptron(2, 3)
        for key, step in ((1, 1), (5, 5), (3, 10)):
            learner.update_keys([key], [0, 1, 0], (0, 0), (1, 1), step)
        learner.time = 1e9
        assert [len(freeze(learner, least)) for least in (0, 1.5, 5.5, 11)] == [3, 2, 1, 0]

    def test_the_same_twice(self):
        rng = random.Random(1)
        learner = trained(rng, keys_with_distinct_tags(rng, 60), 20, 400)
        assert raw(freeze(learner)) == raw(freeze(learner))

    def test_arrays_survive_a_file(self):
        rng = random.Random(1)
        weights = freeze(trained(rng, keys_with_distinct_tags(rng, 60), 20, 400))
        again = FrozenWeights(raw(weights), weights.settings)
        assert raw(again) == raw(weights)
        assert (again.settings, len(again)) == (weights.settings, len(weights))
        assert weights.nbytes == sum(map(len, raw(weights).values()))


class TestPruning:
    @pytest.mark.parametrize("least", [1, 2, 10, 60, 127, 128])
    @pytest.mark.parametrize("n_classes", [12, 300])
    def test_features_with_large_weights_do_not_change(self, least, n_classes):
        """All that reach the threshold, but at most the six largest per line of the smaller table."""
        rng = random.Random(least)
        keys = keys_with_distinct_tags(rng, 500)
        weights = freeze(trained(rng, keys, n_classes, 3000))
        pruned = prune(weights, least)
        divisor = weights.n_lines // pruned.n_lines
        lines: dict[int, list] = {}
        for (line, tag), (moves, row) in TableByHand(weights).found.items():
            peak = max(map(abs, [*moves, *row.values()]))
            if peak >= least:
                lines.setdefault(line // divisor, []).append((peak, tag, (moves, row)))
        expected = {
            (line, tag): found
            for line, features in lines.items()
            for _, tag, found in sorted(features, key=lambda feature: -feature[0])[:6]
        }
        assert TableByHand(pruned).found == expected
        check(table_of(pruned), TableByHand(pruned), keys[:256])

    def test_the_table_shrinks_with_it(self):
        rng = random.Random(0)
        weights = freeze(trained(rng, keys_with_distinct_tags(rng, 2000), 3, 6000))
        assert prune(weights, 128).n_lines == weights.n_lines // 4


class TestThawing:
    def thawed(self, seed, n_keys, n_classes, updates, numbers):
        """Return keys, frozen weights, and a learner that continues from them with other numbers for the classes."""
        rng = random.Random(seed)
        keys = keys_with_distinct_tags(rng, n_keys)
        weights = freeze(trained(rng, keys, n_classes, updates))
        learner = Perceptron(4, max(numbers) + 1, n_lines=weights.n_lines)
        thaw(weights, learner, array("i", numbers))
        return keys, weights, learner

    def test_continues_from_the_frozen_weights(self):
        keys, weights, learner = self.thawed(5, 200, 30, 2000, range(30))
        by_hand = TableByHand(weights)
        for key in keys:
            moves, row = by_hand.weights_of(key)
            kinds, classes = learner.score_keys([key], [0, 1, 0])
            assert kinds == pytest.approx([weight / weights.scale for weight in moves])
            assert classes == pytest.approx([row.get(k, 0) / weights.scale for k in range(30)])
        learner.next_decision()
        assert TableByHand(freeze(learner)).found == by_hand.found

    def test_with_other_numbers_for_the_classes(self):
        keys, weights, learner = self.thawed(6, 50, 3, 300, [4, 0, 2])
        table = table_of(weights)
        for key in keys:
            old, new = table.score_keys([key], [1, 0, 0])[1], learner.score_keys([key], [1, 0, 0])[1]
            assert [new[4], new[0], new[2]] == pytest.approx([w / weights.scale for w in old])

    def test_continues_learning(self):
        keys, _, learner = self.thawed(7, 50, 3, 300, range(3))
        before = learner.score_keys(keys[:1], [0, 1, 0])[0]
        known = len(learner)
        learner.update_keys(keys[:1], [0, 1, 0], (0, 0), (1, 1))
        after = learner.score_keys(keys[:1], [0, 1, 0])[0]
        assert [b - a for a, b in zip(before, after, strict=True)] == pytest.approx([1, -1, 0, 0], abs=1e-5)
        assert len(learner) == known

    def test_a_learner_that_was_not_made_for_it(self):
        weights = freeze(Perceptron(2, 3))
        with pytest.raises(ValueError, match="not made for these weights"):
            thaw(weights, Perceptron(2, 3), array("i", range(3)))


def raw(weights: FrozenWeights) -> dict[str, bytes]:
    return {name: bytes(part) for name, part in weights.arrays.items()}


def sample(n_classes: int = 12) -> FrozenWeights:
    rng = random.Random(n_classes)
    return freeze(trained(rng, keys_with_distinct_tags(rng, 60), n_classes, 300))


class TestDamage:
    """Nothing read from a file is trusted."""

    @pytest.mark.parametrize("name", list(raw(sample())))
    @pytest.mark.parametrize(
        "damage", [None, lambda part: part[:-2], lambda part: part + b"\1\1", lambda part: part[:3], lambda part: "x"]
    )
    def test_missing_parts_and_wrong_lengths(self, name, damage):
        parts, settings = raw(sample(300)), sample(300).settings
        if damage is None:
            del parts[name]
        else:
            parts[name] = damage(parts[name])
        with pytest.raises(ModelFileError, match="damaged"):
            FrozenWeights(parts, settings)

    @pytest.mark.parametrize(
        "settings",
        [
            {},
            {"n_classes": 12},
            {"n_classes": "12", "scale": 1.0},
            {"n_classes": None, "scale": 1.0},
            {"n_classes": 1e300, "scale": 1.0},
            {"n_classes": 10**30, "scale": 1.0},
            {"n_classes": -1, "scale": 1.0},
            {"n_classes": 8193, "scale": 1.0},
            {"n_classes": 3, "scale": 1.0},
            {"n_classes": 12, "scale": 0.0},
            {"n_classes": 12, "scale": -1.0},
            {"n_classes": 12, "scale": math.nan},
            {"n_classes": 12, "scale": math.inf},
            {"n_classes": 12, "scale": "1"},
        ],
    )
    def test_settings(self, settings):
        with pytest.raises(ModelFileError, match="damaged"):
            FrozenWeights(raw(sample()), settings)

    def test_a_class_out_of_range(self):
        parts = raw(sample())
        parts["classes_low"] = b"\xff" * len(parts["classes_low"])
        with pytest.raises(ModelFileError, match="damaged"):
            FrozenWeights(parts, sample().settings)

    @pytest.mark.parametrize(
        ("lines", "tags"), [(b"\7", b"\1\0" * 7), (b"\xff", b"\1\0" * 255), (b"\1", b"\2\0"), (b"\1", b"\0\0")]
    )
    def test_more_features_than_slots_and_tags_that_are_not_odd(self, lines, tags):
        n = len(tags) // 2
        parts = {
            "lines": lines,
            "tags": tags,
            "moves": bytes(4 * n),
            "sizes": bytes(2 * n),
            "classes_low": b"",
            "classes_high": b"",
            "values": b"",
        }
        with pytest.raises(ModelFileError, match="damaged"):
            FrozenWeights(parts, {"n_classes": 1, "scale": 1.0})

    @given(st.data())
    def test_any_damage_is_rejected_or_does_no_harm(self, data):
        weights = sample(data.draw(st.sampled_from([0, 12, 300])))
        parts, settings = raw(weights), dict(weights.settings)
        for _ in range(data.draw(st.integers(1, 4))):
            name = data.draw(st.sampled_from([*parts, "settings"]))
            if name == "settings":
                settings["n_classes"] = data.draw(st.integers(-5, 9000))
                continue
            part = bytearray(parts[name])
            at = data.draw(st.integers(0, max(0, len(part) - 1)))
            how = data.draw(st.sampled_from(["change", "swap", "cut", "grow", "replace"]))
            if how == "change" and part:
                part[at] = data.draw(st.integers(0, 255))
            elif how == "swap" and part:  # sums stay the same
                other = data.draw(st.integers(0, len(part) - 1))
                part[at], part[other] = part[other], part[at]
            elif how == "cut":
                del part[at:]
            elif how == "grow":
                part += data.draw(st.binary(max_size=64))
            else:
                part[:] = data.draw(st.binary(min_size=len(part), max_size=len(part)))
            parts[name] = bytes(part)
        try:
            damaged = FrozenWeights(parts, settings)
        except ModelFileError:
            return
        rng = random.Random(0)
        keys = [rng.getrandbits(64) for _ in range(400)]
        for vectorised in (True, False):
            table = LinearTable(damaged)
            table.vectorised = vectorised
            kinds, classes = table.score_keys(keys, [100, 200, 100])
            assert len(kinds) == 4
            assert len(classes) == damaged.n_classes
        pruned = prune(damaged, 2)
        assert len(pruned) <= len(damaged)
        learner = Perceptron(4, damaged.n_classes, n_lines=damaged.n_lines)
        thaw(damaged, learner, array("i", range(damaged.n_classes)))
        assert len(learner) == len(damaged)


@pytest.mark.parametrize("vectorised", [False, True])
def test_switching_vectors_off_and_on(vectorised):
    table = LinearTable(sample())
    able = table.vectorised
    table.vectorised = vectorised
    assert table.vectorised == (vectorised and able)
