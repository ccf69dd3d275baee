"""Costs as printed in the papers against the exact ones, over all small trees and graphs, from every configuration.

``python -m treewright.oracles printed`` prints the table of docs/errata.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

from treewright.oracles.comparison import Row, of_all
from treewright.oracles.exhaustive import Search, all_trees
from treewright.oracles.graphs import GraphSearch, Heads, all_graphs
from treewright.systems import make_system
from treewright.systems.graphs.graph_system import GraphParse

COLUMNS: tuple[str, ...] = ("costs", "root", "configurations", "other costs", "other free moves", "no free move")
COLUMNS += ("while gold is reachable", "first other free moves")
WORDS = 4
Costs = dict[str, int]


@dataclass
class CostDisagreement:
    """How often printed costs differ from the exact ones."""

    configurations: int = 0
    costs: int = 0  # some legal move has another cost
    free: int = 0  # other moves are free
    none_free: int = 0  # no move is free, though one always loses nothing
    where_reachable: int = 0  # other moves are free although the gold tree or graph can still be built
    first: str = ""  # the first configuration in which other moves are free

    def add(self, printed: Costs, exact: Costs, reachable: bool, where: str) -> None:
        """Count one configuration."""
        free = {kind for kind, cost in printed.items() if cost == 0}
        differs = free != {kind for kind, cost in exact.items() if cost == 0}
        self.configurations += 1
        self.costs += printed != exact
        self.free += differs
        self.none_free += not free
        self.where_reachable += differs and reachable
        if differs and not self.first:
            self.first = where

    def cells(self) -> Row:
        """Return the counts as cells of a table."""
        shares = (self.costs, self.free, self.none_free, self.where_reachable)
        return self.configurations, *(of_all(count, self.configurations) for count in shares), self.first


def arc_eager_disagreement(year: str, root: str, words: int) -> CostDisagreement:
    """Compare the costs of arc-eager as printed in 2012 or 2013 with the exact ones; ROOT may have several words."""
    exact = make_system("arc-eager", root=root, single_root=False)
    printed = make_system("arc-eager", root=root, single_root=False, costs=year)
    found = CostDisagreement()
    for n in range(1, words + 1):
        ours, theirs = Search(exact, n), Search(printed, n)
        for heads in all_trees(n, single_root=False):
            losses = ours.losses(heads)
            for state, parse in ours.parses.items():
                if not parse.terminal:
                    costs = theirs.parses[state].set_gold(heads).costs()
                    where = f"stack {list(state[0])}, buffer {list(state[1])}, gold heads {heads}"
                    found.add(costs, parse.set_gold(heads).costs(), losses[state] == 0, where)
    return found


def graph_disagreement(words: int, costs: str) -> CostDisagreement:
    """Compare the rules of Tokgöz & Eryiğit 2015, as printed or as meant, with dag-arc-eager's exact costs."""
    found = CostDisagreement()
    for n in range(1, words + 1):
        search = GraphSearch("dag-arc-eager", n, costs=costs)
        for graph in all_graphs(n):
            gold = search.bits(graph)
            if not all(graph) or not search.can_build(gold):
                continue
            for state, exact in search.costs(gold):
                parse = search.parses[state]
                if exact:
                    free_or_not = {kind: min(1, cost) for kind, cost in exact.items()}
                    where = f"stack {list(parse.stack)}, front {parse.front}, gold heads {graph}"
                    found.add(parse.set_gold(graph).costs(), free_or_not, _reachable(parse, graph), where)
    return found


def _reachable(parse: GraphParse, graph: Heads) -> bool:
    """Can the gold graph still be built? Every arc so far is gold, and the words of every other one can still meet."""
    wanted = {(head, word) for word, heads in enumerate(graph, 1) for head in heads}
    if not wanted.issuperset(parse.arcs):
        return False
    ahead = {*range(parse.front, len(graph) + 1), 0}
    there = ahead.union(parse.stack)
    return all(there.issuperset(arc) and ahead.intersection(arc) for arc in wanted.difference(parse.arcs))


def rows(options: argparse.Namespace) -> Iterator[Row]:
    """Yield how often printed costs differ from the exact ones, and the first case."""
    for year in ("2012", "2013"):
        for root in ("first", "last"):
            yield f"arc-eager, {year}", root, *arc_eager_disagreement(year, root, options.words).cells()
    for costs in ("paper", "gold-arcs"):
        yield f"dag-arc-eager, {costs}", "last", *graph_disagreement(min(3, options.words), costs).cells()
