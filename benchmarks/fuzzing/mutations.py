"""Format-aware changes to valid files: such inputs get far before they are rejected."""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Callable

LONGEST = 1 << 20
BETWEEN = b"\0PAIR\0"  # gold and system of an input for the scorer
Mutator = Callable[[random.Random, list[bytes], bytes], bytes]

VALUES = (
    "",
    "_",
    "0",
    "1",
    "2",
    "3",
    "-1",
    "+1",
    "01",
    "1.0",
    "0.1",
    "1.1",
    "2-3",
    "1-2",
    "3-2",
    "1-1",
    "0-1",
    "1-",
    ".1",
    "1-2-3",
    "999999999",
    "2147483647",
    "2147483648",
    "4294967297",
    "99999999999999999999",
    "9" * 5000,
    "1-" + "9" * 5000,
    "2-999999999",
    "٣",
    "²",
    "1e3",
    "nan",
    "root",
    "ROOT",
    "punct",
    "a=b=c|d|=|e=",
    "0:root|1:nsubj|x:y",
    "SpaceAfter=No",
    "|",
    "=",
    ":",
    "a b",
    "\u00a0",
    "\u2028",
    "\ufeff",
    "\U0001f600",
    "e\u0301",
    "İ",
    "ß",
    "↑",
    "nsubj↑root↓",
    "\\",
    "# sent_id = 1",
    "# newdoc",
    "# global.columns = ID FORM HEAD DEPREL",
    "# global.columns = ID ID",
    "<word",
    "</sentence>",
    "<!--",
    "&#0;",
    "&amp;",
    "<!DOCTYPE a [<!ENTITY b 'c'>]>",
    "x" * 300,
    "[" * 2000,
)
PIECES = (
    b"\t",
    b"\n",
    b"\n\n",
    b"\r",
    b"\r\n",
    b"\0",
    b"\xef\xbb\xbf",
    b"\xff",
    b"\xc3",
    b"\xed\xa0\x80",
    b"#",
    b" ",
    b"<",
    b">",
    b'"',
    b"&",
    b"\x1f\x8b",
    b"PK\x03\x04",
    b"\x85",
    b"\x0c",
)
WORDS = tuple(
    re.findall(
        r"\S+",
        """w p x l lemma feats feat column suffix prefix lower shape each distance valency labels move stack input
        context list token h lc rc lc2 rc2 ls rs left right moves split FORM HEAD XPOS Case 0 1 2 3 4 15 16 99 100
        ( ) [ ] , & + - # : [moves] [labels] [split]""",
    )
)
STRANGE = (
    None,
    True,
    False,
    -1,
    0,
    1,
    2,
    1e300,
    float("nan"),
    float("inf"),
    "",
    "_",
    "\ud800",
    "a\tb\nc",
    [],
    {},
    [1],
    [[0, 0]],
    "first",
    "last",
    "split",
    "head+path",
)
_TOKEN = re.compile(rb"[\w.:+-]+|[^\s\w]")


def change_bytes(rng: random.Random, seeds: list[bytes], data: bytes) -> bytes:
    """Insert, delete, replace or repeat some bytes, or go on with another file."""
    at, end = sorted((rng.randrange(len(data) + 1), rng.randrange(len(data) + 1)))
    end = min(end, at + rng.choice((1, 2, 8, 100)))
    kind = rng.randrange(7)
    if kind == 0:
        return data[:at] + rng.choice(PIECES) + data[at:]
    if kind == 1:
        return data[:at] + data[end:]
    if kind == 2:
        return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
    if kind == 3:
        return data[:end] + data[at:end] * rng.choice((1, 1, 2, 20)) + data[end:]
    if kind == 4:
        return data[:at]
    if kind == 5:
        return data[:at] + rng.choice(PIECES) + data[end:]
    other = rng.choice(seeds)
    return data[:at] + other[rng.randrange(len(other) + 1) :]


def change_lines(rng: random.Random, seeds: list[bytes], data: bytes) -> bytes:
    """Delete, repeat, swap, blank or borrow a line."""
    lines = data.split(b"\n")
    at, to = rng.randrange(len(lines)), rng.randrange(len(lines))
    kind = rng.randrange(6)
    if kind == 0:
        del lines[at]
    elif kind == 1:
        lines[at:at] = [lines[at]] * rng.choice((1, 1, 3))
    elif kind == 2:
        lines[at], lines[to] = lines[to], lines[at]
    elif kind == 3:
        lines.insert(at, rng.choice((b"", b" ", b"\t", b"\r", b"#", b"# a = b")))
    elif kind == 4:
        lines.insert(at, rng.choice(rng.choice(seeds).split(b"\n")))
    else:
        lines = [line for line in lines if line] + [b""] * rng.randrange(3)
    return b"\n".join(lines)


