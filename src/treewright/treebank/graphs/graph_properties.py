"""What the graphs of a treebank have in common, so that graphs that are built have it, too."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from treewright.treebank.checks.graph_checks import unreached
from treewright.treebank.graphs.graph import Graph


class GraphProperties(TypedDict):
    """What holds of every graph."""

    connected: bool  # every word is reachable from the root
    headed: bool  # every word has a head
    single_root: bool  # one arc leaves the root


def properties_of(graphs: Sequence[Graph]) -> GraphProperties:
    """Return what all graphs of a treebank have in common; those without arcs say nothing."""
    known = [graph for graph in graphs if any(graph)]
    return {
        "connected": not any(map(unreached, known)),
        "headed": all(arcs for graph in known for arcs in graph),
        "single_root": all(sum(head == 0 for arcs in graph for head, _ in arcs) == 1 for graph in known),
    }
