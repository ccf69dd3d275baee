"""Parse, price and cut against brute force: the tables of Riedel, Smith & McCallum (2012), with one's own model.

    python benchmarks/ppc.py MODEL TREEBANK [--longest 25] [--sample 40] [--limit 100000] [--table-2]

Brute force takes seconds for a sentence of 25 words and minutes for one of 60: ``--longest`` leaves out longer ones,
``--sample`` takes that many of the rest, evenly spread, and ``--limit`` leaves out sentences that take more
iterations of the simplex method than that, a minute or so: the same ones on any machine. `treewright experiment
experiments/riedel-smith-mccallum-2012.toml` trains the models, too.
"""

from __future__ import annotations

import argparse

from treewright.kinds.exact.solver_comparison import CONSTRAINT_SETS, METHODS, compare_solvers, rows_of
from treewright.steps.parser import Parser


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("treebank")
    parser.add_argument("--longest", type=int, default=25, help="words of the longest sentence (default 25)")
    parser.add_argument("--shortest", type=int, default=2, help="words of the shortest sentence (default 2)")
    parser.add_argument("--sample", type=int, default=0, help="sentences to take, evenly spread (default: all)")
    parser.add_argument("--limit", type=int, help="simplex iterations for a programme; beyond, a sentence is left out")
    parser.add_argument("--table-2", action="store_true", help="compare sets of constraints, by brute force")
    parser.add_argument("--methods", default=";".join(METHODS), help=f"(default {';'.join(METHODS)})")
    arguments = parser.parse_args()
    ways = CONSTRAINT_SETS if arguments.table_2 else {name: METHODS[name] for name in arguments.methods.split(";")}
    comparison = compare_solvers(
        Parser.load(arguments.model),
        arguments.treebank,
        ways,
        limit=arguments.limit,
        sentences=arguments.sample,
        lengths=range(arguments.shortest, arguments.longest + 1),
    )
    if not comparison.sentences:
        raise SystemExit("no sentences of this length were solved within the limit")
    left_out = f"; {comparison.late} more left out: beyond the limit" if comparison.late else ""
    print(f"{comparison.sentences} sentences, {comparison.words} words{left_out}; CPU seconds")
    print("| | " + " | ".join(ways) + " |\n|---|" + "---|" * len(ways))
    for name, values in rows_of(comparison, next(iter(ways))):
        print(f"| {name} | " + " | ".join(values) + " |")


if __name__ == "__main__":
    main()
