"""What a model file says of a network, and what its arrays must be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright.steps.border.arrays import Arrays, finite_numbers
from treewright.steps.border.headers import MOST_CLASSES, MOST_TAGS, info, leaves, name, rules, value
from treewright.steps.border.schema import (
    Check,
    damaged,
    flag,
    list_of,
    map_of,
    number,
    require,
    row,
    table,
    text,
    whole,
)

MOST_UNITS = 4096  # of a layer
size = whole(1, MOST_UNITS)
#: how a network reads words
READING: dict[str, Check] = {
    "widths": map_of(size, most=64),
    "hidden": size,
    "layers": whole(1, 64),
    "buckets": whole(1, 1 << 24),
}
PRETRAINED: dict[str, Check] = {
    "encoder": table({"folder": text(10_000), "fingerprint": text(1000), "layers": whole(1, 64)}),
    "context": table({**READING, "source": text(10_000)}),
}
#: a network that scores arcs and their relations
NETWORK = table(
    {
        **READING,
        "arcs": size,
        "relations": size,
        "tags": whole(0, MOST_UNITS),
        "tag_values": map_of(list_of(text(10_000, "\n\r"), least=1, most=MOST_TAGS), value, 10_000),
    },
    PRETRAINED,
)
_settings = table(
    {
        "relations": list_of(value, least=1, most=MOST_CLASSES),
        "single_root": flag,
        "projective": flag,
        "votes": list_of(row(number(0, 1e6), number(0, 1e6)), most=64),
        "network": NETWORK,
        **leaves,
    },
    rules,
)
HEADER = table({"settings": _settings, "members": list_of(table({"kind": name, "name": name}), most=64), "info": info})


def check(header: Mapping[str, Any], arrays: Arrays) -> None:
    """Check a neural or hybrid parser; its members are checked when they are made."""
    require(HEADER, header)
    if len(header["members"]) != len(header["settings"]["votes"]):
        raise damaged("settings.votes", "has not one entry for each member")
    check_network(arrays)


def check_network(arrays: Arrays) -> None:
    """Check that all scales and biases of a network are finite; their lengths are compared with its layers."""
    for array in arrays:
        if array.endswith((".scales", ".bias")) or array.startswith("tag_votes."):
            finite_numbers(arrays, array)
