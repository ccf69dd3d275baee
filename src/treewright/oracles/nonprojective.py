"""What costs mean if the gold tree is not projective: ``python -m treewright.oracles nonprojective``.

A projective system cannot build such a tree. The true cost of a move is still well defined: it is the increase of the
least loss that can be reached. The dynamic oracles count gold arcs one by one: a move loses an arc that could be built
before and cannot be built after it. Of two gold arcs that cross, each may be within reach, but not both. So the count
can differ from the true cost. This module measures how often, over all small trees.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from treewright.oracles.comparison import Row, all_systems, named, of_all
from treewright.oracles.exhaustive import Search, State, all_trees, is_projective, state_of
from treewright.systems.system import Parse, System

COLUMNS: tuple[str, ...] = ("system", "root", "single_root", "trees", "configurations", "inexact", "moves too low")
COLUMNS += ("moves too high", "misled", "least loss", "loss when followed")
WORDS = 5


@dataclass
class Difference:
    """How counted and true costs of one system differ over non-projective gold trees."""

    system: System
    trees: int = 0
    configurations: int = 0  # pairs of a gold tree and a configuration with a move to make
    inexact: int = 0  # configurations where the cost of some legal move is not the true one
    too_low: int = 0  # moves
    too_high: int = 0
    misled: int = 0  # configurations where a move of least counted cost is not a best one
    best_loss: int = 0  # summed over the trees: the least loss from the start
    followed_loss: int = 0  # the same: the worst loss that moves of least counted cost can lead to


def measure(system: System, words: int) -> Difference:
    """Compare counted and true costs over all non-projective trees of up to ``words`` words."""
    found = Difference(system)
    for n in range(3, words + 1):
        search = Search(system, n)
        for heads in all_trees(n, projective=False, single_root=system.single_root):
            if not is_projective(heads):
                _measure_tree(search, heads, found)
    return found


def _measure_tree(search: Search, heads: list[int], found: Difference) -> None:
    losses = search.losses(heads)
    search.set_gold(heads)
    #: the worst end of following least counted costs from a configuration
    ends: dict[State, int] = {}
    found.trees += 1
    for state in search.order:  # later configurations come first
        parse = search.parses[state]
        if parse.terminal:
            ends[state] = losses[state]
            continue
        counted = parse.costs()
        after = {kind: following for (kind, _), following in search.next[state].items()}
        true = {kind: losses[following] - losses[state] for kind, following in after.items()}
        found.configurations += 1
        found.inexact += counted != true
        found.too_low += sum(counted[kind] < true[kind] for kind in true)
        found.too_high += sum(counted[kind] > true[kind] for kind in true)
        least = min(counted.values())
        chosen = [kind for kind in counted if counted[kind] == least]
        found.misled += any(true[kind] > 0 for kind in chosen)
        ends[state] = max(ends[after[kind]] for kind in chosen)
    start = state_of(Parse(search.system, search.n))
    found.best_loss += losses[start]
    found.followed_loss += ends[start]


def rows(options: argparse.Namespace) -> Iterator[Row]:
    """Yield how counted and true costs differ, by system."""
    for system in all_systems(options.system):
        if "dynamic" in system.oracles and system.projective:
            d = measure(system, options.words)
            inexact, misled = (of_all(count, d.configurations) for count in (d.inexact, d.misled))
            losses = (f"{loss / max(1, d.trees):.3f}" for loss in (d.best_loss, d.followed_loss))
            yield *named(system), d.trees, d.configurations, inexact, d.too_low, d.too_high, misled, *losses
