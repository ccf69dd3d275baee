"""Parse, price and cut (Riedel, Smith & McCallum 2012): the optimum of the linear programme with few of its parts.

Three ways to the same optimum, for comparison:

- ``bounds``, the default: the bounds of search.pyx first. They certify most sentences. For the others they drop arcs
  that are in no optimal tree, and parse, price and cut solves the rest, over the arborescence polytope (violated cuts
  are added, instead of flow), starting with the parts of the best tree found.
- ``paper``: Algorithm 1 as published: all arcs, flow, parts with the root as the first columns.
- ``brute``: all parts, one linear programme.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence

from treewright.exact.pricing import Pricing
from treewright.exact.programme import CONSTRAINTS, TOLERANCE, Programme
from treewright.exact.search import TreeSearch
from treewright.exact.separation import violated_cuts
from treewright.exact.spanning import best_tree
from treewright.parsing.certificate import Certificate

ROUNDS = 100  # of tightening bounds, before the linear programme
LONGEST_PROGRAMME = 600  # words: a programme has a byte for each of the n³ parts; longer ones keep the best tree found
ALL = tuple(name for name in CONSTRAINTS if name != "NoGP")  # GPArc implies NoGP


def decode(
    search: TreeSearch,
    method: str = "bounds",
    *,
    exact: bool = False,
    constraints: Sequence[str] = ALL,
    rounds: int = ROUNDS,
    limit: float | None = None,
) -> tuple[array[int], Certificate]:
    """Return the heads of the best tree of a prepared search, and its certificate.

    A linear programme that takes more than ``limit`` seconds raises TimeoutError.
    """
    clock = time.perf_counter
    seconds: dict[str, float] = {}
    start = clock()
    if method == "bounds":
        search.tighten(rounds)
        seconds["bounds"] = clock() - start
    tree, objective = search.tree(), search.upper
    optimal = integral = search.certified
    by, programmes, added, iterations = "bounds", 0, search.added, search.iterations
    score = search.lower
    if not optimal and not (exact and method == "bounds") and search.n <= LONGEST_PROGRAMME:
        run = _Run(search, method, constraints, seconds, limit)
        objective = run.solve()
        tree, integral = run.tree()
        by, programmes, iterations = "programme", run.programmes, run.programmes
        added = max(added, run.pricing.added) if method == "bounds" else run.pricing.added
        score = run.pricing.score_of(tree)
        if score < search.lower:
            tree, score = search.tree(), search.lower
        optimal = score > objective - TOLERANCE
    if exact and not optimal:
        start = clock()
        optimal = search.solve()
        seconds["branching"] = clock() - start
        tree, score, by = search.tree(), search.lower, "branching"
        objective = score if optimal else max(objective, score)
        if method == "bounds":
            integral, added, iterations = True, search.added, search.iterations
    certificate = Certificate(
        score, objective, optimal, integral, by, _parts(search.n), search.scored, added, iterations, programmes, seconds
    )
    return tree, certificate


def _parts(n: int) -> int:
    """Return how many grandparent parts a sentence of n words has."""
    return n * (n - 1) ** 2


class _Run:
    """One sentence's linear programmes."""

    def __init__(
        self,
        search: TreeSearch,
        method: str,
        constraints: Sequence[str],
        seconds: dict[str, float],
        limit: float | None,
    ) -> None:
        self.search, self.method, self.seconds = search, method, seconds
        self.pricing = Pricing(search)
        self.cuts = method == "bounds"
        self.programmes = 0
        start = time.perf_counter()
        connectivity = "cuts" if self.cuts else "flow"
        self.programme = Programme(self.pricing, constraints, connectivity, search.single_root, limit)
        if method == "brute":
            self.programme.add_parts(self.pricing.all_parts())
        elif method == "paper":
            self.programme.add_parts(self.pricing.root_parts())
        else:
            self.programme.add_parts(self.pricing.first_parts())
        self._spent("building", start)

    def _spent(self, what: str, start: float) -> None:
        self.seconds[what] = self.seconds.get(what, 0.0) + time.perf_counter() - start

    def solve(self) -> float:
        """Parse, price and cut until there is nothing to add; return the optimum."""
        while True:
            start = time.perf_counter()
            objective = self.programme.solve()
            self.programmes += 1
            self._spent("parsing", start)
            self.z = self.programme.arc_values()
            start = time.perf_counter()
            parts: list[int] = []
            if self.method != "brute":
                parts = sorted({*self.pricing.priced(*self.programme.duals(), 1e-7)})
            self._spent("pricing", start)
            start = time.perf_counter()
            if self.method != "brute":
                parts = sorted({*parts, *self.pricing.violated(self.z, TOLERANCE)})
            sets = violated_cuts(self.z, self.pricing.width) if self.cuts else []
            self._spent("cutting", start)
            if not parts and not sets:
                return objective
            start = time.perf_counter()
            self.programme.add_parts(parts)
            self.programme.add_cuts(sets)
            self._spent("building", start)

    def tree(self) -> tuple[array[int], bool]:
        """Return the solution as a tree, rounded by Chu-Liu-Edmonds if necessary, and whether it was one."""
        width = self.pricing.width
        integral = all(value < 1e-5 or value > 1 - 1e-5 for value in self.z)
        scores = memoryview(self.z).cast("B").cast("d", (width, width))
        heads, _ = best_tree(scores, False, self.search.single_root)
        return heads, integral
