"""The options of a call as type checkers know them. Nothing imports this when a program runs."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from treewright.steps.certificate import Certificate


class CallKeywords(TypedDict, total=False):
    """The options of one call as keywords; a test keeps them equal to those of Call."""

    beam: int | None
    k_best: int | None
    confidence: bool
    keep_arcs: bool
    exact: bool
    method: str
    constraints: str
    tighten: str
    tag: bool
    ranges: bool
    newlines: str
    certified: Callable[[Certificate, int], None] | None
