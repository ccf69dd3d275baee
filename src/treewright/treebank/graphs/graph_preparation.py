"""Prepare graphs for a parser that builds no crossing arcs, and undo the preparation.

There are three steps. Each leaves signs in the relations, which are used to undo it:

- Several arcs from one head to the same word become one, with a joined relation.
- Crossing arcs are lifted, as in the ``head`` scheme of pseudo-projective parsing (Nivre & Nilsson 2005), applied to
  graphs: the arc moves to a head of its head, and the relation records the relation of the original head.
- Unwanted cycles are broken by reversing the shortest arc of each (Sagae & Tsujii 2008). In a cycle of two arcs, the
  reversed one is joined with the other.

The root is after the words, at n + 1, as in ``dag-arc-eager``.
"""

from __future__ import annotations

from collections import Counter

from treewright.treebank.graphs.graph import Graph
from treewright.treebank.graphs.graph_restoring import GraphRestorer
from treewright.treebank.graphs.graph_signs import JOINED, LIFTED, NO_HEAD, REVERSED


def prepare(graph: Graph, cycles: str = "keep", *, crossing: bool = False) -> Graph:
    """Return a graph without multiple arcs and crossing arcs, changed as little as possible.

    With ``crossing``, arcs may cross and nothing is lifted.
    """
    arcs = _joined(graph)
    if cycles == "reverse":
        _break_cycles(arcs)
    if not crossing:
        _lift(arcs)
    return [sorted(heads.items()) for heads in arcs[1:]]


def with_heads(graph: Graph) -> Graph:
    """Attach words without a head to a neighbour: a word needs one to leave the stack. Writing undoes it."""
    n = len(graph)
    if not any(graph):
        return graph
    return [arcs or [(word + 1 if word < n else n - 1, NO_HEAD)] for word, arcs in enumerate(graph, 1)]


def restore(graph: Graph) -> Graph:
    """Undo ``prepare`` on a graph, which a parser may have built."""
    numbers: dict[str, int] = {}
    numbered = [[(head, numbers.setdefault(relation, len(numbers))) for head, relation in arcs] for arcs in graph]
    return GraphRestorer(list(numbers)).restore_graph(numbered)


def reduce_relation(relation: str) -> str:
    """Return a simpler relation for one that is too rare to learn: neither lifted nor joined."""
    return _first(relation).removesuffix(REVERSED)


def preparation_scores(graphs: list[Graph], cycles: str = "keep") -> Counter[str]:
    """Count the arcs that survive preparing and restoring: ``gold``, ``kept`` and ``right``."""
    counts: Counter[str] = Counter()
    for graph in graphs:
        gold = {(word, *arc) for word, arcs in enumerate(graph) for arc in arcs}
        back = {(word, *arc) for word, arcs in enumerate(restore(prepare(graph, cycles))) for arc in arcs}
        counts.update(gold=len(gold), kept=len(back), right=len(gold & back))
    return counts


def _joined(graph: Graph) -> list[dict[int, str]]:
    """Return {head: relation} for every word, from 1, without arcs from a word to itself."""
    arcs: list[dict[int, str]] = [{}]
    for word, of_word in enumerate(graph, start=1):
        heads: dict[int, list[str]] = {}
        for head, relation in of_word:
            if head != word:
                heads.setdefault(head, []).append(relation)
        arcs.append({head: JOINED.join(sorted(relations)) for head, relations in heads.items()})
    return arcs


def find_cycle(arcs: list[dict[int, str]]) -> list[tuple[int, int]]:
    """Return the arcs (head, dependent) of a cycle, or an empty list."""
    state = [0] * len(arcs)  # 1: on the path, 2: done
    for start in range(1, len(arcs)):
        if state[start]:
            continue
        path = [start]
        waiting = [iter(arcs[start])]
        state[start] = 1
        while path:
            head = next(waiting[-1], None)
            if head is None:
                state[path.pop()] = 2
                waiting.pop()
            elif head and state[head] == 1:
                ring = [*path[path.index(head) :], head]
                return [(ring[i + 1], ring[i]) for i in range(len(ring) - 1)]
            elif head and not state[head]:
                state[head] = 1
                path.append(head)
                waiting.append(iter(arcs[head]))
    return []


