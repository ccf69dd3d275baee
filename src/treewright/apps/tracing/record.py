"""What a trace holds: plain data, the source of the text, the JSON and the page.

Words are numbered from 1; 0 is the root.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field

from treewright.notebook import frame

SCHEMA = 1  # version of the JSON; it goes up with each incompatible change


@dataclass(frozen=True)
class TraceArc:
    """An arc with its relation; the relation is None if nobody named one."""

    head: int
    dependent: int
    relation: str | None = None


def crosses(arcs: Iterable[TraceArc]) -> bool:
    """Do any arcs cross? It does not matter on which side of the words the root stands."""
    spans = [(min(arc.head, arc.dependent), max(arc.head, arc.dependent)) for arc in arcs]
    return any(a < c < b < d for a, b in spans for c, d in spans)


@dataclass(frozen=True)
class MoveView:
    """A legal move: the arc it would add, its cost against the gold standard, its score by the model."""

    kind: str
    relation: str | None = None
    arc: TraceArc | None = None
    #: what it loses, a wrong relation of a gold arc included; None without gold standard or dynamic oracle
    cost: int | None = None
    #: does the oracle call it right? None where no oracle knows
    right: bool | None = None
    #: in units of the model's weights; None without a model
    score: float | None = None
    #: the gold arcs that it loses, looked at one by one; None where nothing is known of single arcs
    lost: list[TraceArc] | None = None

    @property
    def name(self) -> str:
        """The move in the notation of ``moves``."""
        return self.kind if self.relation is None else f"{self.kind}({self.relation})"


@dataclass(frozen=True)
class FeatureView:
    """A feature that fired: its template, the values it saw, and its part of the chosen move's score."""

    template: str
    value: str
    weight: float


@dataclass(frozen=True)
class IllegalMove:
    """A kind of move that is not legal in a configuration, and why."""

    kind: str
    why: str


@dataclass(frozen=True)
class TraceStep:
    """A configuration, its legal moves, and the one that was made."""

    number: int
    #: node lists by name, in the order to show them; ``stack`` has its top last, ``buffer`` its front first
    lists: dict[str, list[int]]
    arcs: list[TraceArc]
    moves: list[MoveView]
    chosen: int  # position in moves
    by: str  # who chose: moves, model, static, dynamic
    features: list[FeatureView] = field(default_factory=list)
    illegal: list[IllegalMove] = field(default_factory=list)  # the other kinds of move, and why they are not legal

    @property
    def move(self) -> MoveView:
        """The move that was made."""
        return self.moves[self.chosen]


@dataclass(frozen=True)
class End:
    """The configuration that the moves lead to, compared with the gold standard."""

    lists: dict[str, list[int]]
    arcs: list[TraceArc]
    terminal: bool
    headless: list[int]  # words that no move gave a head
    missing: list[TraceArc] | None  # gold arcs that the moves did not build; None without a gold standard
    #: of a graph: arcs between words that no gold arc links. In a tree every wrong arc stands for a missing one.
    extra: list[TraceArc] | None = None

    @property
    def loss(self) -> int | None:
        """How many arcs are missing; in a graph, also how many too many."""
        return None if self.missing is None else len(self.missing) + len(self.extra or ())


@dataclass(frozen=True)
class Trace:
    """A parse step by step. ``print`` shows it as text; see also ``to_json`` and ``to_html``."""

    system: dict[str, str | bool]
    model: str | None
    words: list[str]
    tags: list[str]
    gold: list[TraceArc] | None  # with a model: as it learned trees or graphs, lifted for instance
    gold_projective: bool | None  # before lifting
    steps: list[TraceStep]
    end: End
    #: what the parser returns: words without a head attached, lifts undone; None without a model
    tree: list[TraceArc] | None = None
    #: what a reader should know about this trace, a sentence each
    notes: list[str] = field(default_factory=list)

    @property
    def gold_crosses(self) -> bool:
        """Do gold arcs cross, as the costs are counted against them?"""
        return crosses(self.gold or ())

    @property
    def structure(self) -> str:
        """What the system builds: ``graph`` or ``tree``."""
        return "graph" if self.system["graphs"] else "tree"

    @property
    def added_later(self) -> list[TraceArc]:
        """Arcs of the result that no move built; empty unless the model made all the moves."""
        if self.tree is None or any(step.by != "model" for step in self.steps):
            return []
        return [arc for arc in self.tree if arc not in self.end.arcs]

    def form(self, node: int) -> str:
        """Return a node as readers see it: ``ROOT``, or the word and its number."""
        return f"{self.words[node - 1]}-{node}" if node else "ROOT"

    def show_arc(self, arc: TraceArc) -> str:
        """Return an arc as readers see it: relation(head, dependent)."""
        return f"{arc.relation or '_'}({self.form(arc.head)}, {self.form(arc.dependent)})"

    def to_dict(self) -> dict[str, object]:
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
            "notes": self.notes,
        }

    def to_json(self) -> str:
        """Return the trace as JSON."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=1)

    def to_text(self, width: int = 100, colour: bool = False) -> str:
        """Return the trace for a terminal; long lists are shortened at the end that matters least."""
        from treewright.apps.tracing.as_text import text_of

        return text_of(self, width, colour)

    def to_html(self, title: str | None = None) -> str:
        """Return a self-contained page to step through."""
        from treewright.apps.tracing.as_html import page_of

        return page_of(self, title)

    def __str__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        return frame(self.to_html())
