"""What a model file says of parsers that make moves, of trees or of graphs, and what its arrays must be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright.features.trust import check_features
from treewright.steps.border.arrays import Arrays, check_weights, finite_numbers, keys_of, numbers_of
from treewright.steps.border.headers import (
    MOST_CLASSES,
    MOST_KINDS,
    MOST_RELATIONS,
    check_references,
    features,
    info,
    labels,
    leaves,
    name,
    rules,
    value,
    weights,
)
from treewright.steps.border.schema import (
    Check,
    damaged,
    flag,
    list_of,
    number,
    one_of,
    optional,
    require,
    row,
    table,
    text,
    whole,
)
from treewright.steps.call import WIDEST_BEAM

#: weights as they were learnt (learners/plain_weights.pyx)
_plain_weights = table(
    {"precision": one_of("float"), "n_classes": whole(0, MOST_CLASSES), "kind_weights": whole(1, MOST_KINDS)}
)
_machine = table({"learner": text(200), "n_classes": whole(0, MOST_CLASSES), "machine": table({})})
#: what each machine of another library must say of itself
MACHINES: dict[str, Check] = {
    "libsvm": table(
        {
            "column": whole(-1, 4096),
            "n_features": whole(0, (1 << 31) - 2),
            "parts": list_of(row(whole(0, (1 << 31) - 2), whole(0, 1 << 40)), least=1, most=1 << 20),
        }
    ),
    "timbl": table(
        {
            "lengths": row(whole(0, 1 << 40), whole(0, 1 << 40)),
            "n_features": whole(0, (1 << 31) - 2),
            "options": text(1000),
            "prior": list_of(number(0, 1), least=1, most=MOST_CLASSES + MOST_KINDS),
        },
        {"text_length": whole(0, 1 << 40)},
    ),
}

_share = number(0, 1)
#: what parsers that make moves say of themselves
MOVES: dict[str, Check] = {
    **leaves,
    "features": features,
    "feature_model": features,
    "relations": list_of(value, least=1, most=MOST_RELATIONS),
    "classes": list_of(row(whole(0, MOST_KINDS - 1), whole(0, MOST_RELATIONS)), most=MOST_CLASSES),
    "root_labels": labels,
    "word_labels": labels,
}
TREE_MOVES: dict[str, Check] = {
    **leaves,
    **MOVES,
    "system": table({"name": name}, {"root": optional(name), "single_root": flag}),
    "lifting": name,
}
TREES = table(
    {**TREE_MOVES, "split": flag},
    {
        **rules,
        "beam": whole(1, WIDEST_BEAM),
        "beam_margin": optional(number(0, 1e12)),
        "beam_confidence": table({}, {"temperature": number(1e-12, 1e12), "outside": number(-1e12, 1e12)}),
        "confidence": table({}, {"beta": number(1e-12, 1e12), "knots": list_of(row(_share, _share), most=1 << 16)}),
    },
)


def check(header: Mapping[str, Any], arrays: Arrays) -> None:
    """Check a model of trees by linear moves."""
    check_moves(header, arrays, TREES)


def check_moves(header: Mapping[str, Any], arrays: Arrays, settings: Check) -> None:
    """Check a model that makes moves by linear weights."""
    require(table({"settings": settings, "weights": table({}), "info": info}), header)
    check_features(header["settings"]["features"])
    _check_weights(header["weights"])
    check_references(header["settings"])
    if "learner" in header["weights"]:
        _check_machine(header["weights"]["machine"], arrays)
    else:
        (_check_plain_weights if "precision" in header["weights"] else check_weights)(arrays)


def _check_weights(kept: Mapping[str, Any]) -> None:
    """Check what the header says of weights: those of a table, or a machine of another library."""
    if "learner" not in kept:
        require(_plain_weights if "precision" in kept else weights, kept, "weights")
        return
    require(_machine, kept, "weights")
    if kept["learner"] in MACHINES:
        require(MACHINES[kept["learner"]], kept["machine"], "weights.machine")


def _check_plain_weights(arrays: Arrays) -> None:
    """Check the arrays of weights as they were learnt; PlainWeights compares them with each other."""
    entries = len(finite_numbers(arrays, "values"))
    numbers_of(arrays, "classes", "H")
    n = len(keys_of(arrays, "features"))
    finite_numbers(arrays, "moves")
    if len(numbers_of(arrays, "sizes", "H")) != n or len(numbers_of(arrays, "classes", "H")) != entries:
        raise damaged("the arrays of weights", "do not fit each other")


def _check_machine(machine: Mapping[str, Any], arrays: Arrays) -> None:
    """Check the features that a machine of another library knows: as many as it says."""
    known = len(numbers_of(arrays, "features", "Q"))
    if machine.get("n_features", known) != known:
        raise damaged("weights.machine.n_features", f"is not {known}, the number of features")
