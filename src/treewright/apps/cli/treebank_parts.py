"""Which treebanks a command line means for training, and which for judging."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import NamedTuple

from treewright.apps.cli.inputs import paths_of
from treewright.apps.cli.program import say


class NamedParts(NamedTuple):
    """What to learn from, and what to judge on (None: nothing)."""

    train: list[str]
    dev: list[str] | None


def treebank_parts(
    words: Sequence[str], dev: Sequence[str] | None = None, quiet: bool = False, judges: bool = True
) -> NamedParts:
    """Return the treebanks that a command line means; says which files of folders are taken for what."""
    from treewright.treebank.files.folder_parts import treebank_parts as parts_of_sources

    parts = parts_of_sources(_unfolded(words), _unfolded(dev or ()), judges)
    for line in () if quiet else parts.said:
        say(line)
    return NamedParts(
        [str(path) for path in parts.train], None if parts.dev is None else [str(path) for path in parts.dev]
    )


def _unfolded(words: Sequence[str]) -> list[str]:
    """Return words with the files that patterns mean; folders stay."""
    return [path for word in words for path in ([word] if os.path.isdir(word) else paths_of([word]))]
