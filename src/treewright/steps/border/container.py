"""The file around header and arrays: safetensors, with a digest.

The whole file is read before anything is believed: a file that is replaced or cut off later disturbs no parser. The
digest tells damage (a download that broke off, a faulty disk) from a file that was made wrong on purpose: it is no
signature, and whoever changes a file can compute it again.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import sys
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from treewright.errors import ModelFileError, TreewrightError
from treewright.steps.border.schema import Check, damaged, list_of, map_of, one_of, require, row, table, text, whole

FORMAT, PACKED_FORMAT = 1, 2  # without and with packed arrays, which earlier versions cannot read
KEY, DIGEST = "treewright", "treewright.digest"
PACKED = "treewright.packed"  # in the metadata: array → its type, and its length in bytes
SIZES = {"U8": 1, "I8": 1, "U16": 2, "I16": 2, "U32": 4, "I32": 4, "F32": 4, "U64": 8, "I64": 8, "F64": 8}
MOST_HEADER = 32 << 20  # bytes
MOST_VALUES = 2_000_000  # of a header: JSON turns each into an object of 50 bytes or more
MOST_FILE = 16 << 30  # bytes
MOST_ARRAYS = 10_000
LARGEST = 1 << 48
RETRY = "Copy or download it again"

_entry: Check = table(
    {
        "dtype": one_of(*SIZES),
        "shape": list_of(whole(0, LARGEST), most=8),
        "data_offsets": row(whole(0, LARGEST), whole(0, LARGEST)),
    }
)
_entries = map_of(_entry, text(1000), MOST_ARRAYS)
_metadata = table({KEY: text(MOST_HEADER)}, {DIGEST: text(1000), PACKED: text(MOST_HEADER)})


class Contents(NamedTuple):
    """What a model file holds: settings, and arrays as bytes."""

    header: dict[str, Any]
    arrays: dict[str, memoryview]


def read_model(path: str | os.PathLike[str]) -> Contents:
    """Read a model file; check the file and its digest, and that this version knows its format."""
    if sys.byteorder != "little":
        raise byte_order_error()
    name = os.fspath(path)
    data = read_whole(name)
    try:
        return unpack(data)
    except ModelFileError as error:
        raise ModelFileError(f"{name}: {error}") from None


def byte_order_error() -> TreewrightError:
    """Return what to say on computers whose numbers begin with the highest byte."""
    return TreewrightError(
        "models work on computers that write the lowest byte of a number first (x86-64, ARM, RISC-V), and this one"
        " writes the highest byte first: they are neither read nor written here. Treebanks can be read and evaluated"
    )


def read_whole(name: str) -> memoryview:
    """Return the bytes of a file that can be a model; reject devices, and files that are too short or too large."""
    try:
        with open(name, "rb", buffering=0) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise ModelFileError(f"{name}: not a file but a device or a pipe. Give the file of a model")
            if status.st_size < 8:
                size = "empty" if not status.st_size else "too short"
                raise ModelFileError(f"{name}: not a treewright model: the file is {size}")
            if status.st_size > MOST_FILE:
                raise ModelFileError(f"{name}: not a treewright model: it is larger than {MOST_FILE >> 30} GB")
            head = file.read(9)
            length = int.from_bytes(head[:8], "little")
            if not 2 <= length <= status.st_size - 8 or head[8:] != b"{":
                raise ModelFileError(
                    f"{name}: not a treewright model, or cut off. Models are made by `treewright train`"
                )
            file.seek(0)
            return _filled(file, status.st_size, name)
    except IsADirectoryError:
        raise ModelFileError(f"{name} is a directory. Give the file that `treewright train -o` wrote") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        remedy = "Check the path; `treewright train` makes models, and `treewright models` lists those installed"
        raise ModelFileError(f"{name}: the model cannot be read: {reason}. {remedy}") from None


def _filled(file: Any, size: int, name: str) -> memoryview:
    """Return the first ``size`` bytes of a file in memory of their own."""
    data = memoryview(bytearray(size))
    done = 0
    while done < size:
        more = file.readinto(data[done:])
        if not more:
            raise ModelFileError(f"{name}: the model was cut off while it was read. {RETRY}")
        done += more
    return data.toreadonly()


def unpack(data: memoryview) -> Contents:
    """Return what the bytes of a model file hold; check all but what header and arrays mean."""
    metadata, entries, length = _listed(data)
    body = data[8 + length :]
    _check_places(entries, len(body))
    header = parsed(metadata[KEY].encode("utf-8", "surrogatepass"), "the header")
    if not isinstance(header, dict):
        raise damaged("the header", "is not a table")
    version = header.get("format")
    if version not in (FORMAT, PACKED_FORMAT) or isinstance(version, bool):
        raise ModelFileError(
            f"a model of format {str(version)[:20]}, and this treewright reads formats {FORMAT} and {PACKED_FORMAT}."
            " Train it again, or use the version that made it"
        )
    if DIGEST in metadata and metadata[DIGEST] != digest(metadata[KEY] + metadata.get(PACKED, ""), entries, [body]):
        raise ModelFileError(f"the file is damaged: its contents do not match its digest. {RETRY}")
    _check_text(metadata[KEY], header)
    arrays = {}
    for name, entry in entries.items():
        start, end = entry["data_offsets"]
        arrays[name] = body[start:end]
    if PACKED in metadata:
        from treewright.steps.border.packing import unpacked_arrays

        lengths = parsed(metadata[PACKED].encode("utf-8", "surrogatepass"), "the list of packed arrays")
        unpacked_arrays(arrays, lengths, len(data), SIZES)
    return Contents(header, arrays)


def has_digest(data: memoryview) -> bool:
    """Return whether a model file has a digest; those of early versions have none."""
    return DIGEST in _listed(data)[0]


def _listed(data: memoryview) -> tuple[dict[str, str], dict[str, Any], int]:
    """Return the metadata, the list of arrays, and the length of both in the file."""
    length = int.from_bytes(data[:8], "little")
    if not 2 <= length <= len(data) - 8:
        raise ModelFileError("not a treewright model, or cut off")
    entries = parsed(bytes(data[8 : 8 + length]), "the list of arrays")
    if not isinstance(entries, dict):
        raise ModelFileError("not a treewright model")
    metadata = entries.pop("__metadata__", None)
    if not isinstance(metadata, dict) or KEY not in metadata:
        raise ModelFileError("not a treewright model: a file of another program in the same format")
    require(_metadata, metadata, "the list of arrays")
    require(_entries, entries, "the list of arrays")
    return metadata, entries, length


def parsed(packed: bytes, what: str) -> object:
    """Return what JSON says, within limits of memory and time."""
    # Every value of a list or table has a comma, a colon or a bracket beside it.
    values = sum(map(packed.count, (b",", b":", b"[", b"{")))
    if len(packed) > MOST_HEADER or values > MOST_VALUES:
        raise damaged(what, f"has more than {MOST_HEADER >> 20} MB or {MOST_VALUES:,} values")
    try:
        return json.loads(packed.decode("utf-8"))
    except (ValueError, RecursionError) as error:
        raise damaged(what, f"cannot be read ({str(error)[:80] or type(error).__name__})") from None


def digest(header: str, entries: Mapping[str, Any], body: Iterable[memoryview | bytes]) -> str:
    """Return the digest of a model file: of its header, of the list of arrays, and of their bytes."""
    sums = hashlib.sha256()
    listed = []
    for name, entry in sorted(entries.items()):
        listed.append((name, entry["dtype"], entry["shape"], entry["data_offsets"]))
    sums.update(json.dumps([header, listed]).encode())
    for piece in body:
        sums.update(piece)
    return f"sha256:{sums.hexdigest()}"


def _check_places(entries: Mapping[str, Any], size: int) -> None:
    """Reject arrays of the wrong length, outside the file, or overlapping."""
    places = []
    for name, entry in entries.items():
        start, end = entry["data_offsets"]
        length = SIZES[entry["dtype"]]
        for side in entry["shape"]:
            length = min(length * side, LARGEST)
        if not 0 <= start <= end <= size:
            raise damaged(f"the array {name!r}", "lies outside of the file: cut off?")
        if end - start != length:
            raise damaged(f"the array {name!r}", "is not as long as it says")
        if length:
            places.append((start, end))
    last = 0
    for start, end in sorted(places):
        if start < last:
            raise damaged("an array", "lies on another one")
        last = end


def _check_text(packed: str, header: object) -> None:
    """Reject halves of surrogate pairs, which JSON can escape and no output can hold."""
    try:
        packed.encode()
        if "\\u" in packed:
            json.dumps(header, ensure_ascii=False).encode()
    except (UnicodeEncodeError, RecursionError):
        raise damaged("the header", "has characters that are not valid in UTF-8") from None
