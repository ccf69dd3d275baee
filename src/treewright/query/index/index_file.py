"""The file of an index: which parts a treebank file has, and in which of them a value occurs.

A line that says what it is, a line of JSON, then arrays: where each part begins and at which line, and segments of
keys (hashes of a column and a value), sorted, with the numbers of the parts that have them. A look-up reads a few pages
of a mapped file, however long it is.
"""

from __future__ import annotations

import json
import mmap
import os
import struct
import warnings
from bisect import bisect_left
from collections.abc import Iterable
from typing import Any

from treewright.errors import TreebankError, TreewrightWarning
from treewright.query.index.collecting import Collector, key_of_value
from treewright.treebank.files.output import OutputFile
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.source import open_input

ENDING = ".twx"
MAGIC = b"treewright index 1\n"
PART_BYTES = 1 << 16
#: values in parts that are sorted at once, 16 bytes each: memory stays flat
SEGMENT = 1 << 22
FORMATS = ("conllu",)


def index_path(path: str) -> str:
    """Return where the index of a file is: beside it."""
    return path + ENDING


def build_index(path: str) -> dict[str, int]:
    """Write the index of a file; return how many words and parts it has."""
    told = _state(path)
    with open(path, "rb") as file:
        stream = open_input(file)
        is_plain = type(getattr(stream, "_raw", None)) is type(file)
    if not is_plain:
        raise TreebankError("is compressed, and an index needs to jump", source=path, remedy="Unpack it first.")
    collector = Collector()
    parts: list[bytes] = []
    segments: list[tuple[bytes, bytes, bytes]] = []
    offset = words = 0
    for block in read_blocks(path, block_bytes=PART_BYTES):
        if block.layout.name not in FORMATS:
            raise TreebankError(
                f"the format {block.layout.name} has no index", source=path, remedy="Convert it to CoNLL-U first."
            )
        collector.add(block, len(parts))
        parts.append(struct.pack("=QQ", offset, block.first_line))
        offset, words = offset + len(block.data), words + block.n_words
        if len(collector) >= SEGMENT:
            segments.append(collector.taken())
    segments.append(collector.taken())
    header = {**told, "words": words, "parts": len(parts), "segments": [list(map(len, each)) for each in segments]}
    if _state(path) != told:
        raise TreebankError("has changed while it was read", source=path, remedy="Index it again.")
    with OutputFile(index_path(path)) as output:
        text = MAGIC + json.dumps(header).encode() + b"\n"
        output.write(text + b" " * (-len(text) % 8))
        output.write(b"".join(parts))
        for segment in segments:
            for array in segment:
                output.write(array + bytes(-len(array) % 8))
    return {"words": words, "parts": len(parts)}


def _state(path: str) -> dict[str, int]:
    """Return what changes with a file."""
    try:
        found = os.stat(path)
    except OSError as error:
        raise TreebankError(f"cannot be read ({error.strerror})", source=path, remedy="Check the path.") from None
    return {"size": found.st_size, "mtime_ns": found.st_mtime_ns}


class IndexFile:
    """An index that is read by need."""

    def __init__(self, path: str) -> None:
        with open(path, "rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        self.header: dict[str, Any] = {}
        if self._map[: len(MAGIC)] != MAGIC:
            raise ValueError("not an index")
        end = self._map.find(b"\n", len(MAGIC)) + 1
        self.header = json.loads(self._map[len(MAGIC) : end])
        at = end + -end % 8
        view = memoryview(self._map)
        n = int(self.header["parts"])
        self._parts = view[at : at + 16 * n].cast("Q")
        at += 16 * n
        self._segments = []
        for sizes in self.header["segments"]:
            arrays = []
            for size in sizes:
                arrays.append(view[at : at + size])
                at += size + -size % 8
            self._segments.append((arrays[0].cast("Q"), arrays[1].cast("I"), arrays[2].cast("I")))
        if at > len(self._map):
            raise ValueError("the index is cut off")

    @property
    def n_parts(self) -> int:
        """How many parts the file has."""
        return len(self._parts) // 2

    def part(self, number: int) -> tuple[int, int, int]:
        """Return where a part begins and ends, and the number of its first line."""
        last = number + 1 == self.n_parts
        end = int(self.header["size"]) if last else self._parts[2 * number + 2]
        return self._parts[2 * number], end, self._parts[2 * number + 1]

    def parts_with(self, column: int, values: Iterable[str]) -> set[int]:
        """Return the parts that have one of some values in a column, and perhaps others."""
        found: set[int] = set()
        for value in values:
            key = key_of_value(column, value.encode("utf-8", "surrogateescape"))
            for keys, starts, parts in self._segments:
                at = bisect_left(keys, key)
                if at < len(keys) and keys[at] == key:
                    found.update(parts[starts[at] : starts[at + 1]])
        return found


def index_of(path: str) -> IndexFile | None:
    """Return the index of a file, if it has one that still fits."""
    if not os.path.isfile(index_path(path)):
        return None
    try:
        index = IndexFile(index_path(path))
        fits = {name: index.header[name] for name in ("size", "mtime_ns")} == _state(path)
    except (OSError, ValueError, KeyError, TypeError, IndexError):
        warnings.warn(
            f"{index_path(path)}: is damaged, and not used. Write it again: treewright index {path}",
            TreewrightWarning,
            stacklevel=3,
        )
        return None
    if not fits:
        warnings.warn(
            f"{path}: has changed since it was indexed, so all of it is read. Index it again: treewright index {path}",
            TreewrightWarning,
            stacklevel=3,
        )
        return None
    return index
