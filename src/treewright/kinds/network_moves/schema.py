"""What a model file says of a transition parser with a network."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright.features.trust import check_features
from treewright.kinds.graph.schema import GRAPHS
from treewright.kinds.network.schema import PRETRAINED, READING, check_network, size
from treewright.kinds.transition.schema import TREE_MOVES
from treewright.steps.border.arrays import Arrays
from treewright.steps.border.headers import check_references, info, rules
from treewright.steps.border.schema import Check, require, table

_moves = table(TREE_MOVES, rules)
_network = table({"network": table({**READING, "moves": size, "relations": size}, PRETRAINED)})
#: what parsers of trees and of graphs say of their moves
SETTINGS: dict[str, Check] = {"neural-moves": _moves, "neural-graph-moves": GRAPHS}


def check(header: Mapping[str, Any], arrays: Arrays) -> None:
    """Check a transition parser with a network, of trees or of graphs."""
    for settings in (SETTINGS[header["kind"]], _network):
        require(table({"settings": settings, "info": info}), header)
    check_features(header["settings"]["features"])
    check_references(header["settings"])
    check_network(arrays)
