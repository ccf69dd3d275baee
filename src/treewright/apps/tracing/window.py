"""How the tracer looks at a configuration, whatever its system is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from treewright.systems.graphs.graph_system import GraphParse, GraphSystem
from treewright.systems.system import Parse, System

NumberedArc = tuple[int, int, int]  # head, dependent, number of the relation


def kind_of(move: str) -> str:
    """Return the kind of a move; where moves have places, LEFT_3 is of the kind LEFT."""
    kind, _, place = move.rpartition("_")
    return kind if kind and place.isdecimal() else move


class MoveOption(NamedTuple):
    """A legal kind of move; where moves have places, a kind at a place, as LEFT_3."""

    kind: str
    arc: tuple[int, int] | None  # (head, dependent) that it would add
    cost: int | None  # what it loses if the relation is right; None without a dynamic oracle or a gold standard
    gold_relation: int | None  # the relation that makes its arc a gold arc; None where it is not one


class Window:
    """A configuration to inspect and to advance, with its gold tree if there is one."""

    def __init__(
        self, system: System, n_words: int, gold: Sequence[NumberedArc] | None, leaves: Sequence[int] = ()
    ) -> None:
        self.system, self.n_words, self.leaves = system, n_words, leaves
        self.parse = Parse(system, n_words, leaves=leaves)
        self.has_gold = gold is not None
        self.dynamic = self.has_gold and "dynamic" in system.oracles
        self.arcs: list[NumberedArc] = []  # in the order in which they were added
        self._gold = {(head, dependent): relation for head, dependent, relation in gold or ()}
        if gold is not None:
            self._set_gold(gold)

    def _set_gold(self, gold: Sequence[NumberedArc]) -> None:
        self.parse.set_gold([head for head, _, _ in gold], [relation for _, _, relation in gold])

    @property
    def terminal(self) -> bool:
        """Is the parse complete?"""
        return self.parse.terminal

    def lists(self) -> dict[str, list[int]]:
        """Return the node lists by name, in display order.

        Usually these are stack and buffer, with the words that were passed over between them; easy-first has one list.
        """
        parse = self.parse
        if parse.system.has_places:
            return {"list": parse.pending}
        between = {"context": parse.context} if "context" in parse.system.addresses else {}
        return {"stack": parse.stack, **between, "buffer": parse.buffer}

    def options(self) -> list[MoveOption]:
        """Return the legal kinds of move."""
        costs = self.costs() if self.dynamic else {}
        options = []
        for kind in self.parse.legal():
            arc = self._new_arc(kind)
            options.append(MoveOption(kind, arc, costs.get(kind), None if arc is None else self._gold.get(arc)))
        return options

    def _new_arc(self, kind: str) -> tuple[int, int] | None:
        """Return the arc that a legal move would add; none from a leaf, and none that a graph has already."""
        arc = self.parse.arc(kind)
        if arc is None or self.parse.bars(kind):
            return None
        return None if arc in {built[:2] for built in self.arcs} else arc

    def costs(self) -> dict[str, int]:
        """Return {legal kind: its cost by the dynamic oracle}."""
        return self.parse.costs()

    def verdicts(self) -> dict[str, bool]:
        """Return {legal kind: is it right?} as far as oracles without costs know; valid while no mistake was made."""
        right = self.parse.correct() if "nondeterministic" in self.system.oracles else [self.static()]
        return {kind: kind in right for kind in self.parse.legal()}

    def static(self) -> str:
        """Return the kind of move that the static oracle chooses."""
        return self.parse.static()[0]

    def apply(self, kind: str, relation: int | None) -> None:
        """Make a legal move."""
        arc = self._new_arc(kind)
        if arc is not None:
            self.arcs.append((*arc, -1 if relation is None else relation))
        self.parse.apply(kind, relation)


class GraphWindow(Window):
    """A configuration of a system that builds graphs. A ``GraphParse`` makes the same moves and knows their costs."""

    def _set_gold(self, gold: Sequence[NumberedArc]) -> None:
        heads: list[list[int]] = [[] for _ in range(self.n_words)]
        for head, dependent, _ in gold:
            heads[dependent - 1].append(head)
        assert isinstance(self.system, GraphSystem)
        self.oracle = GraphParse(heads, self.system, self.leaves)

    def lists(self) -> dict[str, list[int]]:
        """Return stack and buffer; between them the words that were set aside, or returned to the buffer."""
        lists = super().lists()
        if "RIGHT-ATTACH" not in self.system.kinds:
            return lists
        return {"stack": lists["stack"], "returned": self.parse.context, "buffer": lists["buffer"]}

    def costs(self) -> dict[str, int]:
        """Return {legal kind: its cost by the dynamic oracle}."""
        return self.oracle.costs()

    def verdicts(self) -> dict[str, bool]:
        """Return the static oracle's choice: it is right, and nothing is known of the other moves."""
        return {self.static(): True}

    def static(self) -> str:
        """Return the kind of move that the static oracle chooses."""
        return self.oracle.static()

    def apply(self, kind: str, relation: int | None) -> None:
        """Make a legal move."""
        super().apply(kind, relation)
        if self.has_gold:
            self.oracle.apply(kind)


def builds_graphs(system: System) -> bool:
    """Does the system build graphs rather than trees?"""
    return isinstance(system, GraphSystem)


def can_cross(system: System) -> bool:
    """Can the system build crossing arcs?"""
    return "PASS" in system.kinds if builds_graphs(system) else not system.projective


def window_onto(system: System, n_words: int, gold: Sequence[NumberedArc] | None, leaves: Sequence[int] = ()) -> Window:
    """Return the window onto the initial configuration of a system; ``leaves`` may not govern other words."""
    return (GraphWindow if builds_graphs(system) else Window)(system, n_words, gold, leaves)
