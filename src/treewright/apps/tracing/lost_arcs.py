"""Which gold arcs a move loses, and not only how many: the dynamic oracle is asked about each arc by itself."""

from __future__ import annotations

from collections.abc import Sequence

from treewright.systems.system import Parse, System

MOST_WORDS = 60  # each arc has a parse of its own, so that the work grows with the square of the words
UNKNOWN = -1


class LostArcs:
    """The gold arcs of a tree, each of which is looked at as if nothing were known of the others."""

    def __init__(self, system: System, heads: Sequence[int], leaves: Sequence[int] = ()) -> None:
        n = len(heads)
        self._parses = {
            (head, word): Parse(system, n, leaves=leaves).set_gold(
                [head if other == word else UNKNOWN for other in range(1, n + 1)]
            )
            for word, head in enumerate(heads, 1)
        }

    def by_kind(self) -> dict[str, list[tuple[int, int]]]:
        """Return the arcs (head, dependent) that each legal kind of move loses."""
        lost: dict[str, list[tuple[int, int]]] = {}
        for arc, parse in self._parses.items():
            for kind, cost in parse.costs().items():
                if cost:
                    lost.setdefault(kind, []).append(arc)
        return lost

    def apply(self, kind: str) -> None:
        """Follow a move."""
        for parse in self._parses.values():
            parse.apply(kind, 0 if parse.carries_relation(kind) else None)
