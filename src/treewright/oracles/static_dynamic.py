"""Static-dynamic oracles against exhaustive search: how often they are right.

``python -m treewright.oracles static_dynamic`` prints the table of docs/systems.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from treewright.oracles.comparison import Row, all_systems, named, of_all
from treewright.oracles.exhaustive import Search, trees_for
from treewright.systems.system import System

COLUMNS = (
    "system",
    "root",
    "single_root",
    "trees",
    "configurations",
    "misled",
    "missed",
    "gold tree in reach",
    "misled there",
)
WORDS = 4


@dataclass
class Disagreement:
    """How the moves that an oracle calls best compare with those that lose nothing."""

    trees: int = 0
    configurations: int = 0
    misled: int = 0  # some move that it calls best is not
    missed: int = 0  # some best move is not among them
    reachable: int = 0  # configurations from which the gold tree can still be built …
    misled_there: int = 0  # … and where some move that it calls best loses it


def disagreement(system: System, words: int) -> Disagreement:
    """Compare all configurations of all trees of up to so many words."""
    found = Disagreement()
    for n in range(1, words + 1):
        search = Search(system, n)
        for heads in trees_for(system, n):
            found.trees += 1
            search.set_gold(heads)
            for parse, loss, costs in search.costs(search.losses_in_order(heads)):
                counted = parse.costs()
                best = {kind for kind, cost in counted.items() if cost == min(counted.values())}
                right = {kind for kind, cost in costs.items() if cost == 0}
                found.configurations += 1
                found.misled += not best <= right
                found.missed += not right <= best
                found.reachable += loss == 0
                found.misled_there += loss == 0 and not best <= right
    return found


def rows(options: argparse.Namespace) -> Iterator[Row]:
    """Yield how often the oracle differs from the truth, by system."""
    for system in all_systems(options.system):
        if "static-dynamic" in system.oracles:
            found = disagreement(system, options.words)
            shares = (of_all(count, found.configurations) for count in (found.misled, found.missed))
            there = of_all(found.misled_there, found.reachable)
            yield *named(system), found.trees, found.configurations, *shares, found.reachable, there
