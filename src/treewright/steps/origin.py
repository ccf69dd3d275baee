"""Where a step was loaded from."""

from __future__ import annotations

import os
from typing import NamedTuple


class Origin(NamedTuple):
    """The file that a step was loaded from, and what it looked like then."""

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


def _state(path: str) -> tuple[int, int, int]:
    try:
        found = os.stat(path)
    except OSError:
        return 0, 0, 0
    return found.st_size, found.st_mtime_ns, found.st_ino
