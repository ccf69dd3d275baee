"""Crafted model files: changes that know what a model file is made of. Most get a digest that is right again.

Headers (values of other types and sizes, entries taken from other models), feature models that still parse, arrays
(numbers at the ends of their range, other lengths, arrays of other models), compressed texts of machines (unpacked,
changed, packed again with the right lengths), the list of arrays, and plain bytes. One file in six has packed arrays.
"""

from __future__ import annotations

import copy
import json
import random
import re
import struct
import zlib
from typing import Any

from tests.crafted import put_together, taken_apart

from fuzzing.mutations import (
    change_bytes,
    change_json,
    change_lines,
    change_tokens,
    found_near,
    mutate_features,
    several,
)

NUMBERS = {
    "U8": ("B", (0, 1, 2, 6, 7, 127, 128, 254, 255)),
    "I8": ("b", (0, 1, -1, 127, -127, -128)),
    "U16": ("H", (0, 1, 2, 3, 255, 256, 8191, 8192, 32767, 65535)),
    "I16": ("h", (0, 1, -1, 32767, -32768)),
    "U32": ("I", (0, 1, 2, 3, 1 << 31, (1 << 32) - 1)),
    "I32": ("i", (0, 1, -1, 2, 5, 1000, (1 << 31) - 1, -(1 << 31))),
    "U64": ("Q", (0, 1, 2, 1 << 33, (1 << 64) - 1)),
    "F32": ("f", (0.0, 1.0, -1.0, 1e6, 1e7, 1e38, float("nan"), float("inf"), -float("inf"), 1e-45)),
}
PACKED = ("machines", "instance_base")
_NUMBER = re.compile(rb"[0-9]+")


def mutate_model(rng: random.Random, seeds: list[bytes], data: bytes) -> bytes:
    """Change a model file."""
    kind = rng.randrange(12)
    if kind == 0:
        return several(rng, seeds, data, (change_bytes,))
    try:
        header, entries, arrays = taken_apart(data)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return several(rng, seeds, data, (change_bytes,))
    if kind == 1:
        return change_list(rng, data)
    for _ in range(rng.choice((1, 1, 1, 2, 5))):
        if kind <= 5:
            change_json(rng, header)
        elif kind == 6:
            change_feature_text(rng, header)
        elif kind <= 9:
            change_array(rng, entries, arrays)
        elif kind == 10:
            graft(rng, header, arrays, rng.choice(seeds))
        else:
            repack(rng, seeds, header, arrays)
    lengths = pack(rng, entries, arrays) if rng.random() < 1 / 6 else None
    try:
        return put_together(header, entries, arrays, rng.random() < 0.9, lengths)
    except (ValueError, RecursionError, UnicodeEncodeError):
        return data


def pack(rng: random.Random, entries: dict[str, Any], arrays: dict[str, bytes]) -> dict[str, Any]:
    """Pack some arrays, and return what the file says of them: mostly the truth."""
    lengths: dict[str, Any] = {}
    for name in rng.sample(sorted(arrays), min(len(arrays), rng.choice((1, 1, 2, 9)))):
        entry = entries.get(name, {})
        lengths[name] = [entry.get("dtype", "U8"), len(arrays[name])]
        data = bytearray(zlib.compress(arrays[name]))
        if rng.random() < 0.1:
            data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        elif rng.random() < 0.1:
            data += rng.choice((b"\0", zlib.compress(b"more"), bytes(data)))
        elif rng.random() < 0.1:
            del data[rng.randrange(len(data)) :]
        arrays[name], entries[name] = bytes(data), {**entry, "dtype": "U8"}
    if rng.random() < 0.2:
        change_json(rng, lengths)
    return lengths


def change_list(rng: random.Random, data: bytes) -> bytes:
    """Change the list of arrays: types, shapes, places."""
    length = int.from_bytes(data[:8], "little")
    listed = json.loads(data[8 : 8 + length])
    for _ in range(rng.choice((1, 1, 3))):
        change_json(rng, listed)
    packed = json.dumps(listed).encode() + b" " * rng.choice((0, 0, 1, 5, 8))
    claimed = rng.choice((len(packed),) * 8 + (0, len(packed) + 1, 1 << 31, 1 << 62))
    return claimed.to_bytes(8, "little") + packed + data[8 + length :]


