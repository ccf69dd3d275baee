"""Arrays of models: are they there, how long are they, and what may their numbers be? Each kind says which it has.

Tables of weights have further rules that need several arrays at once: FrozenWeights (learners/frozen.pyx) and
KeyTable (kinds/exact/parts/weights.pyx) check them in compiled loops when they are made.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from treewright.steps.border.numbers import all_within, has_zero, largest_number
from treewright.steps.border.schema import damaged
from treewright.treebank.blocks.aligned import numbers_in

Arrays: TypeAlias = Mapping[str, memoryview]
Code: TypeAlias = Literal["B", "b", "H", "h", "I", "i", "Q", "f"]

LARGEST_WEIGHT = 1e6  # of exact and neural parsers: their sums stay far from infinity
WEIGHT_ARRAYS: dict[str, Code] = {
    "lines": "B",
    "tags": "H",
    "moves": "b",
    "sizes": "H",
    "classes_low": "B",
    "classes_high": "B",
    "values": "b",
}


class Bounds(NamedTuple):
    """The numbers that an array may hold, both ends included."""

    low: int
    high: int


def numbers_of(arrays: Arrays, name: str, code: Code, length: int | None = None) -> memoryview:
    """Return an array as numbers of a type; reject one that is missing or has not the length that it must have."""
    if name not in arrays:
        raise damaged(f"the array {name!r}", "is missing")
    try:
        numbers = numbers_in(arrays[name], code)
    except TypeError:
        raise damaged(f"the array {name!r}", "is not as long as its numbers need") from None
    if length is not None and len(numbers) != length:
        raise damaged(f"the array {name!r}", f"has {len(numbers)} numbers, not {length}")
    return numbers


def whole_numbers(arrays: Arrays, name: str, code: Code, bounds: Bounds, length: int | None = None) -> memoryview:
    """Return an array of whole numbers in a range, of a certain length."""
    numbers = numbers_of(arrays, name, code, length)
    if len(numbers) and not all_within(numbers, bounds.low, bounds.high):
        raise damaged(f"the array {name!r}", f"has a number outside of {bounds.low} to {bounds.high}")
    return numbers


def finite_numbers(arrays: Arrays, name: str, length: int | None = None) -> memoryview:
    """Return an array of numbers that are finite and of ordinary size."""
    numbers = numbers_of(arrays, name, "f", length)
    if len(numbers) and not largest_number(numbers) <= LARGEST_WEIGHT:
        raise damaged(f"the array {name!r}", "has a number that is not finite, or too large")
    return numbers


def keys_of(arrays: Arrays, name: str, length: int | None = None) -> memoryview:
    """Return an array of keys: none of them is 0."""
    keys = numbers_of(arrays, name, "Q", length)
    if len(keys) and has_zero(keys):
        raise damaged(f"the array {name!r}", "has a key that is 0")
    return keys


def check_weights(arrays: Arrays, prefix: str = "") -> None:
    """Check that the arrays of a table of weights are there and have whole numbers of entries."""
    for name, code in WEIGHT_ARRAYS.items():
        numbers_of(arrays, f"{prefix}{name}", code)


def check_clusters(arrays: Arrays) -> None:
    """Check the clusters of words that features look at."""
    n_clusters = len(numbers_of(arrays, "clusters.paths", "I"))
    if not n_clusters:
        raise damaged("the array 'clusters.paths'", "is empty")
    whole_numbers(arrays, "clusters.depths", "B", Bounds(0, 32), n_clusters)
    whole_numbers(arrays, "clusters.numbers", "H", Bounds(0, n_clusters - 1), len(keys_of(arrays, "clusters.keys")))


def part_of_arrays(arrays: Arrays, name: str) -> dict[str, memoryview]:
    """Return the arrays of a part, whose names begin with its own and a full stop."""
    start = f"{name}."
    return {key.removeprefix(start): value for key, value in arrays.items() if key.startswith(start)}
