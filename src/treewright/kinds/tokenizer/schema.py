"""What a model file says of a tokeniser, and what its arrays must be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright.steps.border.arrays import Arrays, check_clusters, check_weights
from treewright.steps.border.headers import info, name, value, weights
from treewright.steps.border.schema import flag, list_of, map_of, number, optional, require, row, table, text, whole

_piece = row(whole(-(1 << 20), 1 << 20), optional(whole(-(1 << 20), 1 << 20)), value)
_number_of_split = map_of(whole(0, 1 << 24))
_splits_of_affix = map_of(list_of(whole(1, 1 << 24), most=1000))
_guesses = table({"endings": _splits_of_affix, "beginnings": _splits_of_affix})
_settings = table(
    {
        "weights": weights,
        "spaces_inside": flag,
        "features": whole(5, 5),
        "longest": whole(1, 20_000),
        "marks": whole(0, 3),
        "words": map_of(whole(1, 31)),
        "alphabet": text(1 << 21),
        "usual": text(1 << 16),
        "spans": text(1000),
        "multiwords": table(
            {
                "splits": list_of(list_of(_piece, most=1000), least=1, most=1 << 20),
                "forms": _number_of_split,
                "suffixes": _number_of_split,
                "prefixes": _number_of_split,
                "contexts": map_of(map_of(whole(-(1 << 24), 1 << 24))),
                "guesses": _guesses,
            }
        ),
    },
    {"eager": list_of(number(-1e12, 1e12), most=64), "clusters": name},
)
HEADER = table({"settings": _settings, "info": info})


def check(header: Mapping[str, Any], arrays: Arrays) -> None:
    """Check a tokeniser."""
    require(HEADER, header)
    check_weights(arrays)
    if "clusters" in header["settings"]:
        check_clusters(arrays)
