"""What a trace holds: plain data, which text, JSON and HTML are made from.

Words are numbered from 1; 0 is the root.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from typing import Any

SCHEMA = 1  # of the JSON; a change that readers notice makes it one more


@dataclass(frozen=True)
class Arc:
    """An arc with its relation; the relation is None where nobody has named one."""

    head: int
    dependent: int
    relation: str | None = None


@dataclass(frozen=True)
class MoveView:
    """A legal move: what it would add, what it costs against the gold tree, how the model scores it."""

    kind: str
    relation: str | None = None
    arc: Arc | None = None
    #: gold arcs lost by it, a wrong relation of a gold arc included; None without gold tree or dynamic oracle
    cost: int | None = None
    #: does the oracle call it right? None where none can tell
    right: bool | None = None
    #: in units of the model's weights; None without a model
    score: float | None = None

    @property
    def name(self) -> str:
        """The move as it is written in ``moves``."""
        return self.kind if self.relation is None else f"{self.kind}({self.relation})"


@dataclass(frozen=True)
class FeatureView:
    """A feature that fired: its template, the values it saw, and its part of the chosen move's score."""

    template: str
    value: str
    weight: float


@dataclass(frozen=True)
class Step:
    """A configuration, its legal moves, and the one that was made."""

    number: int
    #: node lists by name, in the order to show them; ``stack`` has its top last, ``buffer`` its front first
    lists: dict[str, list[int]]
    arcs: list[Arc]
    moves: list[MoveView]
    chosen: int  # position in moves
    by: str  # who chose: moves, model, static, dynamic
    features: list[FeatureView] = field(default_factory=list)

    @property
    def move(self) -> MoveView:
        """The move that was made."""
        return self.moves[self.chosen]


@dataclass(frozen=True)
class End:
    """The configuration that the moves lead to, and what it is worth."""

    lists: dict[str, list[int]]
    arcs: list[Arc]
    terminal: bool
    headless: list[int]  # words that no move gave a head
    missing: list[Arc] | None  # gold arcs that the moves did not build; None without a gold tree

    @property
    def loss(self) -> int | None:
        """How many gold arcs are missing."""
        return None if self.missing is None else len(self.missing)


@dataclass(frozen=True)
class Trace:
    """A parse step by step. ``print`` shows it as text; see also ``to_json`` and ``to_html``."""

    system: dict[str, Any]
    model: str | None
    words: list[str]
    tags: list[str]
    gold: list[Arc] | None  # with a model: lifted as it has learnt trees
    gold_projective: bool | None  # as it was given
    steps: list[Step]
    end: End
    #: the tree that the parser returns: words without a head attached, lifts undone; None without a model
    tree: list[Arc] | None = None

    @property
    def gold_crosses(self) -> bool:
        """Do arcs of the gold tree, as the costs are counted against it, cross?"""
        spans = [(min(arc.head, arc.dependent), max(arc.head, arc.dependent)) for arc in self.gold or ()]
        return any(a < c < b < d for a, b in spans for c, d in spans)

    def form(self, node: int) -> str:
        """Return a node for people: ``ROOT``, or the word and its number."""
        return f"{self.words[node - 1]}-{node}" if node else "ROOT"

    def show_arc(self, arc: Arc) -> str:
        """Return an arc for people, as relation(head, dependent)."""
        return f"{arc.relation or '_'}({self.form(arc.head)}, {self.form(arc.dependent)})"

    def to_dict(self) -> dict[str, Any]:
        """Return the trace as plain data; docs/tracing.md describes it."""
        words = [{"id": i, "form": f, "tag": t} for i, (f, t) in enumerate(zip(self.words, self.tags, strict=True), 1)]
        return {
            "trace": SCHEMA,
            "system": self.system,
            "model": self.model,
            "words": words,
            "gold": None if self.gold is None else [asdict(arc) for arc in self.gold],
            "gold_projective": self.gold_projective,
            "gold_crosses": self.gold_crosses,
            "steps": [{**asdict(step), "move": step.move.name} for step in self.steps],
            "end": {**asdict(self.end), "loss": self.end.loss},
            "tree": None if self.tree is None else [asdict(arc) for arc in self.tree],
        }

    def to_json(self) -> str:
        """Return the trace as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1)

    def to_text(self, width: int = 100, colour: bool = False) -> str:
        """Return the trace for a terminal; lists longer than a line are shortened where they matter least."""
        from treewright.tracing.as_text import text_of

        return text_of(self, width, colour)

    def to_html(self, title: str | None = None) -> str:
        """Return a page to step through, with nothing to fetch from elsewhere."""
        from treewright.tracing.as_html import page_of

        return page_of(self, title)

    def __str__(self) -> str:
        return self.to_text()
