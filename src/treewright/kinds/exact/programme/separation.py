"""The cuts that a fractional solution violates: sets of words that arcs enter by less than 1, by maximum flow."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence

TOLERANCE = 1e-6


def violated_cuts(z: Sequence[float], width: int) -> list[frozenset[int]]:
    """Return sets of words with entering arcs that sum to less than 1, one for each word in such a set.

    ``z`` is a matrix, head by child. If less than one unit of flow reaches a word from the root, the set is the word's
    side of a minimal cut between them.
    """
    capacity: dict[int, dict[int, float]] = {node: {} for node in range(width)}
    for head in range(width):
        for child in range(1, width):
            value = z[head * width + child]
            if value > 1e-9 and head != child:
                capacity[head][child] = value
    cuts: list[frozenset[int]] = []
    for word in range(1, width):
        if any(word in cut for cut in cuts):
            continue
        side = _minimal_cut(capacity, word)
        if side is not None and side not in cuts:
            cuts.append(side)
    return cuts


def _minimal_cut(capacity: dict[int, dict[int, float]], word: int) -> frozenset[int] | None:
    """Return the word's side of a minimal cut below 1 between the root and the word, or None."""
    rest = {node: dict(targets) for node, targets in capacity.items()}
    flow = 0.0
    while flow < 1 - TOLERANCE:
        before = {0: 0}
        queue = deque([0])
        while queue and word not in before:
            node = queue.popleft()
            for target, room in rest[node].items():
                if room > 1e-9 and target not in before:
                    before[target] = node
                    queue.append(target)
        if word not in before:
            return frozenset(node for node in capacity if node not in before)
        path = [word]
        while path[-1] != 0:
            path.append(before[path[-1]])
        steps = [(path[i + 1], path[i]) for i in range(len(path) - 1)]
        least = min(rest[a][b] for a, b in steps)
        for a, b in steps:
            rest[a][b] -= least
            rest[b][a] = rest[b].get(a, 0.0) + least
        flow += least
    return None
