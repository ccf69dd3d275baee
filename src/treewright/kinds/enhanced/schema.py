"""What a model file says of enhanced graphs, and what its arrays must be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright.steps.border.arrays import Arrays, check_weights
from treewright.steps.border.headers import MOST_CLASSES, MOST_RELATIONS, info, labels, value, weights
from treewright.steps.border.schema import damaged, flag, list_of, map_of, one_of, require, row, table, whole

_step = row(flag, whole(0, MOST_RELATIONS))
_path = row(list_of(_step, least=1, most=3), list_of(whole(-1, MOST_CLASSES), least=1, most=MOST_CLASSES))
_settings = table(
    {
        "relations": list_of(value, least=1, most=MOST_CLASSES),
        "tree_relations": list_of(value, most=MOST_RELATIONS),
        "paths": list_of(_path, most=1 << 20),
        "wanted": labels,
        "markers": labels,
        "connected": flag,
        "gaps": labels,
        "empty_nodes": one_of("words", "bare", "paths"),
        "copied": list_of(value, most=MOST_RELATIONS),
        "cases": map_of(list_of(value, least=1, most=MOST_RELATIONS), value),
    }
)
HEADER = table({"settings": _settings, "weights": weights, "info": info})


def check(header: Mapping[str, Any], arrays: Arrays) -> None:
    """Check enhanced graphs: relations and paths fit each other, and the weights are one for each relation."""
    require(HEADER, header)
    settings = header["settings"]
    n_graph, n_tree = len(settings["relations"]), len(settings["tree_relations"])
    if header["weights"]["n_classes"] != n_graph:
        raise damaged("weights.n_classes", f"is not the number of relations, {n_graph}")
    if not set(settings["tree_relations"]) <= set(settings["relations"]):
        raise damaged("settings.tree_relations", "has relations that graphs lack")
    seen = set()
    for steps, choices in settings["paths"]:
        if any(relation >= n_tree for _, relation in steps) or any(choice >= n_graph for choice in choices):
            raise damaged("settings.paths", "names a relation that there is not")
        seen.add(tuple(map(tuple, steps)))
    if len(seen) < len(settings["paths"]):
        raise damaged("settings.paths", "has a path twice")
    check_weights(arrays)
