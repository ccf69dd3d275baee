"""``python -m treewright.oracles.weighted``: costs with weights of arcs, compared with exhaustive search."""

from __future__ import annotations

from itertools import product

from treewright.oracles.__main__ import all_systems
from treewright.oracles.comparison import arguments, print_comparisons
from treewright.oracles.exhaustive import Search, all_trees, state_of
from treewright.systems.system import System
from treewright.systems.weighted_gold import ADDITIVE, WeightedGold

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


def main() -> int:
    """Print the comparison as Markdown; return 1 if any cost was wrong anywhere."""
    about = "Compare weighted costs with exhaustive search over all small trees."
    options = arguments("treewright.oracles.weighted", about, 3).parse_args()
    additive = (system for system in all_systems() if system.name in ADDITIVE)
    return print_comparisons("weighted trees", additive, lambda system: compare_weighted(system, options.words))


if __name__ == "__main__":
    raise SystemExit(main())
