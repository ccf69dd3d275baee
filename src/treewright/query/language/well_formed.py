"""Whether a pattern holds together: every name is that of a node or of an edge, and only of one of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from treewright.query.language import pattern as data
from treewright.query.language.pattern import IDENTITY, LABEL, LABEL_FEATURES, Clause, Feature, Pattern
from treewright.query.language.tokens import Place

ANY_NODE = "*"


@dataclass
class Names:
    """The nodes and edges that a pattern binds, in order."""

    nodes: dict[str, None] = field(default_factory=dict)
    edges: dict[str, data.Edge] = field(default_factory=dict)

    def copy(self) -> Names:
        """Return names that can grow on their own."""
        return Names(dict(self.nodes), dict(self.edges))

    def add(self, clauses: Iterable[Clause]) -> None:
        """Add what clauses declare: nodes, edges, and the nodes at the ends of edges and paths."""
        for clause in clauses:
            if isinstance(clause, data.Node):
                self._node(clause.name, clause.place)
            elif isinstance(clause, data.Edge):
                self._edge(clause)
            elif isinstance(clause, data.Path):
                self._node(clause.source, clause.place)
                self._node(clause.target, clause.place)

    def _node(self, name: str, place: Place) -> None:
        if name in self.edges:
            raise place.error(f"{name} is the name of an edge and of a node. Rename one")
        self.nodes.setdefault(name)

    def _edge(self, edge: data.Edge) -> None:
        if edge.source == ANY_NODE == edge.target:
            raise edge.place.error("an edge from any node to any node: name at least one")
        for name in (edge.source, edge.target):
            if name != ANY_NODE:
                self._node(name, edge.place)
        if edge.name is None:
            return
        if ANY_NODE in (edge.source, edge.target):
            raise edge.place.error(f"the edge {edge.name} has a name, so both its ends need one, too")
        if edge.name in self.edges or edge.name in self.nodes:
            raise edge.place.error(f"a second {edge.name}: every edge has a name of its own")
        self.edges[edge.name] = edge

    def node(self, name: str, place: Place) -> None:
        """Reject a name that is not that of a node."""
        if name in self.edges:
            raise place.error(f"{name} is an edge, and a node is needed here")
        if name not in self.nodes:
            raise place.error(f"no node is named {name}. Declare it: {name} []")

    def edge(self, name: str, place: Place) -> None:
        """Reject a name that is not that of an edge."""
        if name not in self.edges:
            if name in self.nodes:
                raise place.error(f"{name} is a node, and an edge is needed here")
            raise place.error(f"no edge is named {name}. Name it: {name}: X -> Y")

    def feature(self, feature: Feature, place: Place) -> None:
        """Reject a feature that nothing has."""
        if feature.owner in self.edges:
            if feature.name not in (LABEL, *LABEL_FEATURES):
                known = ", ".join((LABEL, *LABEL_FEATURES))
                raise place.error(f"no edge has a feature {feature.name!r}: there are {known}")
        else:
            self.node(feature.owner, place)


def names_of(clauses: Iterable[Clause], given: Names | None = None) -> Names:
    """Return the names that clauses bind, besides those that are given."""
    names = given.copy() if given else Names()
    names.add(clauses)
    return names


def completed(pattern: Pattern, place: Place) -> Pattern:
    """Return a pattern in which every name is known: `a << b` may be about nodes, edges or both."""
    names = names_of(pattern.clauses)
    items = tuple(replace(item, clauses=_completed(item.clauses, names)) for item in pattern.items)
    filters = []
    for item in pattern.filters:
        if not item.clauses:
            raise item.place.error("there is no clause in the braces, so it is always true. Leave it out")
        filters.append(replace(item, clauses=_completed(item.clauses, names_of(item.clauses, names))))
    return replace(pattern, items=items, filters=tuple(filters))


def _completed(clauses: Iterable[Clause], names: Names) -> tuple[Clause, ...]:
    found = []
    for clause in clauses:
        if isinstance(clause, data.Order):
            clause = _order(clause, names)
        elif isinstance(clause, data.Has):
            names.feature(Feature(clause.owner, clause.test.name), clause.place)
            if clause.test.name == IDENTITY:
                raise clause.place.error("__id__ is compared with that of another node: X.__id__ < Y.__id__")
        elif isinstance(clause, data.Compare):
            _check_comparison(clause, names)
        elif isinstance(clause, data.Distance):
            _check_distance(clause, names)
        elif isinstance(clause, data.EdgeOrder):
            names.edge(clause.first, clause.place)
            names.edge(clause.second, clause.place)
        found.append(clause)
    return tuple(found)


def _order(clause: data.Order, names: Names) -> Clause:
    """Return what an order is about: nodes, edges, or a node and an edge."""
    if clause.second in names.edges and not clause.immediate:
        if clause.first in names.edges:
            return data.EdgeOrder(clause.first, "<<", clause.second, clause.place)
        names.node(clause.first, clause.place)
        return data.Inside(clause.first, clause.second, clause.place)
    names.node(clause.first, clause.place)
    names.node(clause.second, clause.place)
    return clause


def _check_comparison(clause: data.Compare, names: Names) -> None:
    sides = [side for side in (clause.left, clause.right) if isinstance(side, Feature)]
    for side in sides:
        names.feature(side, clause.place)
    identities = [side.name == IDENTITY for side in sides]
    if any(identities) and (len(sides) != 2 or not all(identities) or clause.operator != "<"):
        raise clause.place.error("__id__ only puts two nodes in order: X.__id__ < Y.__id__")


def _check_distance(clause: data.Distance, names: Names) -> None:
    if clause.what != "depth" and not clause.second:
        names.edge(clause.first, clause.place)
        return
    names.node(clause.first, clause.place)
    if clause.second:
        names.node(clause.second, clause.place)
