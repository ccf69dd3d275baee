"""Models on disk: the file names the kind of its model, and a kind is imported when a model needs it."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from treewright.errors import MissingExtraError, ModelFileError
from treewright.steps.border.container import read_whole, unpack
from treewright.steps.border.schema import FAULTS
from treewright.steps.kinds import kind_of_model
from treewright.steps.waiting import Waiting

if TYPE_CHECKING:
    from treewright.steps.contract import Arrays, Header
    from treewright.steps.step import Step


class Origin(NamedTuple):
    """The file that a step was loaded from, and what it looked like then: its length, its time and its number."""

    path: str
    state: tuple[int, int, int]

    @classmethod
    def of(cls, path: str | os.PathLike[str]) -> Origin:
        """Return the origin of a model that has just been loaded."""
        name = os.path.abspath(path)
        try:
            status = os.stat(name)
        except OSError:
            return cls(name, (0, 0, 0))
        return cls(name, (status.st_size, status.st_mtime_ns, status.st_ino))

    @property
    def unchanged(self) -> bool:
        """Whether the file is still the one that was loaded."""
        return Origin.of(self.path) == self


def load_step(path: str | os.PathLike[str]) -> Step:
    """Load a step of any kind from a model file."""
    name = os.fspath(path)
    data = read_whole(name)
    try:
        step = step_of(*unpack(data))
    except ModelFileError as error:
        raise ModelFileError(f"{name}: {error}") from None
    step.origin = Origin.of(path)
    return step


def step_of(header: Header, arrays: Arrays) -> Step:
    """Return the step that (a part of) a model file holds, after its kind has checked header and arrays."""
    step = part_of(header, arrays)
    return step.made() if isinstance(step, Waiting) else step


def part_of(header: Header, arrays: Arrays) -> Step | Waiting:
    """Return the same as a part of a pipeline, which may wait: it is checked now, and made when it is needed."""
    try:
        kind = kind_of_model(header.get("kind"))
        kind.named(kind.check)(header, arrays)
        return Waiting(kind, header, arrays) if kind.does else kind.made(header, arrays)
    except (ModelFileError, MissingExtraError):
        raise
    except FAULTS as error:
        raise ModelFileError(f"the model is damaged: {str(error) or type(error).__name__}") from None
