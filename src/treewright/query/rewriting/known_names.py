"""Which nodes and edges a rule's commands may name: those of the pattern, those made before, none that is gone."""

from __future__ import annotations

from treewright.query.language.pattern import IDENTITY, LABEL, LABEL_FEATURES, Feature
from treewright.query.language.tokens import Place
from treewright.query.language.well_formed import Names
from treewright.query.rewriting import rules as data


class Known:
    """What has a name, command by command."""

    def __init__(self, names: Names) -> None:
        self._nodes, self._edges = set(names.nodes), set(names.edges)
        self._gone: set[str] = set()
        self._unplaced: dict[str, None] = {}
        self._unlabelled: dict[str, None] = {}

    def check(self, command: data.Command) -> None:
        """Reject a command that names what is not there."""
        place = command.place
        match command:
            case data.DeleteEdge():
                self._delete_edge(command)
            case data.AddEdge():
                self._add_edge(command)
            case data.DeleteNode():
                self._node(command.node, place)
                self._nodes.remove(command.node)
                self._gone.add(command.node)
                self._unplaced.pop(command.node, None)
            case data.AddNode():
                self._new(command.node, place)
                if command.neighbour is not None:
                    self._placed(command.neighbour, place)
                else:
                    self._unplaced[command.node] = None
                self._nodes.add(command.node)
            case data.Unorder():
                self._placed(command.node, place)
                self._unplaced[command.node] = None
            case data.Insert():
                self._node(command.node, place)
                self._placed(command.neighbour, place)
                if command.node not in self._unplaced:
                    raise place.error(f"{command.node} has a place already: unorder {command.node} comes first")
                del self._unplaced[command.node]
            case data.Shift() | data.CopyFeatures():
                self._node(command.source, place)
                self._node(command.target, place)
            case data.SetFeature():
                self._feature(command.feature, place, True)
                self._unlabelled.pop(command.feature.owner, None)
                for part in command.value:
                    if isinstance(part, data.Part):
                        self._feature(part.feature, place)
            case data.DeleteFeature():
                self._feature(command.feature, place, True)
                if command.feature.name in (LABEL, "form"):
                    raise place.error(f"{command.feature.owner}.{command.feature.name} cannot be taken away")

    def finish(self, place: Place) -> None:
        """Reject a rule that leaves something half done."""
        for node in self._unplaced:
            raise place.error(f"the rule leaves {node} without a place: insert {node} :> X")
        for edge in self._unlabelled:
            raise place.error(f"the rule leaves the edge {edge} without a label: {edge}.label = …")

    def _node(self, name: str, place: Place) -> None:
        if name in self._gone:
            raise place.error(f"{name} is gone by then")
        if name not in self._nodes:
            raise place.error(f"no node is named {name}")

    def _placed(self, name: str, place: Place) -> None:
        self._node(name, place)
        if name in self._unplaced:
            raise place.error(f"{name} has no place by then")

    def _new(self, name: str, place: Place) -> None:
        if name in self._nodes or name in self._edges or name in self._gone:
            raise place.error(f"a second {name}: what is new needs a name of its own")

    def _delete_edge(self, command: data.DeleteEdge) -> None:
        if command.edge is None:
            self._node(command.source, command.place)
            self._node(command.target, command.place)
            return
        self._edge(command.edge, command.place)
        self._edges.remove(command.edge)
        self._gone.add(command.edge)
        self._unlabelled.pop(command.edge, None)

    def _edge(self, name: str, place: Place) -> None:
        if name in self._gone:
            raise place.error(f"{name} is gone by then")
        if name not in self._edges:
            raise place.error(f"no edge is named {name}")

    def _add_edge(self, command: data.AddEdge) -> None:
        self._node(command.source, command.place)
        self._node(command.target, command.place)
        if isinstance(command.label, tuple):
            for _, part in command.label:
                if isinstance(part, data.Part):
                    self._edge(part.feature.owner, command.place)
                    self._feature(part.feature, command.place)
        if command.name is not None:
            self._new(command.name, command.place)
            self._edges.add(command.name)
            if command.label == "":
                self._unlabelled[command.name] = None

    def _feature(self, feature: Feature, place: Place, is_set: bool = False) -> None:
        if feature.owner in self._edges:
            if feature.name not in (LABEL, *LABEL_FEATURES):
                known = ", ".join((LABEL, *LABEL_FEATURES))
                raise place.error(f"no edge has a feature {feature.name!r}: there are {known}")
            return
        self._node(feature.owner, place)
        if feature.name == IDENTITY or (is_set and feature.name == "textform"):
            raise place.error(f"{feature.name} cannot be set: it follows from the text")
