"""Position words so that every label has room on its arc."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate

from treewright.display.picture import Arc

#: Slots of a word where arcs start or end: to dependents on the left, from the head, to dependents on the right.
LEFT, HEAD, RIGHT = 0, 1, 2
FULL_ENOUGH = 0.6  # of the width: from here on, a row ends where it cuts the fewest arcs
MOST_STUBS = 8  # arcs of one head that cross a margin; their other ends name the head


def slot_at(arc: Arc, place: int) -> int:
    """Return the slot of an arc at one of its ends.

    The arc from the head is in the middle. Whichever side it comes from, it is outside the arcs to dependents on that
    side and crosses none of them.
    """
    if place == arc.dependent:
        return HEAD
    return LEFT if arc.dependent < place else RIGHT


class Slots:
    """The slots that each word uses, and their order."""

    def __init__(self, n_words: int, arcs: Iterable[Arc]) -> None:
        used: list[set[int]] = [set() for _ in range(n_words + 1)]
        for arc in arcs:
            used[arc.dependent].add(HEAD)
            if not arc.is_upright:
                used[arc.head].add(slot_at(arc, arc.head))
        self._used = [sorted(slots) for slots in used]

    def count(self, place: int) -> int:
        """Return the number of slots of a word."""
        return len(self._used[place])

    def rank(self, place: int, slot: int) -> int:
        """Return the position of a slot among the slots of a word."""
        return self._used[place].index(slot)


def nesting(arc: Arc) -> tuple[bool, int]:
    """Return the sort key for assigning levels: inner arcs first, arcs from the root last, above all others.

    Length is in words, so parts of arcs are nested in the same way as the whole arcs.
    """
    return arc.is_upright, arc.right - arc.left


def arcs_by_right_end(n_words: int, arcs: Iterable[Arc]) -> list[list[Arc]]:
    """Return, for each position, the arcs whose right end is there."""
    ending: list[list[Arc]] = [[] for _ in range(n_words + 1)]
    for arc in arcs:
        if not arc.is_upright:
            ending[arc.right].append(arc)
    return ending


def arcs_by_end(n_words: int, arcs: Iterable[Arc]) -> list[list[Arc]]:
    """Return, for each position, the arcs with an end there."""
    ending: list[list[Arc]] = [[] for _ in range(n_words + 1)]
    for arc in arcs:
        for place in {arc.left, arc.right}:
            ending[place].append(arc)
    return ending


def arcs_cut(n_words: int, arcs: Iterable[Arc]) -> list[int]:
    """Return, for each position, how many arcs a row that ends there cuts."""
    change = [0] * (n_words + 1)
    for arc in arcs:
        if not arc.is_upright:
            change[arc.left] += 1
            change[arc.right] -= 1
    return list(accumulate(change))


def left_edges(
    widths: Sequence[float],
    arcs: Iterable[Arc],
    need: Callable[[Arc], float],
    offset: Callable[[int, Arc], float],
    gap: float,
    extra: Sequence[float] = (),
) -> list[float]:
    """Return the left edge of every word, as far left as the labels allow, in linear time.

    ``need`` returns the minimum length of an arc, ``offset`` the distance from a word's left edge to the end of an arc.
    ``extra`` is additional space before each word.
    """
    ending = arcs_by_right_end(len(widths), arcs)
    edges: list[float] = []
    position = 0.0
    for place, width in enumerate(widths, 1):
        position += extra[place - 1] if extra else 0
        for arc in ending[place]:
            start = edges[arc.left - 1] + offset(arc.left, arc)
            position = max(position, start + need(arc) - offset(place, arc))
        edges.append(position)
        position += width + gap
    return edges
