"""Parsers in other processes: pickled by path where the model was loaded from a file, else with all their weights.

A path makes a pickle of a few hundred bytes, and every process maps the same file. The file must be there and be the
same: its size, its beginning and its end are compared. A model of the package itself is named relative to it.
"""

from __future__ import annotations

import json
import os
from collections import OrderedDict
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from treewright.errors import ModelFileError

if TYPE_CHECKING:
    from treewright.steps.parser import Parser

KEPT = 2  # models that a process keeps, as it may get the same one with every task
COMPARED = 1 << 19  # bytes of the beginning and of the end that a fingerprint reads
PACKAGE = Path(__file__).parents[1]
IN_PACKAGE = "treewright:"

_kept: OrderedDict[tuple[str, str], Parser] = OrderedDict()
_alive: WeakValueDictionary[tuple[str, str], Parser] = WeakValueDictionary()  # that were pickled in this process


@dataclass(frozen=True)
class Origin:
    """The file that a parser was loaded from, and what it looked like then."""

    path: str
    state: tuple[int, int, int]

    @classmethod
    def of(cls, path: str | os.PathLike[str]) -> Origin:
        """Return the origin of a model that has just been loaded."""
        name = os.path.abspath(path)
        return cls(name, _state(name))

    @property
    def unchanged(self) -> bool:
        """Whether the file is still the one that was loaded."""
        return _state(self.path) == self.state

    @property
    def shown(self) -> str:
        """The path as pickles keep it."""
        path = Path(self.path)
        return f"{IN_PACKAGE}{path.relative_to(PACKAGE).as_posix()}" if path.is_relative_to(PACKAGE) else self.path


def _state(path: str) -> tuple[int, int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return 0, 0, 0
    return found.st_size, found.st_mtime_ns, found.st_ino


def fingerprint(path: str) -> str:
    """Return the size of a file with a hash of its beginning and its end."""
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        digest = blake2b(file.read(COMPARED), digest_size=12)
        file.seek(max(0, size - COMPARED))
        digest.update(file.read())
    return f"{size}-{digest.hexdigest()}"


def reduced(parser: Parser) -> tuple[object, tuple[object, ...]]:
    """Return what a pickle keeps of a parser: where its model is, or all of it."""
    origin = parser.origin
    if origin is not None and origin.unchanged:
        key = (origin.shown, fingerprint(origin.path))
        _alive.setdefault(key, parser)
        return parser_at, key
    return parser_from, _packed(parser)


def _packed(parser: Parser) -> tuple[str, dict[str, bytes]]:
    header, arrays = parser.to_file()
    packed = {name: bytes(memoryview(values)) for name, (_, values) in arrays.items()}
    return json.dumps(header, ensure_ascii=False), packed


def copied(parser: Parser) -> Parser:
    """Return another parser that shares nothing with this one but the mapped file."""
    from treewright.steps.loading import load_parser

    if parser.origin is not None and parser.origin.unchanged:
        return load_parser(parser.origin.path)
    return parser_from(*_packed(parser))


def parser_at(shown: str, expected: str) -> Parser:
    """Return the parser of a model file; the same object for every task that a process gets: it never changes."""
    key = (shown, expected)
    if (alive := _alive.get(key)) is not None:
        return alive
    if key not in _kept:
        _kept[key] = _loaded(shown, expected)
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    _kept.move_to_end(key)
    return _kept[key]


def _loaded(shown: str, expected: str) -> Parser:
    from treewright.steps.loading import load_parser

    path = str(PACKAGE / shown.removeprefix(IN_PACKAGE)) if shown.startswith(IN_PACKAGE) else shown
    try:
        found = fingerprint(path)
    except OSError as error:
        raise ModelFileError(
            f"{path}: the model was pickled by its path, and cannot be read here: {error.strerror}. Copy the file to"
            " the same path on this machine"
        ) from None
    if found != expected:
        raise ModelFileError(
            f"{path}: the model was pickled by its path, and another model is there now. Load it and pickle it again"
        )
    return load_parser(path)


def parser_from(header: str, packed: dict[str, bytes]) -> Parser:
    """Return the parser that was pickled with all its weights."""
    from treewright.steps.loading import part_of

    return part_of(json.loads(header), {name: memoryview(values).cast("B") for name, values in packed.items()})
