"""Steps as a model file keeps them, without a file."""

from __future__ import annotations

import json
from typing import TypeVar

from treewright.steps.contract import Header
from treewright.steps.loading import step_of
from treewright.steps.step import Step

AnyStep = TypeVar("AnyStep", bound=Step)


def kept(step: Step) -> tuple[Header, dict[str, memoryview]]:
    """Return what a file would hold: the header, and the bytes of the arrays."""
    header, arrays = step.to_file()
    return json.loads(json.dumps(header)), {
        name: memoryview(bytes(memoryview(data))) for name, (_, data) in arrays.items()
    }


def again(step: AnyStep) -> AnyStep:
    """Return the step that a file would bring back."""
    found = step_of(*kept(step))
    assert isinstance(found, type(step))
    return found
