"""What a pattern says, as data: the clauses of `pattern`, `with`, `without` and `global`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Union

from treewright.query.language.tokens import Place

#: names of features that are columns of their own
COLUMNS = {"form": "FORM", "lemma": "LEMMA", "upos": "UPOS", "xpos": "XPOS"}
#: features of the text that are computed
COMPUTED = {"textform": "TEXTFORM", "wordform": "WORDFORM"}
IDENTITY = "__id__"
IN_MISC = "__MISC__"
#: what can be asked of a named edge, besides its label's features
LABEL, LENGTH, DELTA = "label", "length", "delta"
#: the features of a label: `1` and `2` around the first colon, `deep` behind @, `enhanced` for arcs of DEPS
LABEL_FEATURES = ("1", "2", "deep", "enhanced")
STRUCTURES = ("cyclic", "forest", "tree", "projective")
COMPARISONS = ("=", "<>", "<", "<=", ">", ">=")


@dataclass(frozen=True)
class Test:
    """What is asked of a value that may be missing (None)."""

    #: "in", "not in": one of some values, another one; "fits", "not fits": by expressions; "defined", "undefined"
    kind: str
    values: frozenset[str] = frozenset()
    expressions: tuple[re.Pattern[str], ...] = ()

    def accepts(self, value: str | None) -> bool:
        """Say whether a value is wanted; a missing one only if it must be missing."""
        if value is None or self.kind in ("defined", "undefined"):
            return (value is None) == (self.kind == "undefined")
        found = value in self.values or any(each.fullmatch(value) for each in self.expressions)
        return found == (not self.kind.startswith("not"))


@dataclass(frozen=True)
class FeatureTest:
    """A feature of a node and what is asked of its value."""

    name: str
    test: Test


@dataclass(frozen=True)
class Node:
    """`X [upos=VERB, !Voice]|[…]`: a node that has all features of one of the alternatives."""

    name: str
    alternatives: tuple[tuple[FeatureTest, ...], ...]
    place: Place


@dataclass(frozen=True)
class LabelTest:
    """What is asked of the label of an edge: to be one of some, to fit, or to have features."""

    test: Test | None = None
    features: tuple[FeatureTest, ...] = ()

    def accepts(self, label: str) -> bool:
        """Say whether a label is wanted."""
        if self.test is not None:
            return self.test.accepts(label)
        if not self.features:
            return True
        features = features_of(label)
        return all(each.test.accepts(features.get(each.name)) for each in self.features)

    @property
    def may_be_enhanced(self) -> bool:
        """Say whether an arc of DEPS can have such a label."""
        if self.test is not None and self.test.kind == "in":
            return any(label.startswith("E:") for label in self.test.values) or bool(self.test.expressions)
        return all(each.name != "enhanced" or each.test.accepts("yes") for each in self.features)


@dataclass(frozen=True)
class Edge:
    """`e: X -[nsubj]-> Y`. `*` for a node: any; it is not bound."""

    source: str
    target: str
    label: LabelTest
    place: Place
    name: str | None = None


@dataclass(frozen=True)
class Path:
    """`X ->> Y`: a path from X to Y, of any length."""

    source: str
    target: str
    place: Place


@dataclass(frozen=True)
class Order:
    """`X < Y`: X stands immediately before Y; `X << Y`: somewhere before."""

    first: str
    second: str
    immediate: bool
    place: Place


@dataclass(frozen=True)
class Feature:
    """`X.lemma`, `e.label`: a feature of a node or of an edge."""

    owner: str
    name: str


@dataclass(frozen=True)
class Has:
    """`X.Case = Nom`, `e.label <> obj`: what is asked of one feature."""

    owner: str
    test: FeatureTest
    place: Place


@dataclass(frozen=True)
class Compare:
    """`X.lemma = Y.lemma`, `X.Duration > 3`: two features, or a feature and a number."""

    left: Feature
    operator: str
    right: Feature | float
    place: Place


@dataclass(frozen=True)
class Distance:
    """`delta(X, Y) > 2`, `length(X, Y) = 1`, `depth(X) <= 3`: a number and what it is compared with."""

    what: str
    first: str
    second: str
    operator: str
    number: int
    place: Place


@dataclass(frozen=True)
class EdgeOrder:
    """`e1 >< e2`: two edges cross; `e1 << e2`: the first is covered by the second; `e1 <> e2`: they are disjoint."""

    first: str
    operator: str
    second: str
    place: Place


@dataclass(frozen=True)
class Inside:
    """`X << e`: a node strictly between the ends of an edge."""

    node: str
    edge: str
    place: Place


Clause = Union[Node, Edge, Path, Order, Has, Compare, Distance, EdgeOrder, Inside]  # noqa: UP007


@dataclass(frozen=True)
class Item:
    """A part of a pattern in braces."""

    clauses: tuple[Clause, ...]
    place: Place


@dataclass(frozen=True)
class Filter(Item):
    """`with { … }`, or `without { … }`."""

    wanted: bool = True


@dataclass(frozen=True)
class Structure:
    """`global { is_not_projective }`."""

    name: str
    wanted: bool


@dataclass(frozen=True)
class Metadata:
    """`global { sent_id = re"…" }`."""

    key: str
    test: Test


@dataclass(frozen=True)
class Pattern:
    """What is asked of a sentence."""

    items: tuple[Item, ...] = ()
    filters: tuple[Filter, ...] = ()
    structures: tuple[Structure, ...] = ()
    metadata: tuple[Metadata, ...] = ()
    text: str = field(default="", compare=False)
    name: str = field(default="", compare=False)  # of a file of several

    @property
    def clauses(self) -> Iterator[Clause]:
        """The clauses that bind nodes and edges: those of all `pattern` items together."""
        for item in self.items:
            yield from item.clauses


def features_of(label: str) -> dict[str, str]:
    """Return a label as features: `1=aux, 2=pass`; arcs of DEPS, whose labels begin with `E:`, are enhanced."""
    features = {}
    if label.startswith("E:"):
        label, features["enhanced"] = label[2:], "yes"
    label, at, deep = label.partition("@")
    first, colon, second = label.partition(":")
    features["1"] = first
    if colon:
        features["2"] = second
    if at:
        features["deep"] = deep
    return features


def label_with(features: dict[str, str]) -> str:
    """Return the label that has these features, the opposite of ``features_of``."""
    label = features.get("1", "")
    if "2" in features:
        label += ":" + features["2"]
    if "deep" in features:
        label += "@" + features["deep"]
    return "E:" + label if features.get("enhanced") == "yes" else label


def column_name(name: str) -> str:
    """Return the name of a feature as treebanks have it: `Number__psor` is `Number[psor]`."""
    head, underscores, tail = name.partition("__")
    return f"{head}[{tail}]" if head and underscores and tail and not tail.endswith("_") else name
