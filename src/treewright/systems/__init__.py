"""Transition systems: configurations, moves, legality and costs. One file per system."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treewright.errors import CombinationError

if TYPE_CHECKING:
    from treewright.systems.system import System

SYSTEMS = ("arc-eager", "arc-hybrid", "arc-standard")


def make_system(name: str, *, root: str | None = None, single_root: bool = True) -> System:
    """Return the transition system of that name, with the root where it is asked for or usual."""
    if name == "arc-eager":
        if root not in (None, "first", "last"):
            raise CombinationError(f"arc-eager has its root 'first' or 'last', not {root!r}")
        from treewright.systems.arc_eager import ArcEager

        return ArcEager(root=root or "last", single_root=single_root)
    if name not in SYSTEMS:
        raise CombinationError(f"there is no system {name!r}; there are: {', '.join(SYSTEMS)}")
    if root not in (None, "first"):
        raise CombinationError(
            f"{name} has its root first; for the root {root!r} choose arc-eager"
            " (--system arc-eager)"
        )
    if name == "arc-hybrid":
        from treewright.systems.arc_hybrid import ArcHybrid

        return ArcHybrid(single_root=single_root)
    from treewright.systems.arc_standard import ArcStandard

    return ArcStandard(single_root=single_root)
