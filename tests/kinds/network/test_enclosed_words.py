"""Words whose arcs must cross no others: the best head of that kind, all other heads as they are."""

from __future__ import annotations

import random
from array import array
from math import log

import pytest
from treewright.kinds.network.decoding import TreeFinder
from treewright.systems.rules.table import RuleTable

from tests.systems.rules.test_learning import CLAUSE, block_of
from treewright.systems.rules.learning import learn_rules


def found(arcs: array[float], lengths: list[int], enclosed: bytes | None) -> list[int]:
    heads = array("i", bytes(4 * (sum(lengths) - len(lengths))))
    more = () if enclosed is None else (None, None, None, None, 0, enclosed)
    TreeFinder().find(arcs, array("i", lengths), [], b"", True, False, heads, *more)
    return heads.tolist()


def crosses(heads: list[int], word: int, head: int) -> bool:
    arcs = [(min(h, d), max(h, d)) for d, h in enumerate(heads, 1) if d != word]
    first, last = min(word, head), max(word, head)
    return any(a < first < b < last or first < a < last < b for a, b in arcs)


def test_the_best_head_that_crosses_nothing() -> None:
    rng, moved = random.Random(5), 0
    for _ in range(300):
        n = rng.randint(3, 7)
        arcs = array("f", [log(rng.random()) for _ in range((n + 1) ** 2)])
        free, word = found(arcs, [n + 1], None), rng.randint(1, n)
        enclosed = bytes(number == word for number in range(1, n + 1))
        heads = found(arcs, [n + 1], enclosed)
        wrong = free[word - 1] and crosses(free, word, free[word - 1])
        options = [head for head in range(1, n + 1) if head != word and not crosses(free, word, head)]
        expected = list(free)
        if wrong and options and word not in free:
            expected[word - 1] = max(options, key=lambda head: arcs[word * (n + 1) + head])
            moved += 1
        if free[word - 1]:
            assert heads == expected
    assert moved > 20


def test_which_words_are_enclosed() -> None:
    block = block_of(*[CLAUSE] * 100)
    table = RuleTable(learn_rules([block]), ["det", "nsubj", "obj", "punct", "root"])
    assert table.enclosed(block_of(CLAUSE), ["PUNCT"]) == bytes([0, 0, 0, 0, 0, 1])
    assert table.enclosed(block_of(CLAUSE), []) == bytes(6)


def test_too_few_words() -> None:
    with pytest.raises(IndexError, match="enclosed"):
        found(array("f", [0.0] * 9), [3], bytes(1))
