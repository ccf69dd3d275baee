"""What rules say, as data: commands, rules, packages and strategies."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Union

from treewright.query.language.pattern import Feature, LabelTest, Pattern
from treewright.query.language.tokens import Place


@dataclass(frozen=True)
class Literal:
    """A text in the value of a feature."""

    text: str


@dataclass(frozen=True)
class Part:
    """A feature, or the characters of it from one to another."""

    feature: Feature
    first: int | None = None
    last: int | None = None


Value = tuple[Union[Literal, Part], ...]  # noqa: UP007 (evaluated in Python 3.10)


@dataclass(frozen=True)
class DeleteEdge:
    """`del_edge e`, `del_edge X -[obj]-> Y`."""

    edge: str | None
    source: str
    target: str
    label: str
    place: Place


@dataclass(frozen=True)
class AddEdge:
    """`add_edge X -[1=suj, 2=e.2]-> Y`, `add_edge f: X -> Y`: the label by its features."""

    name: str | None
    source: str
    target: str
    label: tuple[tuple[str, Literal | Part], ...] | str
    place: Place


@dataclass(frozen=True)
class DeleteNode:
    """`del_node X`."""

    node: str
    place: Place


@dataclass(frozen=True)
class AddNode:
    """`add_node X :> Y`; without a neighbour, `insert` must follow."""

    node: str
    neighbour: str | None
    after: bool
    place: Place


@dataclass(frozen=True)
class Unorder:
    """`unorder X`: takes a word out of its place; `insert` must follow."""

    node: str
    place: Place


@dataclass(frozen=True)
class Insert:
    """`insert X :< Y`."""

    node: str
    neighbour: str
    after: bool
    place: Place


@dataclass(frozen=True)
class Shift:
    """`shift A ==> B`, `shift_in A =[suj]=> B`, `shift_out …`: arcs of one node become those of another."""

    source: str
    target: str
    into: bool
    out: bool
    label: LabelTest
    place: Place


@dataclass(frozen=True)
class SetFeature:
    """`X.f = Y.g + "…"`, `e.2 = aux`, `f.label = e.label`."""

    feature: Feature
    value: Value
    place: Place


@dataclass(frozen=True)
class DeleteFeature:
    """`del_feat X.f`, `del_feat e.2`."""

    feature: Feature
    place: Place


@dataclass(frozen=True)
class CopyFeatures:
    """`append_feats "/" X ==> Y`, `prepend_feats X =[re"…"]=> Y`."""

    source: str
    target: str
    separator: str
    names: LabelTest
    prepend: bool
    place: Place


Command = Union[  # noqa: UP007
    DeleteEdge, AddEdge, DeleteNode, AddNode, Unorder, Insert, Shift, SetFeature, DeleteFeature, CopyFeatures
]


@dataclass(frozen=True)
class Rule:
    """What is looked for, and what is done with it."""

    name: str
    pattern: Pattern
    commands: tuple[Command, ...]
    place: Place


@dataclass(frozen=True)
class Apply:
    """A strategy that is a name: of a rule, a package or another strategy."""

    name: tuple[str, ...]
    place: Place


@dataclass(frozen=True)
class Combined:
    """`Onf (S)`, `Seq (S, T)`, …"""

    kind: str
    parts: tuple[Apply | Combined, ...]
    place: Place


Strategy = Union[Apply, Combined]  # noqa: UP007


@dataclass
class Package:
    """Rules, packages and strategies by name."""

    name: str
    parent: Package | None = None
    rules: dict[str, Rule] = field(default_factory=dict)
    packages: dict[str, Package] = field(default_factory=dict)
    strategies: dict[str, Strategy] = field(default_factory=dict)

    def holds(self, name: str) -> bool:
        """Say whether a name is taken."""
        return name in self.rules or name in self.packages or name in self.strategies

    def find(self, name: tuple[str, ...]) -> tuple[Rule | Package | Strategy, Package] | None:
        """Return what a name means here, or in the packages around, and the package that it is in."""
        place: Package | None = self
        while place is not None:
            inner: Package | None = place
            for each in name[:-1]:
                inner = inner.packages.get(each) if inner is not None else None
            if inner is not None and inner.holds(name[-1]):
                last = name[-1]
                return inner.rules.get(last) or inner.packages.get(last) or inner.strategies[last], inner
            place = place.parent
        return None

    def all_rules(self) -> Iterator[Rule]:
        """Yield the rules of this package and of those within."""
        yield from self.rules.values()
        for package in self.packages.values():
            yield from package.all_rules()
