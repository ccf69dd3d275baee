"""The linear programme over arcs and grandparent parts, in HiGHS.

Variables: z(h, m) for arcs, z(g, p, c) for parts, flow for connectivity. Rows (Riedel et al. 2012, §3; Martins et al.
2009):

- *OneHead*: the arcs into a word sum to 1. *OneRoot*, where trees have a single root: those from the root sum to 1.
- *Source*, *Consume*, *NoFlow*: the root sends out n units of flow, each word keeps one, flow takes active arcs only;
  or instead of these three *Cuts*, generated when violated: some arc enters every set of words.
- *ArcGP*: z(g,p) + z(p,c) - z(g,p,c) <= 1. *GPArc*: z(g,p,c) <= z(g,p) and z(g,p,c) <= z(p,c).
- *OneGP*: the parts of an arc (p, c), p > 0, sum to z(p,c). *NoGP*: those below (g, p) sum to n z(g,p) at most.

Columns and rows can be added at any time; the solver goes on from where it was.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from treewright.errors import MissingExtraError

if TYPE_CHECKING:
    from treewright.graphbased.pricing import Pricing

CONSTRAINTS = ("ArcGP", "GPArc", "OneGP", "NoGP")
CONNECTIVITY = ("flow", "cuts")
TOLERANCE = 1e-6


def solver() -> Any:
    """Return the module of HiGHS; an error names the extra that brings it."""
    try:
        import highspy
    except ImportError:
        raise MissingExtraError("the linear programme", "highspy", "graph") from None
    return highspy


class Programme:
    """A linear programme that grows: arcs first, then parts, rows with them."""

    def __init__(self, pricing: Pricing, constraints: Sequence[str], connectivity: str, single_root: bool) -> None:
        highspy = solver()
        self.pricing, self.n, self.width = pricing, pricing.n, pricing.width
        self.constraints = frozenset(constraints)
        self.infinity = highspy.kHighsInf
        self.highs = highspy.Highs()
        self.highs.setOptionValue("output_flag", False)
        self.highs.setOptionValue("threads", 1)
        self.optimal = highspy.HighsModelStatus.kOptimal
        self.arcs = pricing.arcs()
        self.column = {arc: number for number, arc in enumerate(self.arcs)}
        self.part_column: dict[int, int] = {}
        self.n_rows = self.n_columns = 0
        self._columns([-score for score in pricing.first_order(self.arcs)], 1.0)
        self._heads(single_root)
        if connectivity == "flow":
            self._flow()
        self.one_gp: dict[int, int] = {}
        self.no_gp: dict[int, int] = {}
        if "OneGP" in self.constraints:
            below = [arc for arc in self.arcs if arc >= self.width]
            self.one_gp = {arc: self.n_rows + i for i, arc in enumerate(below)}
            self._rows([(0.0, 0.0, [(self.column[arc], -1.0)]) for arc in below])
        if "NoGP" in self.constraints:
            self.no_gp = {arc: self.n_rows + i for i, arc in enumerate(self.arcs)}
            self._rows([(-self.infinity, 0.0, [(self.column[arc], -float(self.n))]) for arc in self.arcs])

    def _columns(
        self, costs: Sequence[float], upper: float, entries: Sequence[Sequence[tuple[int, float]]] | None = None
    ) -> None:
        """Add columns; ``entries`` are their (row, value) pairs."""
        import numpy as np

        count = len(costs)
        lists = entries or [()] * count
        starts = np.cumsum([0, *(len(pairs) for pairs in lists)])[:count].astype(np.int32)
        flat = [pair for pairs in lists for pair in pairs]
        self.highs.addCols(
            count, np.array(costs, dtype=np.double), np.zeros(count), np.full(count, upper), len(flat), starts,
            np.array([row for row, _ in flat], dtype=np.int32), np.array([value for _, value in flat], dtype=np.double),
        )  # fmt: skip
        self.n_columns += count

    def _rows(self, rows: Sequence[tuple[float, float, Sequence[tuple[int, float]]]]) -> None:
        """Add rows: lower and upper limit, (column, value) pairs."""
        import numpy as np

        if not rows:
            return
        flat = [pair for _, _, pairs in rows for pair in pairs]
        starts = np.cumsum([0, *(len(pairs) for _, _, pairs in rows)])[: len(rows)].astype(np.int32)
        self.highs.addRows(
            len(rows), np.array([low for low, _, _ in rows]), np.array([high for _, high, _ in rows]),
            len(flat), starts,
            np.array([column for column, _ in flat], dtype=np.int32),
            np.array([value for _, value in flat], dtype=np.double),
        )  # fmt: skip
        self.n_rows += len(rows)

    def _heads(self, single_root: bool) -> None:
        into: dict[int, list[tuple[int, float]]] = {word: [] for word in range(1, self.width)}
        for arc in self.arcs:
            into[arc % self.width].append((self.column[arc], 1.0))
        rows = [(1.0, 1.0, pairs) for pairs in into.values()]
        if single_root:
            rows.append((1.0, 1.0, [(self.column[arc], 1.0) for arc in self.arcs if arc < self.width]))
        self._rows(rows)

    def _flow(self) -> None:
        """Single-commodity flow: Source, Consume, NoFlow."""
        n = float(self.n)
        flow = {arc: self.n_columns + i for i, arc in enumerate(self.arcs)}
        self._columns([0.0] * len(flow), self.infinity)
        rows: list[tuple[float, float, Sequence[tuple[int, float]]]] = [
            (n, n, [(flow[arc], 1.0) for arc in self.arcs if arc < self.width])
        ]
        for word in range(1, self.width):
            entering = [(flow[arc], 1.0) for arc in self.arcs if arc % self.width == word]
            leaving = [(flow[arc], -1.0) for arc in self.arcs if arc // self.width == word]
            rows.append((1.0, 1.0, entering + leaving))
        rows += [(-self.infinity, 0.0, [(flow[arc], 1.0), (self.column[arc], -n)]) for arc in self.arcs]
        self._rows(rows)

    def add_parts(self, parts: Sequence[int]) -> None:
        """Add the columns of parts, with the rows that are theirs."""
        scores = self.pricing.admit(parts)
        entries = []
        for part in parts:
            above, below = part // self.width, part // self.width % self.width * self.width + part % self.width
            pairs = [(self.one_gp[below], 1.0)] if self.one_gp else []
            if self.no_gp:
                pairs.append((self.no_gp[above], 1.0))
            entries.append(pairs)
        first = self.n_columns
        self._columns([-score for score in scores], 1.0, entries)
        rows: list[tuple[float, float, Sequence[tuple[int, float]]]] = []
        for number, part in enumerate(parts, first):
            self.part_column[part] = number
            above = self.column[part // self.width]
            below = self.column[part // self.width % self.width * self.width + part % self.width]
            if "ArcGP" in self.constraints:
                rows.append((-self.infinity, 1.0, [(above, 1.0), (below, 1.0), (number, -1.0)]))
            if "GPArc" in self.constraints:
                rows.append((-self.infinity, 0.0, [(number, 1.0), (above, -1.0)]))
                if not self.one_gp:  # OneGP says it too
                    rows.append((-self.infinity, 0.0, [(number, 1.0), (below, -1.0)]))
        self._rows(rows)

    def add_cuts(self, sets: Sequence[frozenset[int]]) -> None:
        """Demand that an arc enters each of these sets of words."""
        rows: list[tuple[float, float, Sequence[tuple[int, float]]]] = []
        for words in sets:
            entering = [arc for arc in self.arcs if arc % self.width in words and arc // self.width not in words]
            rows.append((1.0, self.infinity, [(self.column[arc], 1.0) for arc in entering]))
        self._rows(rows)

    def solve(self) -> float:
        """Solve; return the objective."""
        self.highs.run()
        if self.highs.getModelStatus() != self.optimal:
            # Seen with numerically hard bases: once more from scratch.
            self.highs.clearSolver()
            self.highs.run()
        if self.highs.getModelStatus() != self.optimal:
            status = self.highs.modelStatusToString(self.highs.getModelStatus())
            raise ArithmeticError(f"the linear programme was not solved: {status}")
        self.solution = self.highs.getSolution()
        return -float(self.highs.getInfo().objective_function_value)

    def arc_values(self) -> array[float]:
        """Return z by arc, as a matrix of n + 1 rows."""
        result = array("d", bytes(8 * self.width * self.width))
        values = self.solution.col_value
        for arc, column in self.column.items():
            result[arc] = values[column]
        return result

    def duals(self) -> tuple[array[float], array[float]]:
        """Return the duals of OneGP, tightened, and those of NoGP, by arc.

        Tightened (§4.3.3): where an arc is not in the solution, the dual of its OneGP row takes up all of the arc's
        own reduced cost, which lowers the reduced costs of all its parts and breaks nothing.
        """
        size = self.width * self.width
        one_gp, no_gp = array("d", bytes(8 * size)), array("d", bytes(8 * size))
        row_dual, col_dual, value = self.solution.row_dual, self.solution.col_dual, self.solution.col_value
        for arc, row in self.one_gp.items():
            one_gp[arc] = -row_dual[row]
            column = self.column[arc]
            if value[column] < 1e-9 and col_dual[column] > 0:
                one_gp[arc] += col_dual[column]
        for arc, row in self.no_gp.items():
            no_gp[arc] = max(0.0, -row_dual[row])
        return one_gp, no_gp
