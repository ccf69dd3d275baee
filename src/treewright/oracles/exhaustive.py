"""Exhaustive search: what is the best tree that a configuration can still lead to?

Slow on purpose. Every oracle is compared with this search, over all trees of a few words and from every configuration
that can be reached, right or wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Sequence
from itertools import combinations, product
from operator import itemgetter
from typing import TypeVar

from treewright.systems.system import Parse, System

#: a kind and, where it carries one, a relation
Move = tuple[str, int | None]
#: stack, buffer, context or list, arcs (word, head, relation)
State = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...], tuple[tuple[int, int, int], ...]]
S = TypeVar("S", bound=Hashable)


def all_trees(n: int, *, projective: bool = True, single_root: bool = True) -> Iterator[list[int]]:
    """Yield the heads of every dependency tree over n words (0 is the root)."""
    for heads in product(range(n + 1), repeat=n):
        if single_root and sum(head == 0 for head in heads) != 1:
            continue
        if is_tree(heads) and (not projective or is_projective(heads)):
            yield list(heads)


def trees_for(system: System, n: int) -> Iterator[list[int]]:
    """Yield the heads of every tree over n words that the system can build."""
    for heads in all_trees(n, projective=system.projective, single_root=system.single_root):
        if not system.planes or planes_of(heads) <= system.planes:
            yield heads


def is_tree(heads: Sequence[int]) -> bool:
    """Does every word lead to the root?"""
    for word in range(1, len(heads) + 1):
        seen = set()
        while word:
            if word in seen:
                return False
            seen.add(word)
            word = heads[word - 1]
    return True


def is_projective(heads: Sequence[int]) -> bool:
    """Do no two arcs cross, the root's included?"""
    arcs = [(min(h, d), max(h, d)) for d, h in enumerate(heads, 1)]
    return not any(a < c < b < d for a, b in arcs for c, d in arcs)


def planes_of(heads: Sequence[int]) -> int:
    """Return in how many planes (1, 2, or more: 3) arcs between words cross no other."""
    arcs = [(min(h, d), max(h, d)) for d, h in enumerate(heads, 1) if h]
    crossing = {a: [b for b in arcs if a[0] < b[0] < a[1] < b[1] or b[0] < a[0] < b[1] < a[1]] for a in arcs}
    plane: dict[tuple[int, int], int] = {}
    for arc in arcs:
        agenda = [(arc, 0)] if arc not in plane else []
        while agenda:
            one, number = agenda.pop()
            if plane.setdefault(one, number) != number:
                return 3
            agenda += [(other, 1 - number) for other in crossing[one] if plane.get(other) != 1 - number]
    return 1 + max(plane.values(), default=0)


def obeys(heads: Sequence[int], leaves: Collection[int], single_root: bool) -> bool:
    """Does no leaf govern a word? A single root is none either: it governs the others."""
    roots = [word for word, head in enumerate(heads, 1) if head == 0]
    return not (set(heads) & set(leaves) or (single_root and set(roots) & set(leaves)))


def some_leaves(n: int) -> Iterator[tuple[int, ...]]:
    """Yield every choice of leaves among n words that leaves a word to govern."""
    for size in range(1, n):
        yield from combinations(range(1, n + 1), size)


def state_of(parse: Parse) -> State:
    """Return what determines the future of a configuration."""
    arcs = tuple(sorted((word, *arc) for word, arc in parse.arcs.items()))
    return tuple(parse.stack), tuple(parse.buffer), (*(parse.context or parse.pending), *parse.remembered), arcs


def replay(system: System, n: int, moves: Sequence[Move], leaves: Collection[int] = ()) -> Parse:
    """Return the configuration after the given moves."""
    parse = Parse(system, n, leaves=leaves)
    for kind, relation in moves:
        parse.apply(kind, relation)
    return parse


def future_first(starts: Iterable[S], following: Callable[[S], Iterable[S]]) -> list[S]:
    """Order configurations so that each comes after those that its moves lead to."""
    done: set[S] = set()
    order: list[S] = []
    for start in starts:
        agenda = [(start, False)]
        while agenda:
            state, expanded = agenda.pop()
            if expanded:
                order.append(state)
            elif state not in done:
                done.add(state)
                agenda.append((state, True))
                agenda.extend((after, False) for after in following(state))
    return order


