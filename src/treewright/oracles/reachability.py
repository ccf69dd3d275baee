"""Arc reachability and arc decomposition (Goldberg & Nivre 2013, section 4), by exhaustive search.

An arc is *reachable* from a configuration if some sequence of moves builds it. A system is *arc-decomposable* if arcs
that are reachable one by one, and that a tree of the system can hold together, are reachable together. Its dynamic
oracle can then count lost arcs one by one. ``python -m treewright.oracles reachability`` prints a table of all systems.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from treewright.errors import CombinationError
from treewright.oracles.comparison import Row, all_systems, named
from treewright.oracles.exhaustive import Search, State, replay, state_of, trees_for
from treewright.systems.system import Parse, System

COLUMNS = ("system", "root", "single_root", "arc-decomposable", "smallest counter-example")
WORDS = 4
MOST_WORDS = 8
#: (head, dependent); 0 is the root
Arc = tuple[int, int]


@dataclass(frozen=True)
class CounterExample:
    """Arcs that can each be built from a configuration, and that a tree can hold, but that cannot be built together."""

    stack: tuple[int, ...]
    buffer: tuple[int, ...]
    between: tuple[int, ...]  # Covington's context, or the list of easy-first
    built: frozenset[Arc]
    arcs: frozenset[Arc]

    def __str__(self) -> str:
        places = f"stack {list(self.stack)}, buffer {list(self.buffer)}"
        if self.between:
            places += f", between {list(self.between)}"
        return f"{places}: {', '.join(f'{head}→{word}' for head, word in sorted(self.arcs))}"


def reachable(configuration: Parse, arc: Arc) -> bool:
    """Can moves from this configuration still build the arc (head, dependent)? An arc that is there is reachable."""
    n = configuration.n_words
    if n > MOST_WORDS:
        raise CombinationError(f"all moves are tried: give a sentence of at most {MOST_WORDS} words, not {n}")
    head, word = arc
    if not (1 <= word <= n and 0 <= head <= n and head != word):
        raise CombinationError(f"no arc {head} → {word} in a sentence of {n} words")
    agenda, seen = [list(configuration.history)], set()
    while agenda:
        history = agenda.pop()
        parse = replay(configuration.system, n, history, configuration.leaves)
        built = parse.arcs
        if word in built:
            if built[word][0] == head:
                return True
            continue  # a word keeps its head
        if parse.terminal or state_of(parse) in seen:
            continue
        seen.add(state_of(parse))
        moves = [(kind, 0 if parse.carries_relation(kind) else None) for kind in parse.legal()]
        agenda.extend([*history, move] for move in moves)
    return False


def decomposes(system: System, n: int) -> CounterExample | None:
    """Return the smallest counter-example to arc decomposition over up to n words, or None.

    Of those with the same number of words and arcs: the one with the rightmost arcs, before any arc was built.
    """
    for size in range(1, n + 1):
        found = list(_counter_examples(system, size))
        if found:
            fewest = min((len(each.arcs), len(each.built)) for each in found)
            smallest = [each for each in found if (len(each.arcs), len(each.built)) == fewest]
            return max(smallest, key=lambda each: (sorted(each.arcs), each.stack))
    return None


def _counter_examples(system: System, n: int) -> Iterator[CounterExample]:
    """Yield the counter-examples over n words, each with as few arcs as possible."""
    search = Search(system, n)
    trees = [frozenset((head, word) for word, head in enumerate(heads, 1)) for heads in trees_for(system, n)]
    ends = _arcs_at_the_end(search)
    for state, finals in ends.items():
        single = frozenset().union(*finals)
        for wanted in {tree & single for tree in trees}:
            if not any(wanted <= final for final in finals):
                between = tuple(search.parses[state].context or search.parses[state].pending)
                yield CounterExample(state[0], state[1], between, _arcs_of(state), _fewest(wanted, finals))


def _arcs_at_the_end(search: Search) -> dict[State, set[frozenset[Arc]]]:
    """Return, for every configuration, the sets of arcs that parses from it can end with; only the largest."""
    ends: dict[State, set[frozenset[Arc]]] = {}
    for state in search.order:
        after = search.next[state].values()
        finals = {final for following in after for final in ends[following]} if after else {_arcs_of(state)}
        ends[state] = {final for final in finals if not any(final < other for other in finals)}
    return ends


def _arcs_of(state: State) -> frozenset[Arc]:
    return frozenset((head, word) for word, head, _ in state[3])


def _fewest(arcs: frozenset[Arc], finals: set[frozenset[Arc]]) -> frozenset[Arc]:
    """Leave out arcs while the rest still cannot be built together."""
    for arc in sorted(arcs):
        rest = arcs - {arc}
        if not any(rest <= final for final in finals):
            arcs = rest
    return arcs


def rows(options: argparse.Namespace) -> Iterator[Row]:
    """Yield which systems are arc-decomposable."""
    for system in all_systems(options.system):
        words = options.words - (system.planes > 1)  # it has too many configurations
        found = decomposes(system, words)
        yield *named(system), "no" if found else f"up to {words} words", found or ""
