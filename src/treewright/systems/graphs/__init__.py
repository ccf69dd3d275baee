"""Transition systems that build graphs, by name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from treewright.errors import CombinationError, unknown

if TYPE_CHECKING:
    from treewright.systems.graphs.graph_system import GraphSystem

_HOME = {
    "dag-arc-eager": "dag_arc_eager:DagArcEager",
    "dag-crossing": "dag_crossing:DagCrossing",
    "dag-shift-reduce": "dag_shift_reduce:DagShiftReduce",
}
GRAPH_SYSTEMS = tuple(_HOME)


#: costs of dag-arc-eager: the exact ones; by the rules of Tokgöz & Eryiğit 2015, as meant or as printed
_COSTS = {"exact": "DagArcEager", "gold-arcs": "GoldArcsDagArcEager", "paper": "PrintedDagArcEager"}
GRAPH_COSTS = tuple(_COSTS)


def make_graph_system(name: str, costs: str = "exact") -> GraphSystem:
    """Return the system for graphs of that name. ``costs``: which its oracle gives; the moves are the same."""
    if name not in _HOME:
        raise CombinationError(unknown("system for graphs", name, GRAPH_SYSTEMS))
    module, class_name = _HOME[name].split(":")
    if costs != "exact":
        if name != "dag-arc-eager" or costs not in GRAPH_COSTS:
            raise CombinationError(f"{name} has exact costs; other rules are for dag-arc-eager, not {costs!r}")
        class_name = _COSTS[costs]
    made: GraphSystem = getattr(import_module(f"treewright.systems.graphs.{module}"), class_name)()
    return made
