"""Oracles of systems for graphs checked against exhaustive search: all small graphs, from every configuration.

``python -m treewright.oracles graphs --words 4`` prints a table. Trying all moves shows what each configuration can
still build, and so its least loss for every gold graph. The cost of a move must be the increase of this loss, and the
static oracle must build every graph that can be built at all.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from random import Random

from treewright.oracles.comparison import Row
from treewright.oracles.exhaustive import future_first, some_leaves
from treewright.systems.graphs import GRAPH_SYSTEMS, make_graph_system
from treewright.systems.graphs.graph_system import GraphParse

COLUMNS = ("system", "oracle", "words", "graphs", "answers", "mismatches")
WORDS = 3
#: stack, front, words set aside, words with a head, arcs between words that may meet again
State = tuple[tuple[int, ...], int, tuple[int, ...], frozenset[int], frozenset[tuple[int, int]]]
Heads = tuple[tuple[int, ...], ...]


def all_graphs(n: int, *, root_last: bool = True, crossing: bool = False) -> Iterator[Heads]:
    """Yield every graph of n words: for each a set of heads, maybe none, cycles allowed; 0 is the root."""
    choices = [[head for head in range(n + 1) if head != word] for word in range(1, n + 1)]
    for picks in product(*(range(1 << len(heads)) for heads in choices)):
        graph = tuple(
            tuple(head for i, head in enumerate(heads) if pick >> i & 1)
            for heads, pick in zip(choices, picks, strict=True)
        )
        if crossing or not has_crossing(graph, n + 1 if root_last else 0):
            yield graph


def has_crossing(graph: Sequence[Sequence[int]], root: int) -> bool:
    """Do any two arcs cross, with the root at this place?"""
    spans = [tuple(sorted((word, head or root))) for word, heads in enumerate(graph, 1) for head in heads]
    return any(a < c < b < d for a, b in spans for c, d in spans)


class GraphSearch:
    """All configurations of a system over n words, and what can be built from each.

    ``leaves``: words that may not govern others.
    """

    def __init__(self, system: str, n: int, leaves: Sequence[int] = (), costs: str = "exact") -> None:
        self.system, self.n, self.leaves = make_graph_system(system, costs), n, leaves
        self.parses: dict[State, GraphParse] = {}
        #: kind → (where it leads, the arc that it builds, as a bit)
        self.next: dict[State, dict[str, tuple[State, int]]] = {}
        #: kinds by which a word leaves without a head: it will get a wrong one
        self.gives_up: set[tuple[State, str]] = set()
        self.start = self._explore()
        self.order = future_first([self.start], lambda state: [after for after, _ in self.next[state].values()])
        #: arcs that can still be built, as bits
        self.future: dict[State, int] = {}
        for state in self.order:
            self.future[state] = 0
            for after, built in self.next[state].values():
                self.future[state] |= built | self.future[after]

    def bit(self, head: int, word: int) -> int:
        """Return the bit of an arc."""
        return 1 << (head * self.n + word - 1)

    def bits(self, graph: Heads) -> int:
        """Return the arcs of a graph as bits."""
        return sum(self.bit(head, word) for word, heads in enumerate(graph, 1) for head in heads)

    def _state(self, parse: GraphParse) -> State:
        stack, front, aside = parse.stack, parse.front, parse.context
        arcs = parse.arcs
        headed = frozenset(word for _, word in arcs if word in stack or word in aside or word >= front)
        if self.system.name == "dag-shift-reduce":
            there = {*stack, *aside}
            pairs = frozenset(arc for arc in arcs if there.issuperset(arc))
            headed = frozenset()
        else:
            meeting = {front % (self.n + 1), *stack[-1:]}
            pairs = frozenset(arc for arc in arcs if meeting.issuperset(arc))
        return tuple(stack), front, tuple(aside), headed, pairs

    def _explore(self) -> State:
        gold: Heads = tuple(() for _ in range(self.n))
        paths: dict[State, tuple[str, ...]] = {}
        first = GraphParse(gold, self.system, self.leaves)
        start = self._state(first)
        self.parses[start], paths[start] = first, ()
        agenda = [start]
        while agenda:
            state = agenda.pop()
            self.next[state] = {}
            if self.parses[state].terminal:
                continue
            for kind in self.parses[state].legal():
                after = GraphParse(gold, self.system, self.leaves).follow((*paths[state], kind))
                new = after.arcs[len(self.parses[state].arcs) :]
                following = self._state(after)
                self.next[state][kind] = following, self.bit(*new[0]) if new else 0
                if self._there(self.parses[state]) - self._there(after) - {word for _, word in after.arcs}:
                    self.gives_up.add((state, kind))
                if following not in self.parses:
                    self.parses[following], paths[following] = after, (*paths[state], kind)
                    agenda.append(following)
        return start

    def _there(self, parse: GraphParse) -> set[int]:
        return {*parse.stack, *parse.context, *range(parse.front, self.n + 1)}

    def costs(self, gold: int) -> Iterator[tuple[State, dict[str, int]]]:
        """Yield, for every configuration, the cost of each legal move; the initial configuration comes last."""
        loss: dict[State, int] = {}
        for state in self.order:
            least = 0
            totals = {}
            for kind, (after, built) in self.next[state].items():
                lost = (gold & self.future[state] & ~built & ~self.future[after]).bit_count()
                totals[kind] = lost + (built & ~gold).bit_count() + loss[after] + ((state, kind) in self.gives_up)
            if totals:
                least = min(totals.values())
            loss[state] = least
            yield state, {kind: total - least for kind, total in totals.items()}

    def can_build(self, gold: int) -> bool:
        """Is there a way to build this graph exactly?"""
        waiting = [(self.start, gold)]
        seen = set(waiting)
        while waiting:
            state, left = waiting.pop()
            if not self.next[state] and not left:
                return True
            for after, built in self.next[state].values():
                step = after, left & ~built
                if not built & ~left and not step[1] & ~self.future[after] and step not in seen:
                    seen.add(step)
                    waiting.append(step)
        return False


@dataclass
class Proof:
    """What was compared, and what was wrong."""

    system: str
    oracle: str
    graphs: int = 0
    answers: int = 0
    mismatches: list[str] = field(default_factory=list)


def compare_graphs(name: str, n: int, sample: int = 0, leaves: bool = False) -> list[Proof]:
    """Check the oracles of a system over all graphs of n words that it is made for, or over a random sample.

    With ``leaves``, the same for every choice of words that may not govern others, and the graphs that obey it.
    """
    system = make_graph_system(name)
    proofs = [Proof(name, "static")]
    if "dynamic" in system.oracles:
        proofs.append(Proof(name, "dynamic"))
    graphs = list(all_graphs(n, root_last=system.root == "last", crossing=name == "dag-crossing"))
    if 0 < sample < len(graphs):
        graphs = Random(1).sample(graphs, sample)
    for chosen in some_leaves(n) if leaves else [()]:
        obeying = [graph for graph in graphs if not any(set(chosen) & set(heads) for heads in graph)]
        _check_graphs(GraphSearch(name, n, chosen), obeying, proofs)
    return proofs


def _check_graphs(search: GraphSearch, graphs: Sequence[Heads], proofs: list[Proof]) -> None:
    for graph in graphs:
        gold = search.bits(graph)
        if all(graph) and search.can_build(gold):
            _check_static(search, graph, proofs[0])
        if len(proofs) > 1:
            _check_costs(search, graph, gold, proofs[1])


def _check_static(search: GraphSearch, graph: Heads, proof: Proof) -> None:
    proof.graphs += 1
    parse = GraphParse(graph, search.system, search.leaves)
    while not parse.terminal:
        kind = parse.static()
        if kind not in parse.legal():
            break
        parse.apply(kind)
        proof.answers += 1
    wanted = sorted((head, word) for word, heads in enumerate(graph, 1) for head in heads)
    if not parse.terminal or sorted(parse.arcs) != wanted:
        proof.mismatches.append(f"{graph}: {parse.arcs}")


def _check_costs(search: GraphSearch, graph: Heads, gold: int, proof: Proof) -> None:
    proof.graphs += 1
    for state, costs in search.costs(gold):
        if not costs:
            continue
        proof.answers += 1
        found = search.parses[state].set_gold(graph).costs()
        if found != costs:
            proof.mismatches.append(f"{graph}, {state}: {found}, but the true costs are {costs}")


def rows(options: argparse.Namespace) -> Iterator[Row]:
    """Yield what was compared, and how many answers were wrong, by system and oracle."""
    for name in [options.system] if options.system else GRAPH_SYSTEMS:
        for proof in compare_graphs(name, options.words, options.sample, options.leaves):
            yield name, proof.oracle, options.words, proof.graphs, proof.answers, len(proof.mismatches)
