"""What a model file says of an exact parser, and what its arrays must be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright.features.trust import check_features
from treewright.kinds.transition import schema as transition
from treewright.steps.border.arrays import Arrays, Bounds, finite_numbers, numbers_of, part_of_arrays, whole_numbers
from treewright.steps.border.headers import MOST_CLASSES, check_references, features, info, labels, leaves, value
from treewright.steps.border.numbers import longest_run
from treewright.steps.border.schema import damaged, flag, list_of, number, require, table, whole

LONGEST_SEARCH = 4096  # slots of a table that a search may have to pass
TABLES = ("arc", "grandparent", "above", "below")
SIBLING_TABLES = ("sibling", "sibling_above", "sibling_below")
_RELATIONS = ("relation_tags", "relation_numbers", "relation_rows")
ARRAYS = (*(f"{table}_{array}" for table in TABLES for array in ("tags", "weights")), *_RELATIONS)
#: only in models with siblings
SIBLING_ARRAYS = tuple(f"{table}_{array}" for table in SIBLING_TABLES for array in ("tags", "weights"))
ADVISER = "adviser"  # begins the names of its arrays

_settings = table(
    {
        "features": features,
        "feature_model": features,
        "relations": list_of(value, least=1, most=MOST_CLASSES),
        "root_labels": labels,
        "word_labels": labels,
        "order": whole(1, 2),
        "projective": flag,
        "single_root": flag,
        **leaves,
    }
)
HEADER = table({"settings": _settings, "scale": number(0, 1e12), "info": info}, {ADVISER: table({})})


def check(header: Mapping[str, Any], arrays: Arrays) -> None:
    """Check a model: finite weights, and tables in which every search ends soon.

    A model with one of the tables of siblings has all of them.
    """
    require(HEADER, header)
    check_features(header["settings"]["features"])
    check_references(header["settings"])
    siblings = any(name in arrays for name in SIBLING_ARRAYS)
    for name in (*TABLES, *(SIBLING_TABLES if siblings else ())):
        tags = numbers_of(arrays, f"{name}_tags", "I")
        finite_numbers(arrays, f"{name}_weights", len(tags))
        _check_searches(tags, f"{name}_tags")
    tags = numbers_of(arrays, "relation_tags", "I")
    _check_searches(tags, "relation_tags")
    numbers_of(arrays, "relation_rows", "h")
    whole_numbers(arrays, "relation_numbers", "i", Bounds(0, (1 << 31) - 1), len(tags))
    if ADVISER in header:
        transition.check(header[ADVISER], part_of_arrays(arrays, ADVISER))


def _check_searches(tags: memoryview, name: str) -> None:
    if len(tags) < 2 or longest_run(tags) >= min(LONGEST_SEARCH, len(tags)):
        raise damaged(f"the array {name!r}", "has no free slots where searches could end")
