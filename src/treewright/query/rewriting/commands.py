"""What each command does to a sentence."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from treewright.errors import TreewrightError
from treewright.query.language.pattern import LABEL, Feature, features_of, label_with
from treewright.query.language.tokens import Place
from treewright.query.rewriting import rules as data
from treewright.query.rewriting.working_graph import Arc, WorkingGraph, WorkingNode


class Application:
    """A rule at one of its matches: which node each name means, and which arc; commands are done one by one."""

    def __init__(self, graph: WorkingGraph, nodes: dict[str, WorkingNode], edges: dict[str, Arc]) -> None:
        self._graph, self._nodes, self._edges = graph, nodes, edges

    def run(self, commands: tuple[data.Command, ...]) -> None:
        """Do all commands; what changes nothing, such as an arc that is there already, is passed over."""
        for command in commands:
            try:
                _DO[type(command)](self, command)
            except TreewrightError as error:
                if str(error).startswith(command.place.source):
                    raise
                raise command.place.error(str(error)) from None

    def _word(self, name: str, place: Place) -> WorkingNode:
        """Return a node that can be changed: any but the anchor."""
        node = self._nodes[name]
        if node.is_anchor:
            raise place.error(
                f"{name} is the anchor before the first word here, which cannot be changed. Say more of it"
            )
        return node

    # Arcs

    def delete_edge(self, command: data.DeleteEdge) -> None:
        """Delete a named edge, or one that is described."""
        if command.edge is not None:
            arc = self._edges.pop(command.edge)
        else:
            arc = (self._nodes[command.source], self._nodes[command.target], command.label)
        self._graph.arcs.pop(arc, None)

    def add_edge(self, command: data.AddEdge) -> None:
        """Add an edge; one without a label gets it by a later command."""
        label = command.label
        if isinstance(label, tuple):
            label = label_with({name: self._part(part, command.place) for name, part in label})
        target = self._word(command.target, command.place)
        arc = (self._nodes[command.source], target, label)
        if command.name is not None:
            self._edges[command.name] = arc
        if label:
            self._graph.arcs[arc] = None

    def shift(self, command: data.Shift) -> None:
        """Give arcs of one node to another, except those between nodes of the match."""
        old, new = self._nodes[command.source], self._nodes[command.target]
        matched = set(self._nodes.values())
        for arc in list(self._graph.seen_arcs):
            source, target, label = arc
            if not command.label.accepts(label):
                continue
            if command.into and target is old and source not in matched:
                self._graph.replace_arc(arc, (source, self._word(command.target, command.place), label))
            elif command.out and source is old and target not in matched:
                self._graph.replace_arc(arc, (new, target, label))

    def _relabel(self, name: str, change: Callable[[dict[str, str]], dict[str, str]]) -> None:
        old = self._edges[name]
        new = (old[0], old[1], label_with(change(features_of(old[2]) if old[2] else {})))
        if old in self._graph.arcs:
            self._graph.replace_arc(old, new)
        else:
            self._graph.arcs[new] = None
        self._edges[name] = new

    # Nodes

    def delete_node(self, command: data.DeleteNode) -> None:
        """Delete a node and its arcs."""
        self._graph.delete(self._word(command.node, command.place))
        del self._nodes[command.node]

    def add_node(self, command: data.AddNode) -> None:
        """Make a word."""
        node = self._nodes[command.node] = self._graph.new_node()
        if command.neighbour is not None:
            self._place(node, command.neighbour, command.after, command.place)

    def unorder(self, command: data.Unorder) -> None:
        """Take a word out of its place."""
        self._graph.unorder(self._word(command.node, command.place))

    def insert(self, command: data.Insert) -> None:
        """Put a word beside another."""
        self._place(self._nodes[command.node], command.neighbour, command.after, command.place)

    def _place(self, node: WorkingNode, neighbour: str, after: bool, place: Place) -> None:
        beside = self._nodes[neighbour] if after else self._word(neighbour, place)
        self._graph.insert(node, beside, after)

    # Features

    def set_feature(self, command: data.SetFeature) -> None:
        """Give a feature of a node or of an edge a value."""
        owner, name = command.feature.owner, command.feature.name
        value = "".join(
            part.text if isinstance(part, data.Literal) else self._part(part, command.place) for part in command.value
        )
        if owner not in self._edges:
            if not value:
                raise command.place.error("an empty value is none. Use del_feat")
            if name == "id":
                raise command.place.error("the numbers of words follow from their order: shift or insert them")
            self._word(owner, command.place).set_feature(name, value)
        elif not value:
            raise command.place.error("a label has no empty parts. Use del_feat")
        elif name == LABEL:
            self._relabel(owner, lambda _: features_of(value))
        else:
            self._relabel(owner, lambda old: {**old, name: value})

    def delete_feature(self, command: data.DeleteFeature) -> None:
        """Take a feature away."""
        owner, name = command.feature.owner, command.feature.name
        if owner in self._edges:
            self._relabel(owner, lambda old: {key: value for key, value in old.items() if key != name})
        else:
            self._word(owner, command.place).delete_feature(name)

    def copy_features(self, command: data.CopyFeatures) -> None:
        """Copy the features of one node to another; where both have one, join the values."""
        source, target = self._nodes[command.source], self._word(command.target, command.place)
        for name, value in source.other_features().items():
            if command.names.accepts(name):
                old = target.feature(name)
                pair = (value, old) if command.prepend else (old, value)
                target.set_feature(name, value if old is None else f"{pair[0]}{command.separator}{pair[1]}")

    def _part(self, part: data.Literal | data.Part, place: Place) -> str:
        if isinstance(part, data.Literal):
            return part.text
        value = self._value_of(part.feature)
        if value is None:
            raise place.error(
                f"{part.feature.owner} has no {part.feature.name} here. Let the pattern ask for it:"
                f" {part.feature.owner} [{part.feature.name}]"
            )
        return value[part.first : part.last]

    def _value_of(self, feature: Feature) -> str | None:
        if feature.owner in self._edges:
            label = self._edges[feature.owner][2]
            return label if feature.name == LABEL else features_of(label).get(feature.name)
        return self._nodes[feature.owner].feature(feature.name)


_DO: dict[type, Callable[[Application, Any], None]] = {
    data.DeleteEdge: Application.delete_edge,
    data.AddEdge: Application.add_edge,
    data.DeleteNode: Application.delete_node,
    data.AddNode: Application.add_node,
    data.Unorder: Application.unorder,
    data.Insert: Application.insert,
    data.Shift: Application.shift,
    data.SetFeature: Application.set_feature,
    data.DeleteFeature: Application.delete_feature,
    data.CopyFeatures: Application.copy_features,
}
