"""Costs with weights of arcs, compared with exhaustive search: ``python -m treewright.oracles weighted``."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import product

from treewright.oracles.comparison import Row, all_systems, named
from treewright.oracles.exhaustive import Search, all_trees, state_of
from treewright.systems.system import System
from treewright.systems.weighted_gold import ADDITIVE, WeightedGold

COLUMNS = ("system", "root", "single_root", "weighted trees", "configurations", "mismatches")
WORDS = 3
#: weights that arcs get, in every combination
WEIGHTS = (0, 1, 3)


def compare_weighted(system: System, words: int) -> tuple[int, int, list[str]]:
    """Compare the weighted cost of every move with the truth, for all projective trees and weights of their arcs.

    Returns how many trees with weights and how many configurations were looked at, and the mismatches.
    """
    trees = configurations = 0
    mismatches = []
    for n in range(1, words + 1):
        search = Search(system, n)
        for heads in all_trees(n, single_root=system.single_root):
            for weights in product(WEIGHTS, repeat=n):
                trees += 1
                gold = WeightedGold(weights)
                search.set_gold(heads, list(range(n)))  # every arc has a relation, and so a weight, of its own
                for parse, _, costs in search.costs(search.losses_in_order(heads, weights=weights)):
                    configurations += 1
                    found = gold.costs_in(parse)
                    if found != costs:
                        mismatches.append(f"{heads}, weights {weights}, {state_of(parse)}: {found}, not {costs}")
    return trees, configurations, mismatches


def rows(options: argparse.Namespace) -> Iterator[Row]:
    """Yield what was compared, and how many costs were wrong, by system."""
    for system in all_systems(options.system):
        if system.name in ADDITIVE:
            trees, configurations, mismatches = compare_weighted(system, options.words)
            yield *named(system), trees, configurations, len(mismatches)
