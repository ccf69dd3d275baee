"""``python -m treewright.oracles [TABLE]``: compare every oracle with exhaustive search; print a table of Markdown.

A table is a module of this package with ``COLUMNS``, the most ``WORDS`` of a sentence by default, and ``rows``, which
takes the options and yields a cell for each column.
"""

from __future__ import annotations

import argparse
from importlib import import_module

from treewright.oracles.comparison import shown
from treewright.systems import SYSTEMS
from treewright.systems.graphs import GRAPH_SYSTEMS

TABLES = {
    "comparison": "every answer of every oracle, for all small trees",
    "weighted": "the same, with weights of arcs",
    "rules": "costs where rules hold",
    "graphs": "oracles of systems for graphs",
    "nonprojective": "what costs mean if the gold tree is not projective",
    "static_dynamic": "how often static-dynamic oracles are right",
    "printed": "costs as papers printed them",
    "reachability": "which systems are arc-decomposable",
}


def main(arguments: list[str] | None = None) -> int:
    """Print a table; return 1 if any answer was wrong."""
    parser = argparse.ArgumentParser(
        prog="python -m treewright.oracles",
        description="Compare oracles with exhaustive search, and print a table.",
        epilog="tables: " + "; ".join(f"{name}: {about}" for name, about in TABLES.items()),
    )
    parser.add_argument("table", nargs="?", choices=TABLES, default="comparison", metavar="TABLE")
    parser.add_argument("--words", type=int, help="most words of a sentence (default: a few seconds' worth)")
    parser.add_argument("--leaves", action="store_true", help="with words that may not govern others, in every choice")
    parser.add_argument("--system", choices=(*SYSTEMS, *GRAPH_SYSTEMS), help="only this system (default: all of them)")
    parser.add_argument("--sample", type=int, default=0, help="of graphs: draw as many at random (default: all)")
    options = parser.parse_args(arguments)
    table = import_module(f"treewright.oracles.{options.table}")
    if options.words is None:
        options.words = table.WORDS
    print(f"| {' | '.join(table.COLUMNS)} |\n{'|---' * len(table.COLUMNS)}|")
    wrong = 0
    for row in table.rows(options):
        print(f"| {' | '.join(map(shown, row))} |", flush=True)
        wrong += row[-1] if table.COLUMNS[-1] == "mismatches" else 0
    return 1 if wrong else 0


if __name__ == "__main__":
    raise SystemExit(main())
