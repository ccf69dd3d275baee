"""The linear programme over arcs and parts, in HiGHS.

Variables: z(h, m) for arcs, z(g, p, c) for grandparent and z(p, s, c) for sibling parts, flow for connectivity. Rows
(Riedel et al. 2012, §3; Martins et al. 2009):

- *OneHead*: the arcs into a word sum to 1. *OneRoot*, where trees have a single root: those from the root sum to 1.
- *Source*, *Consume*, *NoFlow*: the root sends out n units of flow, each word keeps one, flow takes active arcs only;
  or instead of these three *Cuts*, generated when violated: some arc enters every set of words.
- *ArcGP*: z(g,p) + z(p,c) - z(g,p,c) <= 1. *GPArc*: z(g,p,c) <= z(g,p) and z(g,p,c) <= z(p,c).
  OneHead, OneGP and GPArc together imply ArcGP: z(g,p,c) = z(p,c) - Σ z(g',p,c) >= z(p,c) - (1 - z(g,p)).
- *OneGP*: the parts of an arc (p, c), p > 0, sum to z(p,c). *NoGP*: those below (g, p) sum to n z(g,p) at most.
- *OneSib*: the sibling parts of an arc sum to z(p,c), as in OneGP. *NoSib*: those after (p, s) sum to z(p,s) at most,
  those of first children to 1 on each side of p. Both rows of a part have the shape of OneGP and NoGP, so it is priced
  in the same way. For one head and side they describe paths over its children, so they need no further rows.

Columns and rows can be added at any time.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from treewright.errors import MissingExtraError
from treewright.kinds.exact.programme.pricing import remaining_arcs, scores_of

if TYPE_CHECKING:
    from treewright.kinds.exact.programme.pricing import Pricing
    from treewright.kinds.exact.search.search import TreeSearch

CONSTRAINTS = ("ArcGP", "GPArc", "OneGP", "NoGP")
TOLERANCE = 1e-6
UNUSED = 1e-9  # an arc with no more than this is not in the solution
FAR_FROM_LAST = 1.3  # times as many columns as before: the last solution is no good start
DUAL, PRIMAL = 1, 4  # HiGHS's numbers of simplex methods
DEVEX = 1  # weights of edges that are cheap to update: faster than the solver's choice with all methods
INTEGRAL = 1e-5  # a value this near to 0 or 1 is 0 or 1


class ProgrammeTooLongError(Exception):
    """The simplex method did not come to the end within the iterations that it was given."""


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
        search: TreeSearch,
        pricings: Sequence[Pricing],
        constraints: Sequence[str],
        connectivity: str,
        limit: int | None = None,
        implied: bool = False,
    ) -> None:
        """``implied``: whether to keep rows that others imply."""
        highspy = solver()  # first: the error names the extra, which brings numpy too
        import numpy as np

        self.n, self.width = search.n, search.n + 1
        self.constraints = frozenset(constraints)
        self.infinity = highspy.kHighsInf
        self.highs = highspy.Highs()
        self.highs.setOptionValue("output_flag", False)
        self.highs.setOptionValue("threads", 1)
        self.highs.setOptionValue("simplex_dual_edge_weight_strategy", DEVEX)
        self.highs.setOptionValue("primal_simplex_bound_perturbation_multiplier", 0.0)
        if limit is not None:
            self.highs.setOptionValue("simplex_iteration_limit", limit)
        self.optimal, self.late = highspy.HighsModelStatus.kOptimal, highspy.HighsModelStatus.kIterationLimit
        self.n_rows = self.n_columns = self.solved_columns = 0
        self.has_new_cuts = False
        arcs = remaining_arcs(search)
        self.arcs = np.array(arcs, dtype=np.int64)
        self.column: Any = np.full(self.width * self.width, -1, dtype=np.int32)  # by arc
        self.column[self.arcs] = np.arange(len(self.arcs))
        self.add_columns(-np.array(scores_of(search, arcs)), 1.0)
        self._heads(search.single_root)
        self.flow = slice(0, 0)  # the columns of flow
        if connectivity == "flow":
            self._flow()
        self.implied = implied
        self.families = [Family(self, pricing) for pricing in pricings]

    def rows_by_arc(self, arcs: Any, low: float, weight: float) -> Any:
        """Add a row for each of these arcs, with only the arc in it so far; return the rows by arc."""
        import numpy as np

        rows: Any = np.full(self.width * self.width, -1, dtype=np.int32)
        rows[arcs] = self.n_rows + np.arange(len(arcs))
        self.add_rows(low, 0.0, self.column[arcs][:, None], weight)
        return rows

    def add_columns(self, costs: Any, upper: float, rows: Any = None) -> None:
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

    def add_rows(self, low: float, high: float, columns: Any, weights: Any) -> None:
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

    def _add_row_for_each_word(self, words: Any, columns: Any, weights: Any) -> None:
        """Add a row for each word whose weighted columns sum to 1: a column belongs to the row of its word."""
        import numpy as np

        order = np.argsort(words, kind="stable")
        starts = np.searchsorted(words[order], np.arange(1, self.width))
        one = np.ones(self.n)
        self.highs.addRows(
            self.n, one, one, len(order), starts.astype(np.int32), columns[order].astype(np.int32), weights[order]
        )
        self.n_rows += self.n

    def _heads(self, single_root: bool) -> None:
        import numpy as np

        self._add_row_for_each_word(self.arcs % self.width, self.column[self.arcs], np.ones(len(self.arcs)))
        if single_root:
            self.add_rows(1.0, 1.0, self.column[self.arcs[self.arcs < self.width]][None, :], 1.0)

    def _flow(self) -> None:
        """Single-commodity flow: Source, Consume, NoFlow."""
        import numpy as np

        n = float(self.n)
        flow: Any = self.n_columns + np.arange(len(self.arcs), dtype=np.int32)
        self.add_columns(np.zeros(len(self.arcs)), self.infinity)
        self.flow = slice(int(flow[0]), self.n_columns)
        heads, words = self.arcs // self.width, self.arcs % self.width
        self.add_rows(n, n, flow[heads == 0][None, :], 1.0)
        leaving = heads > 0
        self._add_row_for_each_word(
            np.concatenate([words, heads[leaving]]),
            np.concatenate([flow, flow[leaving]]),
            np.concatenate([np.ones(len(flow)), -np.ones(int(leaving.sum()))]),
        )
        self.add_rows(-self.infinity, 0.0, np.stack([flow, self.column[self.arcs]], axis=1), [1.0, -n])

    def add_cuts(self, sets: Sequence[frozenset[int]]) -> None:
        """Demand that an arc enters each of these sets of words."""
        import numpy as np

        self.has_new_cuts = bool(sets)
        for words in sets:
            inside: Any = np.zeros(self.width, dtype=bool)
            inside[list(words)] = True
            entering = self.arcs[inside[self.arcs % self.width] & ~inside[self.arcs // self.width]]
            self.add_rows(1.0, self.infinity, self.column[entering][None, :], 1.0)

    def solve(self) -> float:
        """Solve and return the objective; raise ProgrammeTooLongError if it takes more iterations than it may.

        The solver continues from its last solution, unless so many columns are new that it is faster from scratch. New
        columns leave that solution feasible, so the primal simplex method continues; new cuts do not.
        """
        from_scratch = self.n_columns > FAR_FROM_LAST * self.solved_columns
        if from_scratch:
            self.highs.clearSolver()
        self.highs.setOptionValue("simplex_strategy", DUAL if from_scratch or self.has_new_cuts else PRIMAL)
        self.solved_columns = self.n_columns
        self.highs.run()
        if self.highs.getModelStatus() == self.late:
            raise ProgrammeTooLongError
        if self.highs.getModelStatus() != self.optimal:
            # Happens with numerically hard bases: solve again from scratch.
            self.highs.clearSolver()
            self.highs.setOptionValue("simplex_strategy", DUAL)
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

    def spare(self) -> Any:
        """Return by arc what its reduced cost can take: nothing for arcs in the solution."""
        import numpy as np

        columns = self.column[self.arcs]
        result = np.zeros(self.width * self.width)
        unused = np.asarray(self.solution.col_value)[columns] < UNUSED
        result[self.arcs] = np.where(unused, np.maximum(np.asarray(self.solution.col_dual)[columns], 0.0), 0.0)
        return result

    def is_integral(self) -> bool:
        """Return whether every arc and every part is either in the solution or not; flow may be anything."""
        import numpy as np

        values: Any = np.delete(np.asarray(self.solution.col_value), self.flow)
        return bool(np.all((values < INTEGRAL) | (values > 1 - INTEGRAL)))


class Family:
    """The columns and rows of one kind of part."""

    def __init__(self, programme: Programme, pricing: Pricing) -> None:
        import numpy as np

        self.programme, self.pricing, self.width = programme, pricing, programme.width
        arcs, nothing = programme.arcs, programme.arcs[:0]
        self.constraints = programme.constraints & {*CONSTRAINTS} if not pricing.siblings else {"OneSib", "NoSib"}
        one, shared = ("OneSib", "NoSib") if pricing.siblings else ("OneGP", "NoGP")
        self.has_one, self.has_shared = one in self.constraints, shared in self.constraints
        self.below = (arcs if pricing.siblings else arcs[arcs >= self.width]) if self.has_one else nothing
        self.one = programme.rows_by_arc(self.below, 0.0, -1.0)
        self.above = arcs if self.has_shared else nothing
        most = 1.0 if pricing.siblings else float(programme.n)  # parts that can share an arc
        self.shared = programme.rows_by_arc(self.above, -programme.infinity, -most)
        if pricing.siblings:
            heads = np.arange(self.width)
            places = np.concatenate([heads * self.width + heads, heads[1:] * self.width])
            self.shared[places] = programme.n_rows + np.arange(len(places))
            programme.add_rows(-programme.infinity, 1.0, np.zeros((len(places), 0), dtype=np.int32), 1.0)
            self.above = np.concatenate([self.above, places])

    @property
    def has_more(self) -> bool:
        """Whether parts have a row with the arc that they need, whose dual can absorb what the arc spares."""
        return self.pricing.siblings or "GPArc" in self.constraints

    def add(self, parts: Sequence[int]) -> None:
        """Add the columns of parts, and their rows."""
        import numpy as np

        if not len(parts):
            return
        programme = self.programme
        scores = np.array(self.pricing.admit(parts))
        numbers = np.array(parts, dtype=np.int64)
        needed, child = numbers // self.width, numbers % self.width
        first, second = needed // self.width, needed % self.width
        own = (first if self.pricing.siblings else second) * self.width + child
        if self.pricing.siblings:  # a first child on the left: see PartFamily.toll
            needed = np.where((first == second) & (child < first), first * self.width, needed)
        rows = ([self.one[own]] if self.has_one else []) + ([self.shared[needed]] if self.has_shared else [])
        columns: Any = programme.n_columns + np.arange(len(numbers), dtype=np.int32)
        programme.add_columns(-scores, 1.0, np.stack(rows, axis=1) if rows else None)
        if self.pricing.siblings:
            return
        upper, lower = programme.column[needed], programme.column[own]
        if "ArcGP" in self.constraints and (programme.implied or not {"OneGP", "GPArc"} <= self.constraints):
            programme.add_rows(-programme.infinity, 1.0, np.stack([upper, lower, columns], axis=1), [1.0, 1.0, -1.0])
        if "GPArc" in self.constraints:
            programme.add_rows(-programme.infinity, 0.0, np.stack([columns, upper], axis=1), [1.0, -1.0])
            if "OneGP" not in self.constraints:  # which implies it
                programme.add_rows(-programme.infinity, 0.0, np.stack([columns, lower], axis=1), [1.0, -1.0])

    def duals(self, spare: Any, tighten: bool) -> tuple[array[float], array[float]]:
        """Return the duals of OneGP and those of NoGP, or OneSib and NoSib, by arc.

        ``tighten`` (§4.3.3): if an arc is not in the solution, the dual of its row absorbs the arc's own reduced cost,
        as far as its parts need it. This lowers the reduced costs of all its parts and keeps the duals feasible. What
        is absorbed is taken from ``spare``.
        """
        import numpy as np

        solution, size = self.programme.solution, self.width * self.width
        row_dual = np.asarray(solution.row_dual)
        one, shared = np.zeros(size), np.zeros(size)
        one[self.below] = -row_dual[self.one[self.below]]
        shared[self.above] = np.maximum(0.0, -row_dual[self.shared[self.above]])
        if tighten:
            needed = np.maximum(0.0, np.frombuffer(self.pricing.most()) - one)[self.below]
            absorbed = np.minimum(needed, spare[self.below])
            one[self.below] += absorbed
            spare[self.below] -= absorbed
        return array("d", one.tobytes()), array("d", shared.tobytes())
