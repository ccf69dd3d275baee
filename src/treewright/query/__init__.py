"""Ask a treebank with patterns in Grew's notation: ``matches`` of a sentence, ``find`` in files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from treewright.query.finding import find
    from treewright.query.matching import Match, Query, matches

_HOME = {"find": "finding", "Match": "matching", "Query": "matching", "matches": "matching"}
__all__ = ["Match", "Query", "find", "matches"]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
