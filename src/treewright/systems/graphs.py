"""Transition systems that build graphs, by name."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from treewright.errors import CombinationError

if TYPE_CHECKING:
    from treewright.systems.graph_system import GraphSystem

_HOME = {
    "dag-arc-eager": "dag_arc_eager:DagArcEager",
    "dag-crossing": "dag_crossing:DagCrossing",
    "dag-shift-reduce": "dag_shift_reduce:DagShiftReduce",
}
GRAPH_SYSTEMS = tuple(_HOME)


def make_graph_system(name: str) -> GraphSystem:
    """Return the system for graphs of that name."""
    if name not in _HOME:
        raise CombinationError(f"unknown system for graphs {name!r}; choose from {', '.join(GRAPH_SYSTEMS)}")
    module, class_name = _HOME[name].split(":")
    made: GraphSystem = getattr(import_module(f"treewright.systems.{module}"), class_name)()
    return made
