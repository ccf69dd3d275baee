"""What a folder of treebanks holds: each treebank's parts, name, language and licence."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from treewright.errors import TreewrightError
from treewright.treebank.files.folder_parts import parts_of

CODE = re.compile(r"([a-z]{2,3}(?:_[a-z0-9]+)?)[-_.]", re.IGNORECASE)
UD_FOLDER = re.compile(r"UD_([^-]+)-(.+)")
LICENCE = re.compile(r"^License:\s*(.+)$", re.MULTILINE | re.IGNORECASE)
PAPERS = ("README.md", "README.txt", "LICENSE.txt", "LICENSE", "LICENCE", "LICENSE.md")


@dataclass(frozen=True)
class FoundTreebank:
    """A treebank of a release: files to learn from, to judge on, and to score."""

    name: str
    folder: str
    train: list[str]
    dev: list[str] = field(default_factory=list)
    test: list[str] = field(default_factory=list)
    note: str = ""

    @property
    def language(self) -> str:
        """The code of the language: what the name begins with."""
        return self.name.partition("_")[0]

    @property
    def languages(self) -> list[str]:
        """The code of the language and its names, as far as they are known."""
        ud = UD_FOLDER.match(os.path.basename(self.folder))
        return list(dict.fromkeys([self.language, *([ud[1].replace("_", " ")] if ud else []), *_names(self.language)]))

    @property
    def licence(self) -> str:
        """The licence that the treebank's papers name."""
        for name in PAPERS:
            try:
                text = Path(self.folder, name).read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
            if found := LICENCE.search(text):
                return " ".join(found[1].split())[:200]
            if name.startswith("LIC") and text.strip():
                return " ".join(re.split(r"\n\s*\n|\. ", text.strip(), maxsplit=1)[0].split())[:200]
        return ""

    def digest(self) -> str:
        """Return a digest of all its files: a treebank that changed is learnt from again."""
        hashed = hashlib.sha256()
        for path in (*self.train, *self.dev, *self.test):
            hashed.update(Path(path).read_bytes())
        return hashed.hexdigest()


def treebanks_in(folder: str) -> Iterator[FoundTreebank]:
    """Yield the treebanks of a folder: each of its folders is one, or the folder itself."""
    if not os.path.isdir(folder):
        raise TreewrightError(f"{folder}: no folder. Give that of a release, with a folder for each treebank")
    below = sorted(entry.path for entry in os.scandir(folder) if entry.is_dir() and not entry.name.startswith("."))
    found = 0
    for place in below or [folder]:
        try:
            parts = parts_of(place)
        except TreewrightError:
            continue  # a folder with something else
        found += 1
        yield _treebank(place, parts)
    if not found:
        raise TreewrightError(f"{folder}: no treebanks in it or in its folders")


def _treebank(place: str, parts: dict[str, list[str]]) -> FoundTreebank:
    first = os.path.basename(next(path for paths in parts.values() for path in paths))
    code = CODE.match(first)
    name = (code[1] if code else os.path.basename(os.path.normpath(place))).lower().replace("-", "_")
    train, dev, test, note = parts["train"], parts["dev"], parts["test"], ""
    if not train and dev:
        train, dev, note = dev, [], "learnt from its dev part: it has no other"
    elif not train:
        train, test, note = test, [], "learnt from its test part: it has no other"
    return FoundTreebank(name, place, train, dev, test, note)


def _names(code: str) -> list[str]:
    """Return other codes and names of a language, where langcodes is installed."""
    try:
        from langcodes import Language

        language = Language.get(code)
        return [language.to_alpha3(), language.display_name("en"), language.autonym()]
    except (ImportError, LookupError, ValueError):
        return []
