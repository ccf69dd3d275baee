"""How the tracer looks at a parse, whatever its system is.

``Window`` is all that the tracer asks for. ``ParseWindow`` answers it for the systems that ``Parse`` shows: those with
a stack and a buffer. A system with another configuration brings a window of its own.
"""

from __future__ import annotations

from typing import NamedTuple, Protocol

from treewright.systems.system import Parse


class Option(NamedTuple):
    """A legal kind of move."""

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
        """Return stack and buffer."""
        return {"stack": self.parse.stack, "buffer": self.parse.buffer}

    def arcs(self) -> dict[int, tuple[int, int]]:
        """Return the arcs so far."""
        return self.parse.arcs

    def options(self) -> list[Option]:
        """Return the legal kinds of move."""
        parse, labelled = self.parse, self.parse.system.labelled_kinds
        costs = parse.costs() if self.dynamic else {}
        return [
            Option(
                kind, kind in labelled, parse.arc(kind), costs.get(kind),
                parse.gold_relation(kind) if self.has_gold and kind in labelled else None,
            )
            for kind in parse.legal()
        ]  # fmt: skip

    def right_kinds(self) -> list[str]:
        """Return the kinds that keep the gold tree reachable."""
        return self.parse.correct()

    def static(self) -> tuple[str, int | None]:
        """Return the canonical oracle's move."""
        return self.parse.static()

    def apply(self, kind: str, relation: int | None) -> None:
        """Make a legal move."""
        self.parse.apply(kind, relation)
