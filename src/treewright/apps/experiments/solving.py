"""Exact parsing as an experiment: ways to solve the same linear programmes, for a cell and for the report."""

from __future__ import annotations

import io
from dataclasses import asdict
from typing import Any

from treewright.apps.experiments.groups import Results
from treewright.apps.experiments.tables import ResultTable

LIMIT = 100_000  # iterations of the simplex method for a programme: about a minute. Beyond, a sentence is left out
LONGEST = 25  # words of a sentence, unless the cell says otherwise
#: key in a cell's result, title of the table, and what the others are measured by
_TABLES = (
    ("methods", "Parse, price and cut against brute force", "brute force"),
    ("constraints", "Sets of constraints, by brute force", "ArcGP+GPArc"),
)


def solver_costs(parser: Any, gold: bytes, sentences: int, longest: int) -> dict[str, Any]:
    """Return what every method and every set of constraints did with sentences of a test set, as plain data."""
    from treewright.kinds.exact.solver_comparison import CONSTRAINT_SETS, METHODS, compare_solvers

    costs = {}
    for key, ways in (("methods", METHODS), ("constraints", CONSTRAINT_SETS)):
        comparison = compare_solvers(
            parser, io.BytesIO(gold), ways, lengths=range(2, longest + 1), sentences=sentences, limit=LIMIT
        )
        costs[key] = asdict(comparison)
    return costs


def solver_tables(results: Results) -> list[ResultTable]:
    """Return a table of methods and one of constraints, where cells have compared them."""
    from treewright.kinds.exact.solver_comparison import SolverComparison, Tally, rows_of

    tables = []
    for key, title, base in _TABLES:
        table: ResultTable | None = None
        for group in results.groups:
            kept = group.first.get("solving", {}).get(key)
            if not kept or not kept["sentences"]:
                continue
            tallies = {name: Tally(**one) for name, one in kept["tallies"].items()}
            comparison = SolverComparison(**{**kept, "tallies": tallies})
            table = table or ResultTable(title, ["treebank", "", *comparison.tallies])
            late = f", {comparison.late} left out" if comparison.late else ""
            name = f"{group.treebank}: {comparison.sentences} sentences, {comparison.words} words{late}"
            table.rows += [
                [name if number == 0 else "", row, *values]
                for number, (row, values) in enumerate(rows_of(comparison, base))
            ]
        if table is not None:
            table.note = f"CPU time; sentences with a programme of more than {LIMIT:,} simplex iterations are left out."
            tables.append(table)
    return tables
