"""Candidates of a word are the nodes at the ends of known paths: compared with all pairs of nodes of random trees."""

from __future__ import annotations

import random
from array import array
from collections import Counter

import pytest
from treewright.features.encoder import Encoder
from treewright.kinds.enhanced.examples import ArcExamples
from treewright.kinds.enhanced.finding import ATTRIBUTES, ArcFinder
from treewright.kinds.enhanced.tree_paths import TreePaths
from treewright.treebank.blocks.block import Block

from treewright.kinds.enhanced.training import path_between
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.graphs.graph import Graphs

RELATIONS = 3


def block_of(n: int) -> Block:
    rows = (f"{k}\tw{k}\tw{k}\tX\t_\t_\t_\t_\t_\t_" for k in range(1, n + 1))
    return next(iter(read_blocks(("\n".join(rows) + "\n\n").encode())))


def random_tree(n: int, dice: random.Random) -> tuple[list[int], list[int]]:
    """Return heads and relations; words may hang on words before them or after them."""
    order = dice.sample(range(1, n + 1), n)
    heads = [0] * n
    for place, word in enumerate(order[1:], 1):
        heads[word - 1] = order[dice.randrange(place)]
    return heads, [dice.randrange(RELATIONS) for _ in heads]


def all_paths() -> list[tuple[tuple[bool, int], ...]]:
    """Return all paths of one to three steps, upwards first."""
    paths: list[tuple[tuple[bool, int], ...]] = []
    longer: list[tuple[tuple[bool, int], ...]] = [()]
    for _ in range(3):
        longer = [
            (*path, (up, name))
            for path in longer
            for up in (True, False)
            for name in range(RELATIONS)
            if not up or not path or path[-1][0]
        ]
        paths += longer
    return paths


@pytest.mark.parametrize("seed", range(40))
def test_candidates_are_the_ends_of_known_paths(seed: int) -> None:
    dice = random.Random(seed)
    n = dice.randint(1, 9)
    heads, labels = random_tree(n, dice)
    known = all_paths()
    known = dice.sample(known, dice.randint(1, len(known)))
    trie = TreePaths([(path, [-1]) for path in known], RELATIONS, 1)
    examples = ArcExamples(ArcFinder(trie, Encoder(ATTRIBUTES, False), None, (), ()))
    gold = Graphs([[(dice.randint(0, n), 0)] for _ in range(n)])
    examples.add(block_of(n), array("i", heads), array("i", labels), gold, 0)
    ends = dict(zip(known, trie.ends, strict=True))
    expected: Counter[tuple[int, int]] = Counter()
    for word in range(1, n + 1):
        for node in range(n + 1):
            path = path_between(word, node, [-1, *heads], [-1, *labels])
            if node != word and path in ends:
                expected[ends[path], 0 if gold.heads[word - 1] == node else -1] += 1
    assert examples.counts == expected


def test_paths_go_up_and_then_down() -> None:
    above, names = [-1, 2, 0, 2, 3], [-1, 10, 11, 12, 13]  # 1 ← 2 → 3 → 4
    assert path_between(1, 2, above, names) == ((True, 10),)
    assert path_between(1, 3, above, names) == ((True, 10), (False, 12))
    assert path_between(1, 4, above, names) == ((True, 10), (False, 12), (False, 13))
    assert path_between(4, 1, above, names) == ((True, 13), (True, 12), (False, 10))
    assert path_between(2, 4, above, names) == ((False, 12), (False, 13))
    assert path_between(3, 0, above, names) == ((True, 12), (True, 11))
    assert path_between(1, 4, above, names, longest=2) is None
    assert path_between(1, 1, above, names) is None
    assert path_between(1, 2, [-1, 0, 0], [-1, 1, 1]) is None  # not by way of the root


@pytest.mark.parametrize(
    ("paths", "problem"),
    [
        ([([], [0])], "1 to 3 steps"),
        ([([(True, 0)] * 4, [0])], "1 to 3 steps"),
        ([([(True, 0)], [])], "and choices"),
        ([([(True, RELATIONS)], [0])], "no relation of trees"),
        ([([(True, -1)], [0])], "no relation of trees"),
        ([([(True, 0)], [1])], "a choice that there is not"),
        ([([(True, 0)], [-2])], "a choice that there is not"),
        ([([(True, 0)], [0]), ([(True, 0)], [-1])], "there twice"),
    ],
)
def test_paths_that_cannot_be_are_rejected(paths: list, problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        TreePaths(paths, RELATIONS, 1)


@pytest.mark.parametrize(
    ("heads", "labels"), [([3, 0], [0, 0]), ([2, 0], [0, RELATIONS]), ([2, 0], [0, -1]), ([0], [0])]
)
def test_trees_that_do_not_fit_are_rejected(heads: list[int], labels: list[int]) -> None:
    trie = TreePaths([([(True, 0)], [-1])], RELATIONS, 1)
    finder = ArcFinder(trie, Encoder(ATTRIBUTES, False), None, (), ())
    with pytest.raises(ValueError, match=r"out of range|needs a head"):
        finder.find(block_of(2), array("i", heads), array("i", labels), array("i", [0] * RELATIONS), True)
