"""What a model file says of a language model, and what its arrays must be."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright.kinds.network.schema import READING, check_network
from treewright.steps.border.arrays import Arrays, numbers_of
from treewright.steps.border.headers import info
from treewright.steps.border.schema import require, table

HEADER = table({"settings": table(READING), "info": info})


def check(header: Mapping[str, Any], arrays: Arrays) -> None:
    """Check a language model; the lengths of its arrays are compared when it is made."""
    require(HEADER, header)
    check_network(arrays)
    numbers_of(arrays, "guesses.endings", "B")
    n_guesses = len(numbers_of(arrays, "guesses.logs.bias", "f"))
    numbers_of(arrays, "guesses.weight", "b", n_guesses * header["settings"]["hidden"])
    numbers_of(arrays, "guesses.weight.scales", "f", n_guesses)
