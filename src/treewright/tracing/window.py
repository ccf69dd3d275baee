"""How the tracer looks at a parse, whatever its system is.

``Window`` is all that the tracer asks for. ``ParseWindow`` answers it for the systems that ``Parse`` shows: those with
a stack and a buffer. A system with another configuration brings a window of its own.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from treewright.systems.system import Parse


def kind_of(move: str) -> str:
    """Return the kind of a move; where moves have places, LEFT_3 is of the kind LEFT."""
    kind, _, place = move.rpartition("_")
    return kind if kind and place.isdecimal() else move


class Option(NamedTuple):
    """A legal kind of move; where moves have places, a kind at a place, as LEFT_3."""

    kind: str
    labelled: bool
    arc: tuple[int, int] | None  # (head, dependent) that it would add
    cost: int | None  # gold arcs lost, the relation taken as right; None without a dynamic oracle or a gold tree
    gold_relation: int | None  # the relation that makes its arc a gold arc; None where it is not one


class Window(Protocol):
    """A configuration to look at and to move on."""

    @property
    def terminal(self) -> bool:
        """Is the parse complete?"""

    def lists(self) -> dict[str, list[int]]:
        """Return the node lists by name, in the order to show them."""

    def arcs(self) -> dict[int, tuple[int, int]]:
        """Return the arcs so far: {word: (head, relation number)}."""

    def options(self) -> list[Option]:
        """Return the legal kinds of move."""

    def right_kinds(self) -> list[str]:
        """Return the kinds that keep the gold tree reachable; asked only where it is."""

    def static(self) -> tuple[str, int | None]:
        """Return the canonical oracle's move."""

    def apply(self, kind: str, relation: int | None) -> None:
        """Make a legal move."""


class ParseWindow:
    """The window onto a ``Parse``."""

    def __init__(self, parse: Parse, has_gold: bool) -> None:
        self.parse, self.has_gold = parse, has_gold
        self.dynamic = has_gold and "dynamic" in parse.system.oracles

    @property
    def terminal(self) -> bool:
        """Is the parse complete?"""
        return self.parse.terminal

    def lists(self) -> dict[str, list[int]]:
        """Return stack and buffer, with the words passed over between them (Covington); or the list (easy-first)."""
        parse = self.parse
        if parse.system.has_places:
            return {"list": parse.pending}
        between = {"context": parse.context} if "context" in parse.system.addresses else {}
        return {"stack": parse.stack, **between, "buffer": parse.buffer}

    def arcs(self) -> dict[int, tuple[int, int]]:
        """Return the arcs so far."""
        return self.parse.arcs

    def options(self) -> list[Option]:
        """Return the legal kinds of move."""
        parse = self.parse
        costs = parse.costs() if self.dynamic else {}
        found = []
        for kind in parse.legal():
            labelled = kind_of(kind) in parse.system.labelled_kinds
            gold = parse.gold_relation(kind) if self.has_gold and labelled else None
            found.append(Option(kind, labelled, parse.arc(kind), costs.get(kind), gold))
        return found

    def right_kinds(self) -> list[str]:
        """Return the kinds that keep the gold tree reachable."""
        return self.parse.correct()

    def static(self) -> tuple[str, int | None]:
        """Return the canonical oracle's move."""
        return self.parse.static()

    def apply(self, kind: str, relation: int | None) -> None:
        """Make a legal move."""
        self.parse.apply(kind, relation)
