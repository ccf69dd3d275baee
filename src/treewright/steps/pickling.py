"""Parsers in other processes: pickled by path where the model was loaded from a file, else with all their weights.

A path makes a pickle of a few hundred bytes, and every process maps the same file. The file must be there and be the
same: its size, its beginning and its end are compared. A bundled model is named.
"""

from __future__ import annotations

import json
import os
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from treewright.errors import ModelFileError
from treewright.steps.named_models import FOLDER

if TYPE_CHECKING:
    from treewright.steps.step import Step

KEPT = 2  # models that a process keeps, as it may get the same one with every task
COMPARED = 1 << 19  # bytes of the beginning and of the end that a fingerprint reads
BY_NAME = "treewright:"

_alive: WeakValueDictionary[tuple[str, str], Step] = WeakValueDictionary()  # that were pickled in this process


def shown_path(path: str) -> str:
    """Return the path of a model as pickles keep it."""
    place = Path(path)
    return f"{BY_NAME}{place.stem}" if place.parent == Path(FOLDER) else path


def fingerprint(path: str) -> str:
    """Return the size of a file with a hash of its beginning and its end."""
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        digest = blake2b(file.read(COMPARED), digest_size=12)
        file.seek(max(0, size - COMPARED))
        digest.update(file.read())
    return f"{size}-{digest.hexdigest()}"


def reduced(step: Step) -> tuple[object, tuple[object, ...]]:
    """Return what a pickle keeps of a step: where its model is, or all of it."""
    origin = step.origin
    if origin is not None and origin.unchanged:
        key = (shown_path(origin.path), fingerprint(origin.path))
        _alive.setdefault(key, step)
        return step_at, key
    return step_from, _packed(step)


def _packed(step: Step) -> tuple[str, dict[str, bytes]]:
    header, arrays = step.to_file()
    packed = {name: bytes(memoryview(values)) for name, (_, values) in arrays.items()}
    return json.dumps(header, ensure_ascii=False), packed


def copied(step: Step) -> Step:
    """Return another step that shares nothing with this one but the mapped file."""
    from treewright.steps.loading import load_step

    if step.origin is not None and step.origin.unchanged:
        return load_step(step.origin.path)
    return step_from(*_packed(step))


def step_at(shown: str, expected: str) -> Step:
    """Return the step of a model file; the same object for every task that a process gets: it never changes."""
    alive = _alive.get((shown, expected))
    return _kept(shown, expected) if alive is None else alive


@lru_cache(KEPT)
def _kept(shown: str, expected: str) -> Step:
    return _loaded(shown, expected)


def _loaded(shown: str, expected: str) -> Step:
    from treewright.steps.loading import load_step

    path = os.path.join(FOLDER, f"{shown.removeprefix(BY_NAME)}.tw") if shown.startswith(BY_NAME) else shown
    try:
        mark = fingerprint(path)
    except OSError as error:
        raise ModelFileError(
            f"{path}: the model was pickled by its path, and cannot be read here: {error.strerror}. Copy the file to"
            " the same path on this machine"
        ) from None
    if mark != expected:
        raise ModelFileError(
            f"{path}: the model was pickled by its path, and another model is there now. Load it and pickle it again"
        )
    return load_step(path)


def step_from(header: str, packed: dict[str, bytes]) -> Step:
    """Return the step that was pickled with all its weights."""
    from treewright.steps.loading import step_of

    return step_of(json.loads(header), {name: memoryview(values).cast("B") for name, values in packed.items()})
