"""What commands do, plainly: on a list of dictionaries and a list of arcs."""

from __future__ import annotations

from treewright.query.language.pattern import column_name, features_of, label_with
from treewright.query.rewriting import rules as data

COLUMNS = ("form", "lemma", "upos", "xpos")


class PlainSentence:
    """Nodes are numbers in an order; the anchor is 0."""

    def __init__(self, graph):
        self.features = {number: dict(features) for number, features in enumerate(graph.nodes)}
        self.order = list(self.features)
        self.arcs = list(graph.arcs)

    def apply(self, commands, nodes, edges):
        self.nodes, self.edges = dict(nodes), dict(edges)
        for command in commands:
            getattr(self, type(command).__name__)(command)

    def DeleteEdge(self, command):
        arc = self.edges.get(command.edge) or (self.nodes[command.source], self.nodes[command.target], command.label)
        self.arcs = [each for each in self.arcs if each != arc]

    def AddEdge(self, command):
        label = command.label
        if isinstance(label, tuple):
            label = label_with({name: self.part(part) for name, part in label})
        arc = (self.nodes[command.source], self.nodes[command.target], label)
        self.edges[command.name] = arc
        self.add(arc)

    def add(self, arc):
        if arc[2] and arc not in self.arcs:
            self.arcs.append(arc)

    def DeleteNode(self, command):
        node = self.nodes.pop(command.node)
        self.order.remove(node)
        self.arcs = [arc for arc in self.arcs if node not in arc[:2]]

    def AddNode(self, command):
        node = self.nodes[command.node] = len(self.features) + 100
        self.features[node] = {"form": "_", "lemma": "_"}
        if command.neighbour is not None:
            self.Insert(command)

    def Unorder(self, command):
        self.order.remove(self.nodes[command.node])

    def Insert(self, command):
        place = self.order.index(self.nodes[command.neighbour])
        self.order.insert(place + 1 if command.after else place, self.nodes[command.node])

    def Shift(self, command):
        old, new = self.nodes[command.source], self.nodes[command.target]
        inner = set(self.nodes.values())
        for arc in list(self.arcs):
            s, t, label = arc
            if not command.label.accepts(label):
                continue
            if t == old and s not in inner and command.into:
                self.arcs.remove(arc)
                self.add((s, new, label))
            elif s == old and t not in inner and command.out:
                self.arcs.remove(arc)
                self.add((new, t, label))

    def SetFeature(self, command):
        value = "".join(self.part(part) for part in command.value)
        owner, name = command.feature.owner, command.feature.name
        if owner in self.edges:
            self.relabel(owner, features_of(value) if name == "label" else {**self.parts(owner), name: value})
        else:
            self.features[self.nodes[owner]][column_name(name)] = value

    def DeleteFeature(self, command):
        owner, name = command.feature.owner, command.feature.name
        if owner in self.edges:
            self.relabel(owner, {key: value for key, value in self.parts(owner).items() if key != name})
        else:
            self.features[self.nodes[owner]].pop(name, None)

    def CopyFeatures(self, command):
        source, target = (self.features[self.nodes[name]] for name in (command.source, command.target))
        for name, value in list(source.items()):
            if name not in COLUMNS and command.names.accepts(name):
                both = [target[name], value] if name in target else [value]
                target[name] = command.separator.join(both[::-1] if command.prepend else both)

    def parts(self, edge):
        return features_of(self.edges[edge][2]) if self.edges[edge][2] else {}

    def relabel(self, edge, features):
        old = self.edges[edge]
        self.arcs = [arc for arc in self.arcs if arc != old]
        self.edges[edge] = (old[0], old[1], label_with(features))
        self.add(self.edges[edge])

    def part(self, part):
        if isinstance(part, data.Literal):
            return part.text
        owner, name = part.feature.owner, part.feature.name
        if owner in self.edges:
            value = self.edges[owner][2] if name == "label" else self.parts(owner)[name]
        else:
            value = self.features[self.nodes[owner]][name]
        return value[part.first : part.last]