class Search:
    """All configurations of a system over n words, as a graph, and the least loss of each.

    ``leaves``: words that may not govern others.
    """

    def __init__(self, system: System, n: int, relations: int = 1, leaves: Collection[int] = ()) -> None:
        self.system, self.n, self.relations, self.leaves = system, n, relations, leaves
        #: every configuration that can be reached
        self.parses: dict[State, Parse] = {}
        #: where each move leads from it
        self.next: dict[State, dict[Move, State]] = {}
        self._explore()
        self.order = future_first(self.next, lambda state: self.next[state].values())
        #: the place of each in the order; lists by place save hashing configurations, which takes longer than all else
        self.place = {state: number for number, state in enumerate(self.order)}
        after = [[self.place[after] for after in self.next[state].values()] for state in self.order]
        # twice where there is one move: itemgetter gives a tuple if it gets more than one thing
        self._after = [itemgetter(*places, places[0]) if places else None for places in after]
        self._bits: dict[tuple[int, int, int], int] = {}
        self._arcs = [self._bits_of(state[3]) for state in self.order]
        self._open = [
            (place, self.parses[state], list(zip((kind for kind, _ in self.next[state]), after[place], strict=True)))
            for place, state in enumerate(self.order)
            if self.next[state]
        ]

    def _bits_of(self, arcs: Iterable[tuple[int, int, int]]) -> int:
        """Return a set of arcs as the bits of a number: sets take most of the time of a search."""
        return sum(1 << self._bits.setdefault(arc, len(self._bits)) for arc in arcs)

    def _moves(self, parse: Parse) -> list[Move]:
        if parse.terminal:
            return []
        return [
            (kind, relation)
            for kind in parse.legal()
            for relation in (range(self.relations) if parse.carries_relation(kind) else (None,))
        ]

    def _explore(self) -> None:
        self._start = start = Parse(self.system, self.n, [0] * self.n, leaves=self.leaves)
        self.parses[state_of(start)] = start
        agenda = [state_of(start)]
        while agenda:
            state = agenda.pop()
            parse = self.parses[state]
            self.next[state] = {}
            for move in self._moves(parse):
                after = replay(self.system, self.n, [*parse.history, move], self.leaves)
                following = state_of(after)
                self.next[state][move] = following
                if following not in self.parses:
                    self.parses[following] = after.share_gold(start)
                    agenda.append(following)

    def set_gold(self, heads: Sequence[int], labels: Sequence[int] | None = None) -> None:
        """Measure all configurations against this tree from now on."""
        self._start.set_gold(heads, labels)

    def losses(
        self, heads: Sequence[int], labels: Sequence[int] | None = None, weights: Sequence[int] | None = None
    ) -> dict[State, int]:
        """Return, by configuration, the gold arcs missing in the best parse it can lead to, or their weight by word."""
        return dict(zip(self.order, self.losses_in_order(heads, labels, weights), strict=True))

    def losses_in_order(
        self, heads: Sequence[int], labels: Sequence[int] | None = None, weights: Sequence[int] | None = None
    ) -> list[int]:
        """Return the same as a list, in the order of the configurations."""
        arcs = zip(range(1, self.n + 1), heads, labels or [0] * self.n, strict=True)
        weight = {self._bits_of([arc]): each for arc, each in zip(arcs, weights or [1] * self.n, strict=True)}
        gold = sum(weight)
        lost: dict[int, int] = {}  # by the gold arcs that a parse has
        best: list[int] = []
        for found, after in zip(self._arcs, self._after, strict=True):
            if after is not None:
                best.append(min(after(best)))
                continue
            right = found & gold
            if right not in lost:
                lost[right] = sum(each for arc, each in weight.items() if not arc & right)
            best.append(lost[right])
        return best

    def costs(self, losses: Sequence[int]) -> Iterator[tuple[Parse, int, dict[str, int]]]:
        """Yield every configuration that has moves, its loss, and what each kind of move adds to it."""
        for place, parse, moves in self._open:
            loss = losses[place]
            yield parse, loss, {kind: losses[after] - loss for kind, after in moves}