def change_fields(rng: random.Random, seeds: list[bytes], data: bytes) -> bytes:
    """Change the columns of one line, or one column of all lines."""
    lines = data.split(b"\n")
    rows = [number for number, line in enumerate(lines) if b"\t" in line]
    if not rows:
        return change_tokens(rng, seeds, data)
    row = rng.choice(rows)
    fields = lines[row].split(b"\t")
    at, to = rng.randrange(len(fields)), rng.randrange(len(fields))
    if rng.random() < 0.4:
        at = rng.choice((0, len(fields) // 2, max(0, len(fields) - 4)))  # often ID or HEAD
    kind = rng.randrange(8)
    if kind == 0:
        fields[at], fields[to] = fields[to], fields[at]
    elif kind == 1:
        del fields[at]
    elif kind == 2:
        fields.insert(at, rng.choice(VALUES).encode())
    elif kind == 3:
        other = lines[rng.choice(rows)].split(b"\t")
        fields[at] = other[min(at, len(other) - 1)]
    elif kind == 4 and fields[at].isdigit() and len(fields[at]) < 20:
        fields[at] = str(int(fields[at]) + rng.choice((-1, 1, 2, 10))).encode()
    elif kind == 5:
        for number in rows:
            lines[number] = b"\t".join(lines[number].split(b"\t")[: at + 1])
        return b"\n".join(lines)
    else:
        fields[at] = rng.choice(VALUES).encode()
    lines[row] = b"\t".join(fields)
    return b"\n".join(lines)


def change_tokens(rng: random.Random, seeds: list[bytes], data: bytes) -> bytes:
    """Replace, swap or delete things that look like words, numbers or signs: XML, JSON, feature models."""
    one, other = found_near(rng, _TOKEN, data), found_near(rng, _TOKEN, data)
    if one is None or other is None:
        return change_bytes(rng, seeds, data)
    kind = rng.randrange(5)
    new = rng.choice(VALUES).encode() if kind == 0 else b"" if kind == 1 else other.group()
    if kind >= 3:
        new = rng.choice(WORDS).encode()
    return data[: one.start()] + new + data[one.end() :]


def found_near(rng: random.Random, what: re.Pattern[bytes], data: bytes) -> re.Match[bytes] | None:
    """Return the first match behind a random place; looking for all of them would take most of the time."""
    return what.search(data, rng.randrange(len(data) + 1)) or what.search(data)


def several(rng: random.Random, seeds: list[bytes], data: bytes, changes: tuple[Mutator, ...]) -> bytes:
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 5, 8))):
        data = rng.choice(changes)(rng, seeds, data)[:LONGEST]
    return data


def mutate_treebank(rng: random.Random, seeds: list[bytes], data: bytes) -> bytes:
    """Change a treebank; its first three bytes say how it is read (see ``Reader``)."""
    options, text = bytearray(data[:3].ljust(3, b"\0")), data[3:]
    for place, chance in enumerate((0.05, 0.5, 0.5)):
        if rng.random() < chance:
            options[place] = rng.randrange(256)
    bodies = [seed[3:] for seed in seeds]
    changes = (change_bytes, change_lines, change_fields, change_fields, change_tokens)
    return bytes(options) + several(rng, bodies, text, changes)


def mutate_pair(rng: random.Random, seeds: list[bytes], data: bytes) -> bytes:
    """Change one side of a pair, sometimes both."""
    options = rng.randbytes(1) if rng.random() < 0.3 or not data else data[:1]
    gold, _, system = data[1:].partition(BETWEEN)
    bodies = [seed[1:].partition(BETWEEN)[0] for seed in seeds]
    changes = (change_fields, change_fields, change_lines, change_bytes)
    side = rng.randrange(3)
    if side != 1:
        gold = several(rng, bodies, gold, changes)
    if side != 0:
        system = several(rng, bodies, system, changes)
    return options + gold + BETWEEN + system


def mutate_features(rng: random.Random, seeds: list[bytes], data: bytes) -> bytes:
    """Change a feature model."""
    return several(rng, seeds, data, (change_tokens, change_tokens, change_tokens, change_lines, change_bytes))


def change_json(rng: random.Random, node: object) -> None:
    """Walk to some value and replace, delete, repeat or swap it."""
    while True:
        keys = list(node) if isinstance(node, dict) else list(range(len(node))) if isinstance(node, list) else []
        if not keys:
            return
        key = rng.choice(keys)
        if isinstance(node[key], (dict, list)) and node[key] and rng.random() < 0.85:  # type: ignore[index]
            node = node[key]  # type: ignore[index]
            continue
        kind, old = rng.randrange(6), node[key]  # type: ignore[index]
        if kind == 0:
            del node[key]  # type: ignore[attr-defined]
        elif kind == 1 and isinstance(node, list):
            node.insert(key, old)
        elif kind == 2:
            other = rng.choice(keys)
            node[key], node[other] = node[other], old  # type: ignore[index]
        elif kind == 3 and isinstance(old, (int, float)):
            node[key] = old + rng.choice((-1, 1, 2, 0.5, 256, 1 << 16, 1 << 31, 1 << 63))  # type: ignore[index]
        else:
            node[key] = copy.deepcopy(rng.choice((*STRANGE, rng.choice(VALUES))))  # type: ignore[index]
        return
