"""The best relations of a tree within rules, compared with all that there are."""

from __future__ import annotations

import random
from array import array
from itertools import product

import pytest
from treewright.systems.rules.table import RuleTable

from treewright.kinds.network.ruled_labels import best_within
from treewright.oracles.exhaustive import all_trees
from treewright.oracles.rules import N_RELATIONS, RELATIONS, TAGS, PlainRules, random_rules


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_best_of_all_that_keep_the_rules(n: int) -> None:
    rng = random.Random(n)
    trees = list(all_trees(n, projective=False))
    for heads in rng.sample(trees, min(40, len(trees))):
        rules, tags = random_rules(rng), [rng.randrange(len(TAGS)) for _ in heads]
        table, plain = RuleTable(rules, RELATIONS), PlainRules(rules, tags)
        numbers = bytes(table.tags.index(TAGS[tag]) + 1 if TAGS[tag] in table.tags else 0 for tag in tags)
        rows = [[rng.random() for _ in RELATIONS] for _ in heads]
        given = array("i", [1] * n)
        found = best_within(table, rows, array("i", heads), given, numbers)
        best = max(
            sum(row[label] for row, label in zip(rows, labels, strict=True))
            for labels in product(range(N_RELATIONS), repeat=n)
            if keeps(plain, heads, labels)
        )
        assert keeps(plain, heads, found)
        assert table.conflict(array("i", heads), found, numbers) is None
        assert sum(row[label] for row, label in zip(rows, found, strict=True)) == pytest.approx(best)


def keeps(plain: PlainRules, heads: list[int], labels: object) -> bool:
    arcs = [(word, head, label) for word, (head, label) in enumerate(zip(heads, list(labels), strict=True), 1)]  # type: ignore[call-overload]
    return not any(map(plain.bars, arcs)) and not any(
        plain.parts(a, b) for number, a in enumerate(arcs) for b in arcs[:number]
    )


def test_where_nothing_keeps_the_rules_relations_stay() -> None:
    from treewright.systems.rules.rule import PAIR, Rule

    table = RuleTable([Rule(PAIR, "r0", ("r0",), 0, 1)], ["r0"])
    heads, given = array("i", [3, 3, 0]), array("i", [0, 0, 0])
    assert best_within(table, [[1.0], [1.0], [1.0]], heads, given, bytes(3)) == given
    with pytest.raises(ValueError, match="out of range"):
        table.conflict(array("i", [4]), array("i", [0]), bytes(1))
