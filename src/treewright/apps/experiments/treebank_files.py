"""The treebanks of an experiment: their files, and samples of their sentences for training."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from random import Random

from treewright.errors import TreewrightError, unknown
from treewright.treebank.files.reading import read_blocks

ROLES = ("train", "dev", "test")


@dataclass(frozen=True)
class TreebankFiles:
    """A treebank: its files by role, and the parts of its test set that are scored separately.

    ``parts`` maps the name of a part to the prefix of its sentences' sent_id. Without a dev set, the last round of
    training counts.
    """

    name: str
    paths: Mapping[str, str]
    parts: Mapping[str, str] = field(default_factory=dict)

    def fingerprints(self) -> dict[str, str]:
        """Return a digest of each file's content."""
        return {role: fingerprint(path) for role, path in self.paths.items()}


def treebank_from(name: str, value: object, base: Path) -> TreebankFiles:
    """Return the treebank of an entry in [treebanks]: a folder, or a table of files.

    Relative paths are in ``base``.
    """
    if isinstance(value, str):
        return TreebankFiles(name, files_in(base / value, name))
    if not isinstance(value, dict):
        raise TreewrightError(f"treebanks.{name}: give a folder, or a table with train, dev and test, not {value!r}")
    parts = value.get("parts", {})
    strange = sorted(set(value) - {"folder", "parts", *ROLES})
    if strange:
        raise TreewrightError(f"treebanks.{name}: {unknown('key', strange[0], ('folder', *ROLES, 'parts'))}")
    if not isinstance(parts, dict) or not all(isinstance(prefix, str) for prefix in parts.values()):
        raise TreewrightError(f"treebanks.{name}.parts: give names with prefixes of sent_id: {{ web = 'weblog-' }}")
    paths = files_in(base / value["folder"], name) if "folder" in value else {}
    paths.update({role: str(base / value[role]) for role in ROLES if role in value})
    for role in ("train", "test"):
        if role not in paths:
            raise TreewrightError(f"treebanks.{name} has no {role} file: name it, or a folder that has one")
    for path in paths.values():
        if not os.path.isfile(path):
            raise TreewrightError(f"treebanks.{name}: {path}: no such file. Check the path, or give --treebanks FOLDER")
    return TreebankFiles(name, paths, dict(parts))


def files_in(folder: Path, name: str) -> dict[str, str]:
    """Return the files of a folder by role: one with *train* in its name, one with *test*, perhaps one with *dev*."""
    if not folder.is_dir():
        raise TreewrightError(
            f"treebanks.{name}: no such folder: {folder}. Give the folder of the treebanks with --treebanks"
        )
    by_role: dict[str, str] = {}
    for role in ROLES:
        paths = sorted(str(path) for path in folder.glob(f"*{role}*.conllu*"))
        if len(paths) > 1:
            raise TreewrightError(
                f"treebanks.{name}: {folder} has {len(paths)} files with {role} in their names. Name"
                f" one: {name} = {{ folder = ..., {role} = ... }}"
            )
        if paths:
            by_role[role] = paths[0]
        elif role != "dev":
            raise TreewrightError(f"treebanks.{name}: {folder} has no *{role}*.conllu")
    return by_role


_SEEN: dict[tuple[str, int, int], str] = {}


def fingerprint(path: str) -> str:
    """Return a digest of a file's content; each file is read once."""
    status = os.stat(path)
    key = (path, status.st_size, status.st_mtime_ns)
    if key not in _SEEN:
        _SEEN[key] = sha256(Path(path).read_bytes()).hexdigest()[:16]
    return _SEEN[key]


def sample(path: str, sentences: int | None = None, fraction: float | None = None, seed: int = 1) -> bytes:
    """Return a random sample of sentences of a treebank, in the order of the file.

    With the same seed, a smaller sample is part of a larger one.
    """
    # Read twice, block by block: the memory of training is measured, and must not include the whole file.
    total = sum(block.n_sentences for block in read_blocks(path))
    wanted = total if fraction is None else max(1, round(fraction * total))
    if sentences is not None:
        wanted = min(wanted, sentences)
    random = Random(seed)
    keys = [random.random() for _ in range(total)]
    chosen = set(sorted(range(total), key=keys.__getitem__)[:wanted])
    texts, first = [], 0
    for block in read_blocks(path):
        texts += [block.text_of(number) for number in range(block.n_sentences) if first + number in chosen]
        first += block.n_sentences
    return b"".join(texts)
