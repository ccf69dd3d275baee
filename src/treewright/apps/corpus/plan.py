"""The plan of a corpus: a file of JSON lines that says what the parts are.

The first line is the header: what the inputs are taken for. Then comes one line for each part: where it is, its
checksum, and the counters at its start. The last line counts the parts, so that a truncated plan is noticed.
A plan is read line by line: memory does not grow with the number of parts.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, fields
from typing import Any

from treewright.apps.corpus.storage import open_bytes
from treewright.errors import TreewrightError

VERSION = 1
#: what a part is read as
TEXT, TREEBANK, JSON_LINES, PARQUET = "text", "treebank", "jsonl", "parquet"
KINDS = (TEXT, TREEBANK, JSON_LINES, PARQUET)


class PlanError(TreewrightError):
    """A plan cannot be used; the message names file and line."""

    def __init__(self, path: str, line: int, problem: str, remedy: str = "Make it again with `treewright corpus plan`"):
        place = f"{path}:{line}" if line else path
        super().__init__(f"{place}: {problem}. {remedy}")


@dataclass(frozen=True)
class Header:
    """What holds for all parts of a plan."""

    layout: str = "raw"  # of text: raw, presegmented, horizontal, vertical
    newlines: str = "auto"  # of raw text
    id_prefix: str = ""
    text_field: str = "text"  # of JSON Lines and Parquet
    id_field: str = ""
    numbered_by: str = ""  # the digest of the model that counted the sentences of texts; "": they are not counted


@dataclass(frozen=True)
class Part:
    """A piece of work: bytes ``start`` to ``end`` of a file, or these groups of rows of a Parquet file."""

    number: int
    file: str
    kind: str
    start: int
    end: int
    size: int  # of the whole file
    sha256: str  # of the bytes from start to end
    format: str = ""  # of a treebank
    document: str = ""  # the name of the text; of a treebank, the document that the first sentence belongs to
    lines: int = 0  # before the part, in its file
    characters: int = 0
    rows: int = 0
    first_group: int = 0  # of a Parquet file
    end_group: int = 0
    goes_on: bool = False  # sentences of the same text came before
    new_paragraph: bool = True
    sentences: int | None = None  # in all parts before this one; None: not known yet

    @property
    def is_whole(self) -> bool:
        """Whether the part is all of its file."""
        return self.start == 0 and self.end == self.size

    @property
    def is_text(self) -> bool:
        """Whether sentences are found here, so that they get their numbers from us."""
        return self.kind != TREEBANK

    def line(self) -> str:
        """Return the part as a line of the plan, without values that are defaults."""
        values = {each.name: getattr(self, each.name) for each in fields(self)}
        usual = {each.name: each.default for each in fields(self)}
        kept = {name: value for name, value in values.items() if value != usual[name]}
        return json.dumps(kept, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True)
class CorpusPlan:
    """A plan that was read once and found complete; ``parts`` reads them again, one by one."""

    path: str
    header: Header
    n_parts: int
    n_bytes: int
    digest: str

    @classmethod
    def open(cls, path: str) -> CorpusPlan:
        """Read a plan through and check it."""
        digest, n_parts, n_bytes, end = hashlib.sha256(), 0, 0, None
        header = Header()
        for number, line in _lines(path):
            digest.update(line)
            if number == 1:
                header = _header(path, line)
            elif end is not None:
                raise PlanError(path, number, "there is something after the end of the plan")
            elif line.startswith(b'{"end"'):
                end = _json(path, number, line).get("end")
            else:
                part = _part(path, number, line)
                if part.number != n_parts:
                    raise PlanError(path, number, f"part {n_parts} should be here, and this is part {part.number}")
                n_parts += 1
                n_bytes += part.end - part.start
        if end != n_parts:
            raise PlanError(path, 0, "the plan is not complete: its last line is missing")
        return cls(path, header, n_parts, n_bytes, digest.hexdigest())

    def parts(self) -> Iterator[Part]:
        """Yield the parts in order."""
        for number, line in _lines(self.path):
            if number > 1 and not line.startswith(b'{"end"'):
                yield _part(self.path, number, line)


def header_line(header: Header) -> str:
    """Return the first line of a plan."""
    from treewright import __version__

    values = {"treewright_plan": VERSION, "treewright": __version__, **asdict(header)}
    return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


def end_line(n_parts: int) -> str:
    """Return the last line of a plan."""
    return json.dumps({"end": n_parts}, separators=(",", ":"))


def _lines(path: str) -> Iterator[tuple[int, bytes]]:
    with open_bytes(path) as file:
        yield from enumerate(file, 1)


def _json(path: str, number: int, line: bytes) -> dict[str, Any]:
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        raise PlanError(path, number, "this is no plan: the line is not JSON") from None
    if not isinstance(values, dict):
        raise PlanError(path, number, "this is no plan: the line is no JSON object")
    return values


def _header(path: str, line: bytes) -> Header:
    values = _json(path, 1, line)
    version = values.pop("treewright_plan", None)
    values.pop("treewright", None)
    if version is None:
        raise PlanError(path, 1, "this is no plan")
    if version != VERSION:
        raise PlanError(path, 1, f"the plan is of version {version}, and this treewright knows {VERSION}")
    _check_types(path, 1, values, Header)
    return Header(**values)


def _part(path: str, number: int, line: bytes) -> Part:
    values = _json(path, number, line)
    _check_types(path, number, values, Part)
    try:
        part = Part(**values)
    except TypeError:
        raise PlanError(path, number, "the part lacks something") from None
    if part.kind not in KINDS or not 0 <= part.start <= part.end <= part.size or part.first_group > part.end_group:
        raise PlanError(path, number, "the part has a kind or a range that cannot be")
    return part


_TYPES: dict[str, tuple[type, ...]] = {"str": (str,), "int": (int,), "bool": (bool,), "int | None": (int, type(None))}


def _check_types(path: str, number: int, values: dict[str, Any], kind: type) -> None:
    """Reject unknown names and values of another type: a plan may have been edited."""
    declared = {each.name: str(each.type) for each in fields(kind)}
    for name, value in values.items():
        if name not in declared:
            raise PlanError(path, number, f"{name!r} is not known here")
        right = isinstance(value, _TYPES[declared[name]]) and (declared[name] == "bool" or not isinstance(value, bool))
        if not right or (isinstance(value, int) and value < 0):
            raise PlanError(path, number, f"{name} has the value {value!r:.40}, which cannot be")
