"""What a model file says of a parser that builds graphs by linear moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from treewright.kinds.transition.schema import MOVES, check_moves
from treewright.steps.border.arrays import Arrays
from treewright.steps.border.headers import name
from treewright.steps.border.schema import table

GRAPHS = table({**MOVES, "system": name})


def check(header: Mapping[str, Any], arrays: Arrays) -> None:
    """Check a model of graphs by linear moves."""
    check_moves(header, arrays, GRAPHS)
