"""Oracles checked against exhaustive search: every answer over all small trees, from every configuration."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from treewright.oracles.exhaustive import Search, obeys, some_leaves, state_of, trees_for
from treewright.systems import make_system, variants
from treewright.systems.system import ORACLES, Parse, System

COLUMNS = ("system", "root", "single_root", "oracle", "trees", "configurations", "mismatches")
WORDS = 5
#: the cells of a row; the last is a number if it counts mismatches
Row = tuple[Any, ...]


@dataclass
class OracleCheck:
    """One oracle of one system: how many answers were checked, and which were wrong."""

    system: System
    oracle: str
    trees: int
    configurations: int
    mismatches: list[str]


def compare(system: System, words: int, leaves: bool = False) -> list[OracleCheck]:
    """Check each oracle of a system over all trees of up to ``words`` words that the system can build.

    Trees have a single root if the system demands it, any number of roots otherwise. *Dynamic*: the cost of every legal
    move, from every configuration. *Non-deterministic*: the set of right moves, from every configuration that can still
    lead to the gold tree. *Static*: every move of the canonical path is right, and the path ends in the gold tree.

    With ``leaves``, the same for every choice of words that may not govern others, and all trees that obey it.
    """
    found = {oracle: OracleCheck(system, oracle, 0, 0, []) for oracle in ORACLES if oracle in system.oracles}
    for n in range(1, words + 1):
        for chosen in some_leaves(n) if leaves else [()]:
            search = Search(system, n, leaves=chosen)
            for heads in trees_for(system, n):
                if obeys(heads, chosen, system.single_root):
                    _check_tree(search, heads, found)
    return list(found.values())


def _check_tree(search: Search, heads: list[int], found: dict[str, OracleCheck]) -> None:
    for comparison in found.values():
        comparison.trees += 1
    losses = search.losses_in_order(heads)
    search.set_gold(heads)
    for parse, loss, costs in search.costs(losses):
        _check_configuration(parse, loss, costs, found)
    if "static" in found:
        _check_path(search, heads, losses, found["static"])


def _check_configuration(parse: Parse, loss: int, costs: dict[str, int], found: dict[str, OracleCheck]) -> None:
    if "dynamic" in found:
        found["dynamic"].configurations += 1
        if parse.costs() != costs:
            found["dynamic"].mismatches.append(f"{state_of(parse)}: {parse.costs()}, but the true costs are {costs}")
    if loss == 0 and "nondeterministic" in found:
        right = [kind for kind, cost in costs.items() if cost == 0]
        found["nondeterministic"].configurations += 1
        if parse.correct() != right:
            found["nondeterministic"].mismatches.append(f"{state_of(parse)}: {parse.correct()}, but {right} are right")


def _check_path(search: Search, heads: list[int], losses: list[int], comparison: OracleCheck) -> None:
    parse = Parse(search.system, search.n, heads, leaves=search.leaves)
    while not parse.terminal:
        comparison.configurations += 1
        kind, relation = parse.static()
        parse.apply(kind, relation)
        if losses[search.place[state_of(parse)]] > 0:
            comparison.mismatches.append(f"{heads}: {kind} at the end of {parse.history}")
            return
    if losses[search.place[state_of(parse)]] != 0:
        comparison.mismatches.append(f"{heads}: {parse.arcs}")


def all_systems(wanted: str | None = None) -> Iterator[System]:
    """Yield every transition system, or only the one wanted, in every variant."""
    for name, root in variants():
        if wanted not in (None, name):
            continue
        for single_root in (True, False):
            yield make_system(name, root=root, single_root=single_root)


def named(system: System) -> tuple[str, str, bool]:
    """Return the cells that name a variant of a system."""
    return system.name, system.root, bool(system.single_root)


def shown(cell: object) -> str:
    """Return a cell of a table: yes or no, a number, or text."""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    return f"{cell:,}" if isinstance(cell, int) else str(cell)


def of_all(count: int, total: int) -> str:
    """Return a count and its share of a total."""
    return f"{count:,} ({100 * count / max(1, total):.1f} %)"


def rows(options: argparse.Namespace) -> Iterator[Row]:
    """Yield what was compared, and how many answers were wrong, by system and oracle.

    There are so many trees with crossing arcs that four words are enough for systems that build them.
    """
    for system in all_systems(options.system):
        words = options.words if system.projective else min(options.words, 4)
        for c in compare(system, words, options.leaves):
            yield *named(system), c.oracle, c.trees, c.configurations, len(c.mismatches)
