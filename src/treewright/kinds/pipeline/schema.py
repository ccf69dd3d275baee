"""What a model file says of a pipeline; its steps are checked when they are made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright.steps.border.arrays import Arrays
from treewright.steps.border.headers import info, name
from treewright.steps.border.schema import damaged, list_of, require, table
from treewright.steps.pipeline import Pipeline, headers_of_steps

__all__ = ["Pipeline", "check"]

HEADER = table({"info": info})
STEPS = list_of(table({"kind": name, "name": name}), least=1, most=64)


def check(header: Mapping[str, Any], arrays: Arrays) -> None:
    """Check that a pipeline has steps, each with a name of its own, and none of them a pipeline."""
    require(HEADER, header)
    steps = headers_of_steps(header)
    require(STEPS, steps, "steps")
    names = set()
    for step in steps:
        if step["kind"] == "pipeline":
            raise damaged("steps", "has a pipeline within the pipeline")
        if step["name"] in names:
            raise damaged("steps", "has a name twice")
        names.add(step["name"])
