"""Parse, price and cut (Riedel, Smith & McCallum 2012): the optimum of the linear programme with few of its parts.

Three ways to the same optimum, for comparison:

- ``bounds``, the default: the bounds of search.pyx first. They certify most sentences. For the others they drop arcs
  that are in no optimal tree, and parse, price and cut solves the rest, over the arborescence polytope (violated cuts
  are added, instead of flow), starting with the parts of the best tree found.
- ``paper``: Algorithm 1 as published: all arcs, flow, parts with the root as the first columns.
- ``brute``: all parts in one linear programme, with the rows of ArcGP, which the others leave out as implied. Left out
  here, too: NoGP, which GPArc implies, and z(g,p,c) <= z(p,c) of GPArc, which OneGP implies where z(p,c) has parts.

Projective trees need no linear programme: instead of it there is a dynamic programme (span_chart.pyx), after the
bounds, with columns generated in it (``paper``, §4.5), or with all parts (``brute``).
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence

from treewright.kinds.exact.programme.pricing import Pricing, tree_score
from treewright.kinds.exact.programme.programme import CONSTRAINTS, TOLERANCE, Programme
from treewright.kinds.exact.programme.separation import violated_cuts
from treewright.kinds.exact.search.search import TreeSearch
from treewright.kinds.exact.search.spanning import best_tree
from treewright.steps.certificate import Certificate

ROUNDS = 100  # of tightening bounds, before the linear programme
LEAST = 1e-7  # reduced cost from which on a part is added
LONGEST_PROGRAMME = 600  # words: a programme has a byte for each of the n³ parts; longer ones keep the best tree found
ALL = tuple(name for name in CONSTRAINTS if name != "NoGP")  # GPArc implies NoGP


def decode(
    search: TreeSearch,
    method: str = "bounds",
    *,
    exact: bool = False,
    constraints: Sequence[str] = ALL,
    rounds: int = ROUNDS,
    tighten: str = "all",
    limit: int | None = None,
) -> tuple[array[int], Certificate]:
    """Return the heads of the best tree of a prepared search, and its certificate.

    ``tighten``: which duals are tightened before parts are priced: "all", "onegp" as in the paper, or "none". A linear
    programme that takes more than ``limit`` iterations of the simplex method raises ProgrammeTooLongError.
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
    if search.projective and not optimal:
        start = clock()
        search.dynamic(method == "brute")
        seconds["spans"] = clock() - start
        tree, score, objective = search.tree(), search.lower, search.upper
        optimal = integral = search.certified
        by, added, iterations = "spans", search.scored, search.iterations
    elif not optimal and not (exact and method == "bounds") and search.n <= LONGEST_PROGRAMME:
        run = _Run(search, method, constraints, seconds, tighten, limit)
        objective = run.solve()
        tree, integral = run.tree()
        by, programmes, iterations = "programme", run.programmes, run.programmes
        added = max(added, run.added) if method == "bounds" else run.added
        score = tree_score(search, tree)
        if score < search.lower:
            tree, score = search.tree(), search.lower
        optimal = score > objective - TOLERANCE
    if exact and not optimal and not search.projective:
        start = clock()
        optimal = search.solve()
        seconds["branching"] = clock() - start
        tree, score, by = search.tree(), search.lower, "branching"
        objective = score if optimal else max(objective, score)
        if method == "bounds":
            integral, added, iterations = True, search.added, search.iterations
    parts = sum(_parts(search.n, family.siblings) for family in search.families)
    certificate = Certificate(
        score, objective, optimal, integral, by, parts, search.scored, added, iterations, programmes, seconds
    )
    return tree, certificate


def _parts(n: int, siblings: bool) -> int:
    """Return how many grandparent or sibling parts a sentence of n words has."""
    if not siblings:
        return n * (n - 1) ** 2
    # An arc over k words has k possible siblings, or none; from the root, there is one such arc for every k < n.
    return sum((k + 1) * (2 * (n - 1 - k) + 1) for k in range(n))


class _Run:
    """One sentence's linear programmes."""

    def __init__(
        self,
        search: TreeSearch,
        method: str,
        constraints: Sequence[str],
        seconds: dict[str, float],
        tighten: str,
        limit: int | None,
    ) -> None:
        self.search, self.method, self.seconds, self.tighten = search, method, seconds, tighten
        self.pricings = [Pricing(search, family) for family in search.families]
        self.cuts = method == "bounds"
        self.programmes = 0
        start = time.perf_counter()
        self.programme = Programme(
            search, self.pricings, constraints, "cuts" if self.cuts else "flow", limit, implied=method == "brute"
        )
        first = {"brute": Pricing.all_parts, "paper": Pricing.plain_parts}.get(method, Pricing.first_parts)
        for family in self.programme.families:
            family.add(first(family.pricing))
        self._spent("building", start)

    @property
    def added(self) -> int:
        """How many parts are in the programme."""
        return sum(pricing.added for pricing in self.pricings)

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
            parts = self._priced()
            self._spent("pricing", start)
            start = time.perf_counter()
            parts = [self._with_violated(*found) for found in zip(self.pricings, parts, strict=True)]
            sets = violated_cuts(self.z, self.search.n + 1) if self.cuts else []
            self._spent("cutting", start)
            if not any(parts) and not sets:
                return objective
            start = time.perf_counter()
            for family, new in zip(self.programme.families, parts, strict=True):
                family.add(sorted(new))
            self.programme.add_cuts(sets)
            self._spent("building", start)

    def _priced(self) -> list[set[int]]:
        """Return the parts of each kind with a positive reduced cost.

        Kinds of parts share what an arc can spare, or the duals would not be feasible.
        """
        families = self.programme.families
        if self.method == "brute":
            return [set() for _ in families]
        spare = self.programme.spare()
        duals = [family.duals(spare, self.tighten != "none") for family in families]
        nothing = 0 * spare
        return [
            {*family.pricing.priced(*found, spare if self.tighten == "all" and family.has_more else nothing, LEAST)}
            for family, found in zip(families, duals, strict=True)
        ]

    def _with_violated(self, pricing: Pricing, parts: set[int]) -> set[int]:
        """Return the parts and those that the solution implies, though it lacks them (ArcGP)."""
        if self.method == "brute" or pricing.siblings:
            return parts
        return parts | {*pricing.violated(self.z, TOLERANCE)}

    def tree(self) -> tuple[array[int], bool]:
        """Return the solution as a tree, rounded by Chu-Liu-Edmonds if necessary, and whether it was one."""
        width = self.search.n + 1
        scores = memoryview(self.z).cast("B").cast("d", (width, width))
        heads, _ = best_tree(scores, False, self.search.single_root)
        return heads, self.programme.is_integral()
