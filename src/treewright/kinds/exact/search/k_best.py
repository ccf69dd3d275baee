"""The k best trees, by Lawler's scheme.

After a tree is taken, the remaining trees are divided into disjoint groups: group i has the same heads for the first
i - 1 words, and another head for word i. The same decoder finds the best tree of each group, with arcs forbidden:
Chu-Liu-Edmonds, Eisner's algorithm, or the exact search with grandparents. That search can take long to prove which
tree is the best of a group, so a group waits with a bound on its trees, and is solved when no other bound is higher.
"""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Callable
from typing import Any, NamedTuple

from treewright.kinds.exact.search.search import TreeSearch
from treewright.kinds.exact.search.spanning import best_tree

#: from scores of arcs, and whether a bound on the best score will do, to the best tree so far, its score, and a bound
Finder = Callable[[Any, bool], tuple[Any, float, float]]

NEVER = -1e9
MOST_WORK = 10_000_000  # passes over arcs, to prove what the k best trees of a sentence are: some seconds


class Group(NamedTuple):
    """Trees with the same heads for the first words, and some heads banned for the next one."""

    fixed: tuple[int, ...]
    banned: frozenset[int]
    heads: array[int]  # of the best tree so far
    score: float
    bound: float  # no tree has a higher score


class ExactFinder:
    """Finds the best tree with grandparents or siblings, for the current sentence of a search.

    Scores of a trained model need little search. Where all proofs of a sentence together need too much, the trees are
    the best that were found, and ``is_proven`` is false.
    """

    def __init__(self, search: TreeSearch, single_root: bool) -> None:
        self.search, self.single_root = search, single_root
        self.left = MOST_WORK  # what may still be spent on proofs
        self.is_proven = True

    def __call__(self, scores: Any, bound_will_do: bool) -> tuple[Any, float, float]:
        """Return the best tree so far, its score, and a bound."""
        search = self.search
        search.prepare(scores, self.single_root)
        if search.tighten(100):
            return search.tree(), search.lower, search.lower
        if bound_will_do and self.left > 0:
            return search.tree(), search.lower, search.upper
        before, arcs = search.iterations, scores.shape[0] ** 2
        if self.left <= 0 or not search.solve(most_iterations=1 + self.left // arcs):
            self.is_proven = False
        self.left -= (search.iterations - before) * arcs
        return search.tree(), search.lower, search.lower


def plain_finder(projective: bool, single_root: bool) -> Finder:
    """Return a function that finds the tree with the best sum over its arcs: no bounds are needed."""

    def find(scores: Any, bound_will_do: bool) -> tuple[Any, float, float]:
        heads, score = best_tree(scores, projective, single_root)
        return heads, score, score

    return find


def k_best_trees(
    scores: Any, k: int, projective: bool = False, single_root: bool = False, finder: Finder | None = None
) -> list[tuple[array[int], float]]:
    """Return up to k trees with their scores, best first. ``scores``: a matrix, head by child, the root first.

    ``finder`` finds the best tree if its score is more than the sum over its arcs.
    """
    width = scores.shape[0]
    find = finder or plain_finder(projective, single_root)

    def best(fixed: tuple[int, ...], banned: frozenset[int], bound_will_do: bool) -> tuple[Any, float, float] | None:
        """The best tree with the first words' heads fixed and some heads of the next word banned."""
        flat = array("d", [scores[h, m] if m and h != m else NEVER for h in range(width) for m in range(width)])
        for word, head in enumerate(fixed, 1):
            for other in range(width):
                if other != head:
                    flat[other * width + word] = NEVER
        for head in banned:
            flat[head * width + len(fixed) + 1] = NEVER
        best = find(memoryview(flat).cast("B").cast("d", (width, width)), bound_will_do)
        heads, score, bound = best
        if bound > score:
            return best  # to be judged when it is solved
        possible = score > NEVER / 2 and (not single_root or sum(head == 0 for head in heads) == 1)
        return best if possible else None

    waiting: list[tuple[float, int, Group]] = []
    count = 0

    def wait(fixed: tuple[int, ...], banned: frozenset[int], bound_will_do: bool) -> None:
        nonlocal count
        made = best(fixed, banned, bound_will_do)
        if made is not None:
            count += 1
            heapq.heappush(waiting, (-made[2], count, Group(fixed, banned, *made)))

    wait((), frozenset(), True)
    trees: list[tuple[array[int], float]] = []
    while waiting and len(trees) < k:
        group = heapq.heappop(waiting)[2]
        if group.bound > group.score:
            wait(group.fixed, group.banned, False)
            continue
        trees.append((group.heads, group.score))
        prefix = len(group.fixed)
        for length in range(prefix, width - 1):
            out = (group.banned if length == prefix else frozenset()) | {group.heads[length + 1]}
            wait(tuple(group.heads[1 : length + 1]), out, True)
    return trees
