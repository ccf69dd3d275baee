"""Models on disk: the file says of which kind a model is, and each kind is imported when one is met."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from treewright.errors import MissingExtraError, ModelFileError
from treewright.steps.border.schema import FAULTS
from treewright.steps.kinds import Kind, kind_of_model
from treewright.steps.model_file import read_model
from treewright.steps.origin import Origin
from treewright.steps.waiting import Waiting

if TYPE_CHECKING:
    from treewright.steps.border.container import Contents
    from treewright.steps.contract import Arrays, Header
    from treewright.steps.step import Step


def load_step(path: str | os.PathLike[str]) -> Step:
    """Load a step of any kind from a model file."""
    step = step_in(read_model(path), os.fspath(path))
    step.origin = Origin.of(path)
    return step


def step_in(contents: Contents, name: str) -> Step:
    """Return the step that the contents of a model file make; ``name`` is for messages."""
    try:
        return step_of(contents.header, contents.arrays)
    except ModelFileError as error:
        raise ModelFileError(f"{name}: {error}") from None
    except MissingExtraError:
        raise
    except FAULTS as error:
        raise ModelFileError(f"{name}: the model is damaged: {str(error) or type(error).__name__}") from None


def step_of(header: Header, arrays: Arrays) -> Step:
    """Return the step that (a part of) a model file holds, after its kind has checked header and arrays."""
    return checked_kind(header, arrays).made(header, arrays)


def step_or_waiting(header: Header, arrays: Arrays) -> Step | Waiting:
    """Return the step that a part of a model file holds, or what makes it when it is needed; both are checked now."""
    kind = checked_kind(header, arrays)
    return Waiting(kind, header, arrays) if kind.does else kind.made(header, arrays)


def checked_kind(header: Header, arrays: Arrays) -> Kind:
    """Return the kind of a model, after it has checked header and arrays."""
    kind = kind_of_model(header.get("kind"))
    kind.named(kind.check)(header, arrays)
    return kind