def settings_in(node: Any) -> list[dict[str, Any]]:
    """Return all tables of a header."""
    found = [node] if isinstance(node, dict) else []
    for inner in node.values() if isinstance(node, dict) else node if isinstance(node, list) else ():
        found += settings_in(inner)
    return found


def change_feature_text(rng: random.Random, header: dict[str, Any]) -> None:
    """Change a feature model such that it may still parse."""
    tables = [table for table in settings_in(header) if isinstance(table.get("features"), str)]
    if tables:
        table = rng.choice(tables)
        old = table["features"].encode("utf-8", "replace")
        table["features"] = mutate_features(rng, [old], old).decode("utf-8", "replace")


def change_array(rng: random.Random, entries: dict[str, Any], arrays: dict[str, bytes]) -> None:
    """Change numbers of an array, or its length."""
    if not arrays:
        return
    name = rng.choice(list(arrays))
    code, odd = NUMBERS.get(entries.get(name, {}).get("dtype", "U8"), NUMBERS["U8"])
    size, data = struct.calcsize(code), bytearray(arrays[name])
    n, kind = len(data) // size, rng.randrange(6)
    if kind == 0 and n:
        del data[rng.randrange(n) * size :]
    elif kind == 1:
        data += struct.pack(f"<{code}", rng.choice(odd)) * rng.choice((1, 1, 2, n or 1))
    elif kind == 2 and n:
        data[:] = struct.pack(f"<{code}", rng.choice(odd)) * n
    elif n:
        for _ in range(rng.choice((1, 1, 4, 30))):
            at = rng.randrange(n) * size
            if rng.random() < 0.7:
                data[at : at + size] = struct.pack(f"<{code}", rng.choice(odd))
            else:
                data[at] = (data[at] + rng.choice((1, -1, 128))) & 255
    arrays[name] = bytes(data)


def graft(rng: random.Random, header: dict[str, Any], arrays: dict[str, bytes], other: bytes) -> None:
    """Put a part of another model in: entries of its settings, or some of its arrays, or all of both."""
    try:
        strange, _, more = taken_apart(other)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return
    kind = rng.randrange(4)
    if kind == 0:
        for name in rng.sample(sorted(more), min(len(more), rng.choice((1, 2, 8)))):
            arrays[name] = more[name]
    elif kind == 1:
        own, theirs = settings_in(header), settings_in(strange)
        table, source = rng.choice(own), rng.choice(theirs or own)
        for name in rng.sample(sorted(source), min(len(source), rng.choice((1, 1, 3)))):
            table[name] = copy.deepcopy(source[name])
    elif kind == 2:
        header["kind"] = strange.get("kind")
    else:
        key = rng.choice(("settings", "weights", "members", "adviser", "scale"))
        if key in strange:
            header[key] = copy.deepcopy(strange[key])
        arrays.update(more)


def repack(rng: random.Random, seeds: list[bytes], header: dict[str, Any], arrays: dict[str, bytes]) -> None:
    """Change a compressed text, and pack it again with the lengths that it now has."""
    for name in PACKED:
        if name not in arrays:
            continue
        try:
            text = zlib.decompress(arrays[name])
            machine = header["weights"]["machine"]
            if rng.random() < 0.05:
                text = text * rng.choice((2, 2, 2, 100))
            text = several(rng, seeds[:1], text, (change_tokens, change_lines, change_numbers, change_bytes))
            if rng.random() < 0.9 and name == "machines":
                machine["parts"] = [[0, len(text)]]
            elif rng.random() < 0.9 and name == "instance_base":
                rest = min(machine["lengths"][1], len(text))
                machine["lengths"] = [len(text) - rest, rest]
        except (zlib.error, KeyError, TypeError, IndexError, ValueError):
            return
        arrays[name] = zlib.compress(text)
        return
    change_json(rng, header)


def change_numbers(rng: random.Random, seeds: list[bytes], data: bytes) -> bytes:
    """Replace a number within a text."""
    place = found_near(rng, _NUMBER, data)
    if place is None:
        return data
    new = rng.choice((b"0", b"1", b"2", b"9", b"99", b"1e999", b"-1", b"nan", b"2147483647", b"9" * 30))
    return data[: place.start()] + new + data[place.end() :]
