"""Writes models to disk: one safetensors file, arrays and settings in its header, and a digest of both.

Nothing in it is executed, nothing is trusted: see `border`. The same model gives the same bytes. Large arrays that
shrink are packed (`border/packing.py`). The format is simple enough to be read and written here, which keeps start-up
free of numpy; the tests compare with the safetensors library.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from treewright.steps.border.container import (
    DIGEST,
    FORMAT,
    KEY,
    PACKED,
    PACKED_FORMAT,
    SIZES,
    byte_order_error,
    digest,
)
from treewright.steps.border.packing import packed_arrays
from treewright.treebank.files.output import OutputFile

if TYPE_CHECKING:
    from array import array

ArrayData: TypeAlias = "bytes | bytearray | memoryview | array[int] | array[float]"
_NOT_UTF8 = re.compile("[\ud800-\udfff]")


def write_model(
    path: str | os.PathLike[str],
    header: Mapping[str, Any],
    arrays: Mapping[str, tuple[str, ArrayData]],
    packed: bool = True,
) -> None:
    """Write a model; the file appears whole or not at all. ``arrays``: name → (dtype, buffer)."""
    if sys.byteorder != "little":
        raise byte_order_error()
    flat = {name: (dtype, memoryview(data).cast("B") if len(data) else b"") for name, (dtype, data) in arrays.items()}
    kept, packed_lengths = packed_arrays(flat) if packed else (flat, {})
    number = PACKED_FORMAT if packed_lengths else FORMAT
    text = json.dumps({"format": number, **header}, ensure_ascii=False, sort_keys=True)
    text = _NOT_UTF8.sub(
        "\ufffd", text
    )  # file names and descriptions may have such bytes: no reason to lose a training
    entries: dict[str, Any] = {}
    views = []
    end = 0
    # The widest numbers first, as the safetensors library lays them out: all stay aligned.
    for name, (dtype, view) in sorted(kept.items(), key=lambda item: (-SIZES[item[1][0]], item[0])):
        start, end = end, end + len(view)
        entries[name] = {"dtype": dtype, "shape": [len(view) // SIZES[dtype]], "data_offsets": [start, end]}
        views.append(view)
    lengths = json.dumps(packed_lengths, sort_keys=True) if packed_lengths else ""
    metadata = {KEY: text, DIGEST: digest(text + lengths, entries, views)}
    if lengths:
        metadata[PACKED] = lengths
    listed = json.dumps({"__metadata__": metadata, **entries}, ensure_ascii=False, separators=(",", ":"))
    beginning = listed.encode()
    beginning += b" " * (-len(beginning) % 8)
    with OutputFile(path) as output:
        output.write(len(beginning).to_bytes(8, "little") + beginning)
        for view in views:
            output.write(bytes(view))
