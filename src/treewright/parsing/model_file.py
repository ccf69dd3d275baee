"""Models on disk: one safetensors file, arrays that are mapped, settings in its header.

Nothing in it is executed, nothing is trusted: a damaged or foreign file gets a clear error. The same model gives
the same bytes. The format is simple enough to be read and written here, which keeps start-up free of numpy; the tests
compare with the safetensors library.
"""

from __future__ import annotations

import json
import math
import mmap
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from treewright.errors import ModelFileError

if TYPE_CHECKING:
    from array import array

ArrayData: TypeAlias = "bytes | bytearray | memoryview | array[int] | array[float]"
FORMAT = 1
KEY = "treewright"
MAX_HEADER = 100 << 20
_SIZES = {"U8": 1, "I8": 1, "U16": 2, "I16": 2, "U32": 4, "I32": 4, "F32": 4, "U64": 8, "I64": 8, "F64": 8}


class ModelFile(NamedTuple):
    """What a model file holds: settings, and arrays as mapped bytes."""

    header: dict[str, Any]
    arrays: dict[str, memoryview]


def write_model(
    path: str | os.PathLike[str], header: Mapping[str, Any], arrays: Mapping[str, tuple[str, ArrayData]]
) -> None:
    """Write a model; the file appears whole or not at all. ``arrays``: name → (dtype, buffer)."""
    from treewright.treebank.output import open_output

    text = json.dumps({"format": FORMAT, **header}, ensure_ascii=False, sort_keys=True)
    entries: dict[str, Any] = {"__metadata__": {KEY: text}}
    views = []
    end = 0
    # The widest numbers first, as the safetensors library lays them out: all stay aligned.
    for name, (dtype, buffer) in sorted(arrays.items(), key=lambda item: (-_SIZES[item[1][0]], item[0])):
        view = memoryview(buffer).cast("B") if len(buffer) else memoryview(b"")
        start, end = end, end + len(view)
        entries[name] = {"dtype": dtype, "shape": [len(view) // _SIZES[dtype]], "data_offsets": [start, end]}
        views.append(view)
    packed = json.dumps(entries, ensure_ascii=False, separators=(",", ":")).encode()
    packed += b" " * (-len(packed) % 8)
    with open_output(path) as output:
        output.write(len(packed).to_bytes(8, "little") + packed)
        for view in views:
            output.write(bytes(view))


def read_model(path: str | os.PathLike[str]) -> ModelFile:
    """Map a model file and check its shape."""
    name = os.fspath(path)
    try:
        with open(name, "rb") as file:
            size = os.fstat(file.fileno()).st_size
            if size < 8:
                found = "empty" if not size else "too short"
                raise ModelFileError(f"{name}: not a treewright model: the file is {found}")
            mapped = memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))
    except IsADirectoryError:
        raise ModelFileError(f"{name} is a directory. Give the file that `treewright train -o` wrote") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        remedy = "Check the path; `treewright train` makes models, and `treewright models` lists those installed"
        raise ModelFileError(f"{name}: the model cannot be read: {reason}. {remedy}") from None
    return _unpack(name, mapped)


def _unpack(name: str, mapped: memoryview) -> ModelFile:
    length = int.from_bytes(mapped[:8], "little")
    if not 2 <= length <= min(len(mapped) - 8, MAX_HEADER) or bytes(mapped[8:9]) != b"{":
        raise ModelFileError(f"{name}: not a treewright model, or cut off. Models are made by `treewright train`")
    try:
        tensors = json.loads(bytes(mapped[8 : 8 + length]).decode("utf-8"))
        metadata = tensors.pop("__metadata__", {})
        text = metadata[KEY]
        header = json.loads(text)
        _check_text(text, header)
        arrays = {key: _slice(mapped[8 + length :], entry) for key, entry in tensors.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ModelFileError(f"{name}: not a treewright model, or damaged ({_brief(error)})") from None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        found = header.get("format") if isinstance(header, dict) else None
        raise ModelFileError(
            f"{name}: a model of format {found}, and this treewright reads format {FORMAT}."
            " Train it again, or use the version that made it"
        )
    return ModelFile(header, arrays)


def _check_text(text: str, header: object) -> None:
    """Refuse halves of surrogate pairs, which JSON can escape and no output can hold."""
    text.encode()
    if "\\u" in text:
        json.dumps(header, ensure_ascii=False).encode()


def _slice(data: memoryview, entry: dict[str, Any]) -> memoryview:
    start, end = entry["data_offsets"]
    size = math.prod(entry["shape"]) * _SIZES[entry["dtype"]]
    if not (isinstance(start, int) and isinstance(end, int) and 0 <= start <= end <= len(data)):
        raise ValueError("an array lies outside of the file: cut off?")
    if end - start != size:
        raise ValueError("an array is not as long as it says")
    return data[start:end]


def _brief(error: Exception) -> str:
    return str(error)[:80] or type(error).__name__
