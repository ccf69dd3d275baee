"""Assign heights to arcs so that arcs do not overlap."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence


def assign_levels(spans: Sequence[tuple[float, float]]) -> list[int]:
    """Return a level, from 1, for every span (left, right); spans that share a point have different levels.

    Each span goes just above all earlier spans that it shares a point with. Give inner spans first: a nested arc is
    then below the outer arc, and legs cross arcs only in non-projective trees. This takes O(n log n) for n spans: a
    tree over the end points keeps the highest level of every range.
    """
    points = sorted({point for span in spans for point in span})
    skyline = Skyline(len(points))
    levels = [0] * len(spans)
    for k, span in enumerate(spans):
        left, right = (bisect_left(points, end) for end in span)
        levels[k] = skyline.highest(left, right) + 1
        skyline.raise_to(left, right, levels[k])
    return levels


class Skyline:
    """The highest level over each point; ranges of points are queried and raised in O(log n)."""

    def __init__(self, size: int) -> None:
        self._size = max(size, 1)
        self._highest = [0] * (2 * self._size)  # over the points of a tree node
        self._whole = [0] * (2 * self._size)  # level that a whole node was raised to

    def highest(self, left: int, right: int) -> int:
        """Return the highest level from ``left`` to ``right``, inclusive."""
        best = 0
        for node in self._cover(left, right):
            best = max(best, self._highest[node])
        for leaf in (left + self._size, right + self._size):
            while leaf > 1:
                leaf //= 2
                best = max(best, self._whole[leaf])
        return best

    def raise_to(self, left: int, right: int, level: int) -> None:
        """Raise every point from ``left`` to ``right``, inclusive, to at least ``level``."""
        for node in self._cover(left, right):
            self._whole[node] = max(self._whole[node], level)
            self._highest[node] = max(self._highest[node], level)
        for leaf in (left + self._size, right + self._size):
            while leaf > 1:
                leaf //= 2
                inner = max(self._highest[2 * leaf], self._highest[2 * leaf + 1])
                self._highest[leaf] = max(inner, self._whole[leaf])

    def _cover(self, left: int, right: int) -> list[int]:
        """Return the nodes that together cover exactly the points from ``left`` to ``right``."""
        nodes = []
        left, right = left + self._size, right + self._size + 1
        while left < right:
            if left & 1:
                nodes.append(left)
                left += 1
            if right & 1:
                right -= 1
                nodes.append(right)
            left, right = left // 2, right // 2
        return nodes