def _break_cycles(arcs: list[dict[int, str]]) -> int:
    """Reverse the shortest arc of every cycle; return how many. A reversed arc is joined with one that is there."""
    reversed_arcs = 0
    tried: set[tuple[int, int]] = set()
    while cycle := find_cycle(arcs):
        head, dependent = min(cycle, key=lambda arc: (arc in tried, abs(arc[0] - arc[1]), arc))
        relation = arcs[dependent].pop(head)
        if (head, dependent) not in tried:
            # A reversed arc that closes another cycle is not reversed again but removed.
            there = arcs[head].get(dependent)
            marked = [single + REVERSED for single in relation.split(JOINED)]
            arcs[head][dependent] = JOINED.join([*([there] if there else []), *marked])
            tried.add((dependent, head))
        reversed_arcs += 1
    return reversed_arcs


class _Crossings:
    """The arcs (head, dependent) that cross each arc, updated when arcs are added and removed."""

    def __init__(self, arcs: list[dict[int, str]]) -> None:
        self.root = len(arcs)
        self.of: dict[tuple[int, int], set[tuple[int, int]]] = {}
        self.spans: dict[tuple[int, int], tuple[int, int]] = {}
        for word, heads in enumerate(arcs):
            for head in heads:
                self.add(head, word)

    def add(self, head: int, word: int) -> None:
        place = head or self.root
        start, end = (word, place) if word < place else (place, word)
        mine = set()
        for other, (left, right) in self.spans.items():
            if left < start < right < end or start < left < end < right:
                mine.add(other)
                self.of[other].add((head, word))
        self.spans[head, word] = start, end
        self.of[head, word] = mine

    def remove(self, head: int, word: int) -> None:
        for other in self.of.pop((head, word)):
            self.of[other].discard((head, word))
        del self.spans[head, word]

    def shortest(self, arcs: list[dict[int, str]]) -> tuple[int, int] | None:
        """Return the shortest arc that crosses another, or None.

        Arcs from the root are never returned, arcs from its dependents only as a last resort: they can move up less.
        """
        crossing = [arc for arc, others in self.of.items() if others and arc[0]]
        return min(crossing, key=lambda arc: (0 in arcs[arc[0]], abs(arc[0] - arc[1]), arc), default=None)


def _lift(arcs: list[dict[int, str]]) -> int:
    """Lift the shortest crossing arc by one step until no arcs cross; return the number of steps."""
    steps = 0
    crossings = _Crossings(arcs)
    lifts: dict[tuple[int, int], set[int]] = {}  # former heads of a lifted arc
    while (shortest := crossings.shortest(arcs)) is not None:
        head, word = shortest
        crossings.remove(head, word)
        relation = arcs[word].pop(head)
        been = lifts.pop((head, word), set()) | {head, word}
        steps += 1
        above = {up: name for up, name in arcs[head].items() if up not in been}
        if not above:
            continue  # no head left: the arc is lost
        up = min(above, key=lambda node: (abs((node or len(arcs)) - word), node))
        singles = [
            single if LIFTED in single else single + LIFTED + _first(above[up]) for single in relation.split(JOINED)
        ]
        if up in arcs[word]:
            singles = sorted({*singles, *arcs[word][up].split(JOINED)})
        else:
            crossings.add(up, word)
        arcs[word][up] = JOINED.join(singles)
        lifts[up, word] = been | lifts.get((up, word), set())
    return steps


def _first(relation: str) -> str:
    """Return the first of the joined relations, without traces of a lift."""
    return relation.split(JOINED)[0].split(LIFTED)[0]
