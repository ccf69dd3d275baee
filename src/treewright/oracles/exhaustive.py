"""The truth by enumeration: what is the best that can still be built from a configuration?

Slow by intention. Every oracle is compared with this search, over all trees of a few words and from every
configuration that can be reached, right or wrong.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from treewright.systems.system import Parse, System

State = tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[int, int], ...]]


def all_trees(n: int, *, projective: bool = True, single_root: bool = True) -> Iterator[list[int]]:
    """Yield the heads of every dependency tree over n words (0 is the root)."""
    for heads in product(range(n + 1), repeat=n):
        if single_root and sum(head == 0 for head in heads) != 1:
            continue
        if is_tree(heads) and (not projective or is_projective(heads)):
            yield list(heads)


def is_tree(heads: tuple[int, ...] | list[int]) -> bool:
    """Does every word lead to the root?"""
    for word in range(1, len(heads) + 1):
        seen = set()
        while word:
            if word in seen:
                return False
            seen.add(word)
            word = heads[word - 1]
    return True


def is_projective(heads: tuple[int, ...] | list[int]) -> bool:
    """Do no two arcs cross, the root's included?"""
    arcs = [(min(h, d), max(h, d)) for d, h in enumerate(heads, 1)]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


def state_of(parse: Parse) -> State:
    """Return what tells two configurations apart, as far as the future is concerned."""
    arcs = tuple(sorted((word, head) for word, (head, _) in parse.arcs.items()))
    return tuple(parse.stack), tuple(parse.buffer), arcs


def replay(system: System, n: int, history: list[str], heads: list[int] | None = None) -> Parse:
    """Return the configuration after the given moves."""
    parse = Parse(system, n, heads)
    for kind in history:
        parse.apply(kind)
    return parse


def reachable(system: System, n: int) -> dict[State, list[str]]:
    """Return every configuration that can be reached, each with moves that lead to it."""
    found: dict[State, list[str]] = {}
    agenda: list[list[str]] = [[]]
    while agenda:
        history = agenda.pop()
        parse = replay(system, n, history)
        state = state_of(parse)
        if state in found:
            continue
        found[state] = history
        if not parse.terminal:
            agenda.extend([*history, kind] for kind in parse.legal())
    return found


class Search:
    """The graph of all configurations of a system over n words; asked for the least loss from each."""

    def __init__(self, system: System, n: int) -> None:
        self.system, self.n = system, n
        self.histories = reachable(system, n)
        self.next: dict[State, dict[str, State]] = {}
        for state, history in self.histories.items():
            parse = replay(system, n, history)
            kinds = [] if parse.terminal else parse.legal()
            self.next[state] = {
                kind: state_of(replay(system, n, [*history, kind])) for kind in kinds
            }
        # Every move either consumes the buffer, shrinks the stack or adds an arc: order by the future.
        self.order = self._topological()

    def _topological(self) -> list[State]:
        done: set[State] = set()
        order: list[State] = []
        for start in self.next:
            agenda = [(start, False)]
            while agenda:
                state, expanded = agenda.pop()
                if expanded:
                    order.append(state)
                elif state not in done:
                    done.add(state)
                    agenda.append((state, True))
                    agenda.extend((after, False) for after in self.next[state].values())
        return order

    def losses(self, heads: list[int]) -> dict[State, int]:
        """Return, for every configuration, the gold arcs missing in the best parse that it can lead to."""
        gold = set(enumerate(heads, 1))
        best: dict[State, int] = {}
        for state in self.order:
            after = self.next[state].values()
            if after:
                best[state] = min(best[following] for following in after)
            else:
                best[state] = self.n - len(gold & set(state[2]))
        return best
