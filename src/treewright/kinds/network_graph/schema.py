"""What a model file says of a neural parser of graphs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright.kinds.network.schema import NETWORK, check_network
from treewright.steps.border.arrays import Arrays
from treewright.steps.border.headers import MOST_CLASSES, info, leaves, value
from treewright.steps.border.schema import flag, list_of, number, require, table

_settings = table(
    {
        "relations": list_of(value, least=1, most=MOST_CLASSES),
        "threshold": number(-1e6, 1e6),
        "rules": table({"connected": flag, "headed": flag, "single_root": flag}),
        "network": NETWORK,
        **leaves,
    }
)
HEADER = table({"settings": _settings, "info": info})


def check(header: Mapping[str, Any], arrays: Arrays) -> None:
    """Check a neural parser of graphs."""
    require(HEADER, header)
    check_network(arrays)
