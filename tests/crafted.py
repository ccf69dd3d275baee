"""Model files with changes that no training makes, otherwise as they should be: even the digest is right."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from treewright.steps.border.container import DIGEST, KEY, PACKED, digest

Parts = tuple[dict[str, Any], dict[str, dict[str, Any]], dict[str, bytes]]


def taken_apart(data: bytes) -> Parts:
    """Return the header, the list of arrays, and their bytes."""
    length = int.from_bytes(data[:8], "little")
    entries = json.loads(data[8 : 8 + length])
    header = json.loads(entries.pop("__metadata__")[KEY])
    body = data[8 + length :]
    return header, entries, {name: body[slice(*entry["data_offsets"])] for name, entry in entries.items()}


def put_together(
    header: Any,
    entries: Mapping[str, Any],
    arrays: Mapping[str, bytes],
    signed: bool = True,
    packed_lengths: Mapping[str, Any] | None = None,
) -> bytes:
    """Return a file with the arrays one after the other; what is not ASCII becomes an escape.

    ``packed_lengths`` is what the file is to say of its packed arrays.
    """
    listed: dict[str, Any] = {}
    end = 0
    pieces = []
    for name, data in arrays.items():
        start, end = end, end + len(data)
        dtype = entries.get(name, {}).get("dtype", "U8")
        size = {"8": 1, "6": 2, "2": 4, "4": 8}[dtype[-1]]
        if len(data) % size:
            dtype, size = "U8", 1
        listed[name] = {"dtype": dtype, "shape": [len(data) // size], "data_offsets": [start, end]}
        pieces.append(data)
    text = json.dumps(header)
    lengths = json.dumps(packed_lengths) if packed_lengths else ""
    metadata = {KEY: text} | ({PACKED: lengths} if lengths else {})
    metadata |= {DIGEST: digest(text + lengths, listed, pieces)} if signed else {}
    packed = json.dumps({"__metadata__": metadata, **listed}).encode()
    packed += b" " * (-len(packed) % 8)
    return len(packed).to_bytes(8, "little") + packed + b"".join(pieces)


def crafted(
    model: Path,
    path: Path,
    header: Callable[[dict[str, Any]], object] = lambda header: None,
    arrays: Callable[[dict[str, bytes]], object] = lambda arrays: None,
) -> Path:
    """Write a changed model: ``header`` and ``arrays`` change what they are given in place."""
    own, entries, data = taken_apart(Path(model).read_bytes())
    header(own)
    arrays(data)
    path.write_bytes(put_together(own, entries, data))
    return path
