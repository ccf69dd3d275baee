"""Large arrays that a model file keeps in fewer bytes (zlib): those of linear models have many zeros.

Small arrays stay as they are, and so do the weights of networks, which hardly shrink: any program that reads
safetensors can read them. What a packed array unpacks to is known before, and bounded by the size of the file.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any

from treewright.steps.border.schema import damaged, map_of, one_of, require, row, text, whole

LEAST = 1 << 14  # bytes of an array that is worth it
SHARE = 0.75  # of its length that it must not exceed
MOST_GROWTH = 32  # times the size of the file, that all of its packed arrays together may have
LEVEL = 6

TypedBytes = tuple[str, "memoryview | bytes"]


def packed_arrays(arrays: Mapping[str, TypedBytes]) -> tuple[dict[str, TypedBytes], dict[str, tuple[str, int]]]:
    """Return arrays as a file keeps them, and the types and lengths of those that are packed."""
    kept, lengths = dict(arrays), {}
    for name, (dtype, view) in arrays.items():
        if len(view) >= LEAST:
            smaller = zlib.compress(view, LEVEL)
            if len(smaller) <= SHARE * len(view):
                kept[name], lengths[name] = ("U8", smaller), (dtype, len(view))
    return kept, lengths


def unpacked_arrays(arrays: dict[str, memoryview], lengths: object, file_size: int, types: Mapping[str, int]) -> None:
    """Put what packed arrays hold in their place. ``lengths`` is what the file says of them; nothing is believed."""
    listed = map_of(row(one_of(*types), whole(0, 1 << 48)), text(1000), len(arrays))
    require(listed, lengths, "the list of packed arrays")
    assert isinstance(lengths, dict)
    if sum(length for _, length in lengths.values()) > MOST_GROWTH * file_size:
        raise damaged("the list of packed arrays", f"says that they have more than {MOST_GROWTH} times the file's size")
    for name, (dtype, length) in lengths.items():
        if name not in arrays:
            raise damaged(f"the packed array {name!r}", "is not in the file")
        if length % types[dtype]:
            raise damaged(f"the packed array {name!r}", f"has {length} bytes, which are no numbers of type {dtype}")
        arrays[name] = memoryview(_unpacked(name, arrays[name], length))


def _unpacked(name: str, packed: memoryview, length: int) -> Any:
    unpacking = zlib.decompressobj()
    try:
        data = unpacking.decompress(packed, length + 1)
    except zlib.error:
        raise damaged(f"the packed array {name!r}", "cannot be unpacked") from None
    if len(data) != length or not unpacking.eof or unpacking.unused_data:
        raise damaged(f"the packed array {name!r}", f"does not have the {length} bytes that it should have")
    return data
