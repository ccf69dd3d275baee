"""The models that a user has installed: files in one folder, each with what the index said of it."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from treewright.apps.library.fetching import Advanced, fetch
from treewright.apps.library.index import Entry, Index
from treewright.errors import TreewrightError
from treewright.steps.border.container import read_model
from treewright.steps.named_models import LIST, models_folder, names_of
from treewright.treebank.files.output import OutputFile


@dataclass(frozen=True)
class Installed:
    """A model in the user's folder: what its index said when it was installed, and where that index is."""

    entry: Entry
    index: str

    @property
    def path(self) -> Path:
        """Where the model is."""
        return Path(models_folder(), f"{self.entry.name}.tw")


def installed() -> list[Installed]:
    """Return the models that are installed, by name."""
    found = []
    for path in sorted(Path(models_folder()).glob("*.json")):
        if path.name != LIST:
            try:
                values = json.loads(path.read_text(encoding="utf-8"))
                one = Installed(Entry(**values["entry"]), values["index"])
            except (OSError, ValueError, TypeError, KeyError):
                continue  # written by hand, or half written by a program that was killed before there were any
            if one.path.is_file():
                found.append(one)
    return found


def install(index: Index, entry: Entry, advanced: Advanced = lambda n: None) -> bool:
    """Install a model of an index; return whether anything was fetched."""
    folder = Path(models_folder())
    folder.mkdir(parents=True, exist_ok=True)
    one = Installed(entry, index.place)
    fresh = not any(other == one for other in installed())
    if fresh:
        arriving = str(folder / f".{entry.name}.arriving")
        fetch(index.address_of(entry), arriving, entry.bytes, entry.sha256, advanced)
        try:
            read_model(arriving)
        except TreewrightError:
            os.unlink(arriving)
            raise
        os.replace(arriving, one.path)
        with OutputFile(folder / f"{entry.name}.json") as output:
            about = {"index": one.index, "entry": entry.to_dict()}
            output.write(json.dumps(about, ensure_ascii=False, indent=1).encode())
    _list_names()
    return fresh


def remove(name: str) -> Installed:
    """Remove an installed model, by its name or that of its language."""
    found = [one for one in installed() if one.entry.name == name] or [
        one for one in installed() if one.entry.is_called(name)
    ]
    if not found:
        raise TreewrightError(f"no model called {name!r} is installed in {models_folder()}")
    if len(found) > 1:
        raise TreewrightError(f"{name!r} is several models: {', '.join(one.entry.name for one in found)}. Name one")
    (one,) = found
    one.path.unlink()
    one.path.with_suffix(".json").unlink()
    _list_names()
    return one


def _list_names() -> None:
    """Write which model each name of a language means: of several, the default, or else the one with the best name."""
    names: dict[str, str] = {}
    for one in sorted(installed(), key=lambda one: (not one.entry.default_of, one.entry.name)):
        for language in one.entry.languages:
            names.setdefault(names_of(language), one.entry.name)
    with OutputFile(os.path.join(models_folder(), LIST)) as output:
        output.write(json.dumps(names, ensure_ascii=False, indent=1, sort_keys=True).encode())
