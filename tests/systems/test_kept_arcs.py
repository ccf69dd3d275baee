"""Given arcs, by enumeration: moves that lose none of them leave exactly the trees that have them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

import pytest
from treewright.systems.system import Parse, System

from tests.systems.cases import DYNAMIC, name_of
from treewright.oracles.exhaustive import Search, State

Arcs = frozenset[tuple[int, int]]  # (dependent, head)
FREE = -1


def results(search: Search, kept: Sequence[int] | None) -> set[Arcs]:
    """Return the arcs of all complete parses, of all moves or of those that cost none of the arcs to keep."""
    start = next(iter(search.parses))
    seen: set[State] = {start}
    agenda, found = [start], set()
    while agenda:
        state = agenda.pop()
        moves = search.next[state]
        if not moves:
            found.add(frozenset((word, head) for word, head, _ in state[3]))
        costs = None
        if kept is not None and moves:
            costs = fresh(search, state).set_gold(kept).costs()
        for (kind, _), after in moves.items():
            if (costs is None or costs[kind] == 0) and after not in seen:
                seen.add(after)
                agenda.append(after)
    return found


def fresh(search: Search, state: State) -> Parse:
    return search.parses[state]


def partial_trees(n: int) -> Iterator[tuple[int, ...]]:
    """Yield every choice of heads for some words, without words as their own heads."""
    for heads in product(range(FREE, n + 1), repeat=n):
        if all(head != word for word, head in enumerate(heads, 1)) and any(head != FREE for head in heads):
            yield heads


@pytest.mark.parametrize("system", DYNAMIC, ids=name_of)
def test_exactly_the_trees_with_the_given_arcs_are_left(system: System) -> None:
    n = 3
    search = Search(system, n)
    everything = results(search, None)
    reachable = 0
    for heads in partial_trees(n):
        given = {(word, head) for word, head in enumerate(heads, 1) if head != FREE}
        with_them = {arcs for arcs in everything if given <= arcs}
        if with_them:
            reachable += 1
            assert results(search, heads) == with_them, heads
    assert reachable > 20


@pytest.mark.parametrize("system", DYNAMIC, ids=name_of)
def test_an_unknown_head_costs_nothing(system: System) -> None:
    parse = Parse(system, 4, heads=[FREE] * 4)
    while not parse.terminal:
        costs = parse.costs()
        assert set(costs.values()) == {0}
        parse.apply(sorted(costs)[len(parse.history) % len(costs)])
