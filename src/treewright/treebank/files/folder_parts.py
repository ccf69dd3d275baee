"""Which treebanks of a folder are for training, for choosing and for testing: their names say so.

A release of Universal Dependencies has its parts side by side (``fr_x-ud-train.conllu``, ``-dev``, ``-test``). Learning
from a test set would spoil every score, so a folder is never taken whole.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeGuard

from treewright.errors import TreewrightError

if TYPE_CHECKING:
    from treewright.treebank.files.source import Source

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
    """What to learn from, what to judge on (None: nothing), and what to say about folders."""

    train: list[Source]
    dev: list[Source] | None
    said: list[str]


def treebank_parts(sources: Sequence[Source], dev: Sequence[Source] | None, judges: bool = True) -> TreebankParts:
    """Return the treebanks to learn from and to judge on, where some are folders.

    Of a folder, files named as test are left out, and files named as dev are judged on, if the caller ``judges`` and
    ``dev`` names no others. Without a training part, the dev part is learnt from. A file that is named itself is always
    learnt from. Of a folder in ``dev``, the dev part counts.
    """
    train: list[Source] = []
    judged: list[Source] = []
    said = []
    for source in sources:
        if not _is_folder(source):
            train.append(source)
            continue
        folder = os.fspath(source)
        parts = parts_of(folder)
        learnt, kept = (parts["train"], parts["dev"]) if parts["train"] else (parts["dev"], [])
        if not learnt:
            raise TreewrightError(f"{folder}: nothing but test sets, and no training learns from these. Name the file")
        train += learnt
        used = kept if judges and not dev else []
        judged += used
        rest = sorted({*kept, *parts["test"]} - {*used})
        said.append(_shown(folder, {"learns from": learnt, "judges on": used, "leaves out": rest}))
    for source in dev or ():
        judged += _dev_part(os.fspath(source)) if _is_folder(source) else [source]
    return TreebankParts(train, judged or None, said)


def parts_of(folder: str) -> dict[str, list[str]]:
    """Return the treebanks of a folder by what their names say; without a word about it, they are for training."""
    from treewright.treebank.formats.registry import formats

    endings = tuple(suffix for format in formats() if format.is_read for suffix in format.suffixes)
    parts: dict[str, list[str]] = {"train": [], "dev": [], "test": []}
    for path in files_below(folder, endings):
        parts[part_of_name(os.path.relpath(path, folder))].append(path)
    if not any(parts.values()):
        raise TreewrightError(f"{folder}: a folder without treebanks: these end with {', '.join(endings)}")
    return parts


def part_of_name(path: str) -> str:
    """Return "train", "dev" or "test": what the name of a file says, else that of its folder; "train" if none does."""
    folder, name = os.path.split(path)
    words = [*reversed(SEPARATORS.split(name.lower())), *reversed(SEPARATORS.split(os.path.basename(folder).lower()))]
    return next((PARTS[word] for word in words if word in PARTS), "train")


def files_below(folder: str, endings: tuple[str, ...]) -> Iterator[str]:
    """Yield the files in and below a folder that have one of the endings, also compressed; hidden ones are left out."""
    from treewright.treebank.formats.registry import uncompressed_name

    for place, folders, files in os.walk(folder):
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in sorted(files):
            if not name.startswith(".") and uncompressed_name(name).lower().endswith(endings):
                yield os.path.join(place, name)


def _is_folder(source: Source) -> TypeGuard[str | os.PathLike[str]]:
    return isinstance(source, (str, os.PathLike)) and os.path.isdir(source)


def _dev_part(folder: str) -> list[str]:
    found = parts_of(folder)["dev"]
    if not found:
        raise TreewrightError(f"{folder}: no file is named as a dev set. Name the file to judge on")
    return found


def _shown(folder: str, parts: dict[str, list[str]]) -> str:
    shown = [f"{what} {', '.join(map(os.path.basename, paths))}" for what, paths in parts.items() if paths]
    return f"{folder}: {'; '.join(shown)}"
