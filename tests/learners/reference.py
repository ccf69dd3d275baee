"""A perceptron of dictionaries, and a table read from its arrays by hand: slow, but plainly right."""

from __future__ import annotations

import random
from collections import defaultdict

from treewright.learners.frozen import FrozenWeights
from treewright.learners.perceptron import Perceptron

Move = tuple[int, int]  # kind, class; -1 for kinds without a relation
Scores = tuple[list[float], list[float]]


class DictionaryPerceptron:
    """Weights by (key, 'kind' or 'class', number); averages from sums that grow at every step."""

    def __init__(self, n_classes: int, cutoff: int = 1, kind_weights: int = 4) -> None:
        self.n_classes, self.cutoff, self.kind_weights = n_classes, cutoff, kind_weights
        self.now: dict[tuple[int, str, int], float] = defaultdict(float)
        self.total: dict[tuple[int, str, int], float] = defaultdict(float)
        self.time = 1
        self.touched: dict[int, int] = defaultdict(int)

    def update(self, keys: list[int], counts: list[int], good: Move, bad: Move, step: float) -> None:
        relations = good[1] != bad[1]
        for i, key in enumerate(keys):
            for_moves, for_labels = i >= counts[0], i < counts[0] + counts[1]
            if not (relations or for_moves):
                continue
            self.touched[key] += 1
            if self.touched[key] < self.cutoff:
                continue
            for (kind, label), amount in ((good, step), (bad, -step)):
                if for_moves:
                    self.now[key, "kind", kind] += amount
                if for_labels and relations and label >= 0:
                    self.now[key, "class", label] += amount

    def next_decision(self) -> None:
        for place, weight in self.now.items():
            self.total[place] += weight
        self.time += 1

    def features(self) -> set[int]:
        return {key for key, times in self.touched.items() if times >= self.cutoff}

    def weight(self, key: int, part: str, number: int, averaged: bool = False) -> float:
        if averaged:
            return self.total.get((key, part, number), 0.0) / self.time
        return self.now.get((key, part, number), 0.0)

    def score(self, keys: list[int], counts: list[int], averaged: bool = False) -> Scores:
        for_moves, for_labels = keys[counts[0] :], keys[: counts[0] + counts[1]]
        return (
            [sum(self.weight(key, "kind", k, averaged) for key in for_moves) for k in range(self.kind_weights)],
            [sum(self.weight(key, "class", c, averaged) for key in for_labels) for c in range(self.n_classes)],
        )


def same_history(
    seed: int, n_classes: int, n_keys: int, updates: int, cutoff: int = 1, n_kinds: int = 4
) -> tuple[Perceptron, DictionaryPerceptron, list[int], random.Random]:
    """Both learners after the same random updates."""
    rng = random.Random(seed)
    keys = [rng.getrandbits(64) | 1 for _ in range(n_keys)]
    learner = Perceptron(n_kinds, n_classes, cutoff)
    reference = DictionaryPerceptron(n_classes, cutoff, learner.kind_weights)
    for _ in range(updates):
        mine = rng.sample(keys, rng.randint(0, min(8, n_keys)))
        cut = sorted(rng.randint(0, len(mine)) for _ in range(2))
        counts = [cut[0], cut[1] - cut[0], len(mine) - cut[1]]
        good, bad = ((rng.randrange(n_kinds), rng.randrange(-1, n_classes)) for _ in "gb")
        step = rng.choice([1, 0.5, 2])
        learner.update_keys(mine, counts, good, bad, step)
        reference.update(mine, counts, good, bad, step)
        if rng.random() < 0.7:
            learner.next_decision()
            reference.next_decision()
    return learner, reference, keys, rng


class TableByHand:
    """The quantised weights of FrozenWeights, read from its arrays; of two that look the same, the last counts."""

    def __init__(self, weights: FrozenWeights) -> None:
        part = {name: bytes(array) for name, array in weights.arrays.items()}
        self.n_lines, self.n_classes, self.width = len(part["lines"]), weights.n_classes, weights.kind_weights
        tags = memoryview(part["tags"]).cast("H")
        sizes = memoryview(part["sizes"]).cast("H")
        moves, values = memoryview(part["moves"]).cast("b"), memoryview(part["values"]).cast("b")
        high = part["classes_high"] or bytes(len(part["classes_low"]))
        classes = [a | b << 8 for a, b in zip(part["classes_low"], high, strict=True)]
        self.found: dict[tuple[int, int], tuple[list[int], dict[int, int]]] = {}
        feature = entry = 0
        for line, count in enumerate(part["lines"]):
            for _ in range(count):
                end = entry + sizes[feature]
                row = dict(zip(classes[entry:end], values[entry:end], strict=True))
                mine = (list(moves[self.width * feature : self.width * (feature + 1)]), row)
                self.found[line, tags[feature]] = mine
                feature, entry = feature + 1, end

    def place_of(self, key: int) -> tuple[int, int]:
        return (key >> 32) * self.n_lines >> 32, key & 0xFFFF | 1

    def has(self, key: int) -> bool:
        return self.place_of(key) in self.found

    def weights_of(self, key: int) -> tuple[list[int], dict[int, int]]:
        return self.found.get(self.place_of(key), ([0] * self.width, {}))

    def score(self, keys: list[int]) -> Scores:
        """All keys as keys for both."""
        kinds, classes = [0.0] * self.width, [0.0] * self.n_classes
        for key in keys:
            moves, row = self.weights_of(key)
            kinds = [a + b for a, b in zip(kinds, moves, strict=True)]
            for label, value in row.items():
                classes[label] += value
        return kinds, classes


def keys_with_distinct_tags(rng: random.Random, n: int) -> list[int]:
    """Keys that no table confuses: their low 16 bits are all different, and odd, as tables keep them."""
    return [rng.getrandbits(32) << 32 | tag for tag in rng.sample(range(1, 1 << 16, 2), n)]


def spread_keys(rng: random.Random, n: int) -> list[int]:
    """Keys with different tags that fill the lines of a table evenly: all find room."""
    tags = rng.sample(range(1, 1 << 16, 2), n)
    return [(place << 32) // n << 32 | tag for place, tag in enumerate(tags)]


def trained(
    rng: random.Random, keys: list[int], n_classes: int, updates: int, per_update: int = 6, n_kinds: int = 4
) -> Perceptron:
    """A perceptron after random updates that touch all keys, often with more classes for some than for others."""
    learner = Perceptron(n_kinds, n_classes)
    for number in range(updates):
        mine = rng.sample(keys, min(per_update, len(keys)))
        if number < len(keys):
            mine[0] = keys[number]
        good, bad = ((rng.randrange(n_kinds), rng.randrange(-1, n_classes)) for _ in "gb")
        learner.update_keys(mine, [0, len(mine), 0], good, bad, rng.choice([1, 1, 1, 2]))
        learner.next_decision()
    return learner
