"""The linear programme over arcs and grandparent parts, in HiGHS.

Variables: z(h, m) for arcs, z(g, p, c) for parts, flow for connectivity. Rows (Riedel et al. 2012, §3; Martins et al.
2009):

- *OneHead*: the arcs into a word sum to 1. *OneRoot*, where trees have a single root: those from the root sum to 1.
- *Source*, *Consume*, *NoFlow*: the root sends out n units of flow, each word keeps one, flow takes active arcs only;
  or instead of these three *Cuts*, generated when violated: some arc enters every set of words.
- *ArcGP*: z(g,p) + z(p,c) - z(g,p,c) <= 1. *GPArc*: z(g,p,c) <= z(g,p) and z(g,p,c) <= z(p,c).
- *OneGP*: the parts of an arc (p, c), p > 0, sum to z(p,c). *NoGP*: those below (g, p) sum to n z(g,p) at most.

Columns and rows can be added at any time; the solver continues from its last solution.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from treewright.errors import MissingExtraError

if TYPE_CHECKING:
    from treewright.exact.pricing import Pricing

CONSTRAINTS = ("ArcGP", "GPArc", "OneGP", "NoGP")
CONNECTIVITY = ("flow", "cuts")
TOLERANCE = 1e-6


def solver() -> Any:
    """Return the module of HiGHS; if it is missing, the error names the extra to install."""
    try:
        import highspy
    except ImportError:
        raise MissingExtraError("the linear programme", "highspy", "exact") from None
    return highspy


class Programme:
    """A linear programme that grows: arcs first, then parts with their rows.

    The solver gets everything in arrays: a brute-force programme has tens of thousands of rows.
    """

    def __init__(
        self,
        pricing: Pricing,
        constraints: Sequence[str],
        connectivity: str,
        single_root: bool,
        limit: float | None = None,
    ) -> None:
        highspy = solver()  # first: the error names the extra, which brings numpy too
        import numpy as np

        self.pricing, self.n, self.width = pricing, pricing.n, pricing.width
        self.constraints = frozenset(constraints)
        self.infinity = highspy.kHighsInf
        self.highs = highspy.Highs()
        self.highs.setOptionValue("output_flag", False)
        self.highs.setOptionValue("threads", 1)
        if limit is not None:
            self.highs.setOptionValue("time_limit", limit)
        self.optimal, self.late = highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kTimeLimit
        self.n_rows = self.n_columns = 0
        self.arcs = np.array(pricing.arcs(), dtype=np.int64)
        self.column: Any = np.full(self.width * self.width, -1, dtype=np.int32)  # by arc
        self.column[self.arcs] = np.arange(len(self.arcs))
        self._columns(-np.array(pricing.first_order(pricing.arcs())), 1.0)
        self._heads(single_root)
        if connectivity == "flow":
            self._flow()
        self.below = self.arcs[self.arcs >= self.width] if "OneGP" in self.constraints else self.arcs[:0]
        self.one_gp = self._rows_by_arc(self.below, 0.0, -1.0)
        self.above = self.arcs if "NoGP" in self.constraints else self.arcs[:0]
        self.no_gp = self._rows_by_arc(self.above, -self.infinity, -float(self.n))

    def _rows_by_arc(self, arcs: Any, low: float, weight: float) -> Any:
        """Add a row for each of these arcs, with only the arc in it so far; return the rows by arc."""
        import numpy as np

        rows: Any = np.full(self.width * self.width, -1, dtype=np.int32)
        rows[arcs] = self.n_rows + np.arange(len(arcs))
        self._rows(low, 0.0, self.column[arcs][:, None], weight)
        return rows

    def _columns(self, costs: Any, upper: float, rows: Any = None) -> None:
        """Add columns; ``rows``, a line per column, are the rows in which it has a weight of 1."""
        import numpy as np

        count = len(costs)
        each = 0 if rows is None else rows.shape[1]
        self.highs.addCols(
            count,
            costs,
            np.zeros(count),
            np.full(count, upper),
            count * each,
            np.arange(count, dtype=np.int32) * each,
            np.zeros(0, dtype=np.int32) if rows is None else rows.ravel(),
            np.ones(count * each),
        )
        self.n_columns += count

    def _rows(self, low: float, high: float, columns: Any, weights: Any) -> None:
        """Add rows with the same limits and as many columns each: a line of columns per row, weights for a line."""
        import numpy as np

        count, each = columns.shape
        if count:
            self.highs.addRows(
                count,
                np.full(count, low),
                np.full(count, high),
                count * each,
                np.arange(count, dtype=np.int32) * each,
                np.ascontiguousarray(columns, dtype=np.int32).ravel(),
                np.ascontiguousarray(np.broadcast_to(np.asarray(weights, dtype=np.double), columns.shape)).ravel(),
            )
        self.n_rows += count

    def _heads(self, single_root: bool) -> None:
        for word in range(1, self.width):
            self._rows(1.0, 1.0, self.column[self.arcs[self.arcs % self.width == word]][None, :], 1.0)
        if single_root:
            self._rows(1.0, 1.0, self.column[self.arcs[self.arcs < self.width]][None, :], 1.0)

    def _flow(self) -> None:
        """Single-commodity flow: Source, Consume, NoFlow."""
        import numpy as np

        n = float(self.n)
        flow: Any = self.n_columns + np.arange(len(self.arcs), dtype=np.int32)
        self._columns(np.zeros(len(self.arcs)), self.infinity)
        heads, words = self.arcs // self.width, self.arcs % self.width
        self._rows(n, n, flow[heads == 0][None, :], 1.0)
        for word in range(1, self.width):
            entering, leaving = flow[words == word], flow[heads == word]
            weights = np.concatenate([np.ones(len(entering)), -np.ones(len(leaving))])
            self._rows(1.0, 1.0, np.concatenate([entering, leaving])[None, :], weights)
        self._rows(-self.infinity, 0.0, np.stack([flow, self.column[self.arcs]], axis=1), [1.0, -n])

    def add_parts(self, parts: Sequence[int]) -> None:
        """Add the columns of parts, and their rows."""
        import numpy as np

        if not len(parts):
            return
        scores = np.array(self.pricing.admit(parts))
        numbers = np.array(parts, dtype=np.int64)
        above = numbers // self.width
        below = above % self.width * self.width + numbers % self.width
        rows = []
        if "OneGP" in self.constraints:
            rows.append(self.one_gp[below])
        if "NoGP" in self.constraints:
            rows.append(self.no_gp[above])
        columns: Any = self.n_columns + np.arange(len(numbers), dtype=np.int32)
        self._columns(-scores, 1.0, np.stack(rows, axis=1) if rows else None)
        upper, lower = self.column[above], self.column[below]
        if "ArcGP" in self.constraints:
            self._rows(-self.infinity, 1.0, np.stack([upper, lower, columns], axis=1), [1.0, 1.0, -1.0])
        if "GPArc" in self.constraints:
            self._rows(-self.infinity, 0.0, np.stack([columns, upper], axis=1), [1.0, -1.0])
            if "OneGP" not in self.constraints:  # which implies it
                self._rows(-self.infinity, 0.0, np.stack([columns, lower], axis=1), [1.0, -1.0])

    def add_cuts(self, sets: Sequence[frozenset[int]]) -> None:
        """Demand that an arc enters each of these sets of words."""
        import numpy as np

        for words in sets:
            inside: Any = np.zeros(self.width, dtype=bool)
            inside[list(words)] = True
            entering = self.arcs[inside[self.arcs % self.width] & ~inside[self.arcs // self.width]]
            self._rows(1.0, self.infinity, self.column[entering][None, :], 1.0)

    def solve(self) -> float:
        """Solve and return the objective; raise TimeoutError if it takes too long."""
        self.highs.run()
        if self.highs.getModelStatus() == self.late:
            raise TimeoutError("the linear programme exceeded its time limit")
        if self.highs.getModelStatus() != self.optimal:
            # Happens with numerically hard bases: solve again from scratch.
            self.highs.clearSolver()
            self.highs.run()
        if self.highs.getModelStatus() != self.optimal:
            status = self.highs.modelStatusToString(self.highs.getModelStatus())
            raise ArithmeticError(f"the linear programme was not solved: {status}")
        self.solution = self.highs.getSolution()
        return -float(self.highs.getInfo().objective_function_value)

    def arc_values(self) -> array[float]:
        """Return z by arc, as a matrix of n + 1 rows."""
        import numpy as np

        result = np.zeros(self.width * self.width)
        result[self.arcs] = np.asarray(self.solution.col_value)[self.column[self.arcs]]
        return array("d", result.tobytes())

    def duals(self) -> tuple[array[float], array[float]]:
        """Return the duals of OneGP, tightened, and those of NoGP, by arc.

        Tightened (§4.3.3): if an arc is not in the solution, the dual of its OneGP row absorbs the arc's own reduced
        cost. This lowers the reduced costs of all its parts and keeps the duals feasible.
        """
        import numpy as np

        row_dual, col_dual = np.asarray(self.solution.row_dual), np.asarray(self.solution.col_dual)
        one_gp, no_gp = np.zeros(self.width * self.width), np.zeros(self.width * self.width)
        columns = self.column[self.below]
        spare = np.where(np.asarray(self.solution.col_value)[columns] < 1e-9, np.maximum(col_dual[columns], 0.0), 0.0)
        one_gp[self.below] = spare - row_dual[self.one_gp[self.below]]
        no_gp[self.above] = np.maximum(0.0, -row_dual[self.no_gp[self.above]])
        return array("d", one_gp.tobytes()), array("d", no_gp.tobytes())
