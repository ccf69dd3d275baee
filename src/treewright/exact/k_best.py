"""The k best trees, by Lawler's scheme.

After a tree is taken, the remaining trees are divided into disjoint groups: group i has the same heads for the first
i - 1 words, and another head for word i. The same decoder finds the best tree of each group, with arcs forbidden:
Chu-Liu-Edmonds, Eisner's algorithm, or the exact search with grandparents.
"""

from __future__ import annotations

import heapq
from array import array
from collections.abc import Callable
from typing import Any

from treewright.exact.search import TreeSearch
from treewright.exact.spanning import best_tree

Finder = Callable[[Any], tuple[Any, float]]  # from scores of arcs to the best tree and its score

NEVER = -1e9


def exact_finder(search: TreeSearch, single_root: bool) -> Finder:
    """Return a function that finds the best tree with grandparents, for the current sentence of a search."""

    def find(scores: Any) -> tuple[Any, float]:
        search.prepare(scores, single_root)
        if not search.tighten(100):
            search.solve()
        return search.tree(), search.lower

    return find


def k_best_trees(
    scores: Any, k: int, projective: bool = False, single_root: bool = False, finder: Finder | None = None
) -> list[tuple[array[int], float]]:
    """Return up to k trees with their scores, best first. ``scores``: a matrix, head by child, the root first.

    ``finder`` finds the best tree if its score is more than the sum over its arcs.
    """
    width = scores.shape[0]
    find = finder or (lambda matrix: best_tree(matrix, projective, single_root))

    def best(fixed: tuple[int, ...], banned: frozenset[int]) -> tuple[array[int], float] | None:
        """The best tree with the first words' heads fixed and some heads of the next word banned."""
        flat = array("d", [scores[h, m] if m and h != m else NEVER for h in range(width) for m in range(width)])
        for word, head in enumerate(fixed, 1):
            for other in range(width):
                if other != head:
                    flat[other * width + word] = NEVER
        for head in banned:
            flat[head * width + len(fixed) + 1] = NEVER
        heads, score = find(memoryview(flat).cast("B").cast("d", (width, width)))
        possible = score > NEVER / 2 and (not single_root or sum(head == 0 for head in heads) == 1)
        return (heads, score) if possible else None

    first = best((), frozenset())
    waiting: list[tuple[float, int, array[int], int, frozenset[int]]] = []
    count = 0
    if first is not None:
        waiting.append((-first[1], count, first[0], 0, frozenset()))
    found: list[tuple[array[int], float]] = []
    while waiting and len(found) < k:
        cost, _, heads, prefix, banned = heapq.heappop(waiting)
        found.append((heads, -cost))
        for length in range(prefix, width - 1):
            out = (banned if length == prefix else frozenset()) | {heads[length + 1]}
            other = best(tuple(heads[1 : length + 1]), out)
            if other is not None:
                count += 1
                heapq.heappush(waiting, (-other[1], count, other[0], length, out))
    return found
