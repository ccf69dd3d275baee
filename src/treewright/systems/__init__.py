"""Transition systems: configurations, moves, legality and costs. One file per system."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from treewright.errors import CombinationError, unknown

if TYPE_CHECKING:
    from treewright.systems.system import System

#: name → (where the class is, the positions that the root can have, the default first)
_HOME = {
    "arc-eager": ("arc_eager:ArcEager", ("last", "first")),
    "arc-hybrid": ("arc_hybrid:ArcHybrid", ("first",)),
    "arc-standard": ("arc_standard:ArcStandard", ("first",)),
    "nivre-standard": ("nivre_standard:NivreStandard", ("first",)),
    "covington-projective": ("covington_projective:CovingtonProjective", ("last", "first")),
    "covington": ("covington:Covington", ("last", "first")),
    "easy-first": ("easy_first:EasyFirst", ("first",)),
    "planar": ("planar:Planar", ("first",)),
    "2-planar": ("two_planar:TwoPlanar", ("first",)),
    "non-monotonic": ("non_monotonic:NonMonotonic", ("last",)),
    "swap": ("swap:Swap", ("first",)),
    "swap-hybrid": ("swap_hybrid:SwapHybrid", ("first",)),
}
SYSTEMS = tuple(_HOME)
#: costs of arc-eager: the exact ones, or as a paper printed them; of swap: lazy by default, or eager
COSTS = ("exact", "2012", "2013", "eager")


def variants() -> list[tuple[str, str]]:
    """Return every system with every position of its root."""
    return [(name, root) for name, (_, roots) in _HOME.items() for root in roots]


def make_system(name: str, *, root: str | None = None, single_root: bool = True, costs: str = "exact") -> System:
    """Return the transition system of that name, with the root in the requested or the default position.

    ``costs``: which costs its oracle gives; the moves are the same.
    """
    if name not in SYSTEMS:
        raise CombinationError(unknown("system", name, SYSTEMS))
    home, roots = _HOME[name]
    if root is not None and root not in roots:
        others = ", ".join(other for other in SYSTEMS if root in _HOME[other][1])
        remedy = f"; for the root {root!r} choose {others}" if others else ""
        raise CombinationError(f"{name} has its root {' or '.join(map(repr, roots))}, not {root!r}{remedy}")
    module, class_name = home.split(":")
    system = getattr(import_module(f"treewright.systems.trees.{module}"), class_name)
    options = {"root": root or roots[0]} if len(roots) > 1 else {}
    if name == "swap" and costs == "eager":
        options, costs = {"order": costs}, "exact"
    if costs != "exact":
        if name != "arc-eager" or costs not in COSTS[:3]:
            raise CombinationError(f"{name} has no costs {costs!r}: 2012 and 2013 are arc-eager's, eager is swap's")
        from treewright.systems.trees.arc_eager import PrintedArcEager

        return PrintedArcEager(costs, root or roots[0], single_root)
    made: System = system(single_root=single_root, **options)
    return made
