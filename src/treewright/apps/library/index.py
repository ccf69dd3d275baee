"""Lists of models that can be installed: a JSON file at an address, or in a folder.

Nothing in an index is trusted: each entry is checked, names a file beside the index, and its size and digest.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any

from treewright.apps.library.fetching import bytes_at, is_address, joined
from treewright.errors import ModelFileError, TreewrightError
from treewright.steps.border.schema import list_of, map_of, number, require, table, text, whole

FILE = "index.json"
FORMAT = 1
VARIABLE = "TREEWRIGHT_INDEX"
USUAL = "https://github.com/treewright/treewright/releases/latest/download/"
MOST_BYTES = 8 << 20  # of an index
MOST_MODELS = 10_000
LARGEST = 2 << 30  # bytes of a model
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")
DIGEST = re.compile(r"[0-9a-f]{64}")

_entry = table(
    {"name": text(100), "file": text(200), "bytes": whole(1, LARGEST), "sha256": text(64)},
    {
        "languages": list_of(text(100), most=50),
        "default_of": text(20),
        "licence": text(1000),
        "description": text(1000),
        "treebank": text(200),
        "version": text(50),
        "made_by": text(50),
        "words": whole(0, 1 << 48),
        "words_per_second": whole(0, 1 << 40),
        "scores": map_of(map_of(number())),
    },
)
_index = table({"format": whole(1, 1 << 30), "models": list_of(_entry, most=MOST_MODELS)})


@dataclass(frozen=True)
class Entry:
    """A model of an index. ``languages``: its code and its names, in English and in itself."""

    name: str
    file: str
    bytes: int
    sha256: str
    languages: list[str] = field(default_factory=list)
    default_of: str = ""  # the code of its language, if this is the model to take
    licence: str = ""
    description: str = ""
    treebank: str = ""
    version: str = ""
    made_by: str = ""
    words: int = 0
    words_per_second: int = 0
    scores: Mapping[str, Mapping[str, float]] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, without what says nothing."""
        return {key: value for key, value in asdict(self).items() if value not in ("", 0, {}, [], False)}

    def is_called(self, wanted: str) -> bool:
        """Is this a name of the model, or of its language?"""
        names = {self.name, *self.languages}
        return plain(wanted) in map(plain, names)


KNOWN = {one.name for one in fields(Entry)}  # newer indexes may say more


class Index:
    """The models of an index, and where they are."""

    def __init__(self, place: str, entries: list[Entry]) -> None:
        self.place = place
        self.entries = entries

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries)

    def found(self, wanted: str) -> list[Entry]:
        """Return the models of a name or language, the language's default first."""
        return sorted((entry for entry in self if entry.is_called(wanted)), key=lambda one: not one.default_of)

    def one(self, wanted: str) -> Entry:
        """Return the model of a name, or the default of a language."""
        found = self.found(wanted)
        if found:
            return next((entry for entry in found if entry.name == wanted), found[0])
        near = [entry.name for entry in self if plain(wanted)[:2] == plain(entry.name)[:2]]
        hint = f"; there are {', '.join(near[:8])}" if near else ""
        raise TreewrightError(
            f"{self.place}: no model or language called {wanted!r}{hint}. `treewright models search` lists all"
        )

    def address_of(self, entry: Entry) -> str:
        """Return where the file of a model is."""
        return joined(self.place, entry.file)


def plain(name: str) -> str:
    """Return a name without case, and with one kind of hyphen: pt-BR, pt_br."""
    return name.casefold().replace("-", "_").strip()


def chosen_place(given: str | None = None) -> str:
    """Return where the index is: as given, as the environment says, or ours."""
    return given or os.environ.get(VARIABLE) or USUAL


def read_index(place: str) -> Index:
    """Read an index: of a folder, a file, or an address."""
    if not is_address(place) and os.path.isdir(place):
        place = os.path.join(place, "")
    where = place if place.endswith(".json") else joined(place, FILE)
    try:
        values = json.loads(bytes_at(where, MOST_BYTES))
        require(_index, values, "the index")
        if values["format"] != FORMAT:
            raise ModelFileError(f"an index of format {values['format']}, and this treewright reads format {FORMAT}")
        entries = [Entry(**{name: row[name] for name in KNOWN & row.keys()}) for row in values["models"]]
        for entry in entries:
            _check(entry)
    except (ValueError, RecursionError, ModelFileError) as error:
        raise TreewrightError(f"{where}: not an index of models: {str(error)[:200]}") from None
    return Index(where, entries)


def _check(entry: Entry) -> None:
    is_file = NAME.fullmatch(entry.file.removesuffix(".tw")) and entry.file.endswith(".tw")
    if not (NAME.fullmatch(entry.name) and is_file and DIGEST.fullmatch(entry.sha256)):
        raise ModelFileError(f"the model {entry.name!r:.60} has a name, a file or a digest that cannot be")


def index_text(entries: list[Entry]) -> str:
    """Return an index as JSON, in the order of the names."""
    rows = [entry.to_dict() for entry in sorted(entries, key=lambda one: one.name)]
    return json.dumps({"format": FORMAT, "models": rows}, ensure_ascii=False, indent=1) + "\n"
