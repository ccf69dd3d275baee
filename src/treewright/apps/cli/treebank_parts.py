"""Which files of a folder a training learns from, and which it judges on: the names of treebanks say so.

A release of Universal Dependencies has its parts side by side (``fr_x-ud-train.conllu``, ``-dev``, ``-test``). Learning
from a test set would spoil every score, so a folder is never taken whole.
"""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from typing import NamedTuple

from treewright.apps.cli.inputs import Input, expanded, paths_of
from treewright.apps.cli.program import say
from treewright.errors import TreewrightError

#: what a part of a file's name says about the file
PARTS = {
    "train": "train",
    "training": "train",
    "dev": "dev",
    "devel": "dev",
    "development": "dev",
    "valid": "dev",
    "validation": "dev",
    "test": "test",
}
SEPARATORS = re.compile(r"[-_. ]+")


class TreebankParts(NamedTuple):
    """What to learn from, and what to judge on (None: nothing)."""

    train: list[str]
    dev: list[str] | None


def treebank_parts(
    words: Sequence[str], dev: Sequence[str] | None = None, quiet: bool = False, judges: bool = True
) -> TreebankParts:
    """Return the treebanks that a command line means; says which files of folders are taken for what.

    Of a folder, files named as test are left out, and files named as dev are judged on, if the command ``judges`` and
    ``dev`` names no others. Without a training part, the dev part is learnt from. A file that is named itself is always
    learnt from.
    """
    train: list[str] = []
    judged: list[str] = []
    for word in words:
        if not os.path.isdir(word):
            train += paths_of([word])
            continue
        parts = _parts_of(word)
        learnt, kept = (parts["train"], parts["dev"]) if parts["train"] else (parts["dev"], [])
        if not learnt:
            raise TreewrightError(f"{word}: nothing but test sets, and no training learns from these. Name the file")
        train += learnt
        used = kept if judges and not dev else []
        judged += used
        if not quiet:
            rest = sorted({*kept, *parts["test"]} - {*used})
            _tell(word, {"learns from": learnt, "judges on": used, "leaves out": rest})
    return TreebankParts(train, paths_of(dev) if dev else judged or None)


def _parts_of(folder: str) -> dict[str, list[str]]:
    """Return the treebanks of a folder by what their names say; without a word about it, they are learnt from."""
    parts: dict[str, list[str]] = {"train": [], "dev": [], "test": []}
    for given in _treebanks(folder):
        parts[part_of_name(given.name)].append(str(given.source))
    return parts


def _treebanks(folder: str) -> list[Input]:
    inputs = [given for given in expanded([folder]) if not given.name.endswith(".txt")]
    if not inputs:
        raise TreewrightError(f"{folder}: no treebanks in it, but texts. Training needs sentences with trees")
    return inputs


def part_of_name(path: str) -> str:
    """Return "train", "dev" or "test": what the name of a file says, else that of its folder; "train" if none does."""
    folder, name = os.path.split(path)
    words = [*reversed(SEPARATORS.split(name.lower())), *reversed(SEPARATORS.split(os.path.basename(folder).lower()))]
    return next((PARTS[word] for word in words if word in PARTS), "train")


def _tell(folder: str, parts: dict[str, list[str]]) -> None:
    said = [f"{what} {', '.join(map(os.path.basename, paths))}" for what, paths in parts.items() if paths]
    say(f"{folder}: {'; '.join(said)}")
