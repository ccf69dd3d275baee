"""Does training with a dynamic oracle keep one mistake from leading to the next? Policies side by side.

    python benchmarks/error_propagation.py TREEBANKS_FOLDER hu_szeged el_gdt tr_imst [--system arc-eager] [--seeds 3]

A treebank is a folder with one *train*, *dev* and *test* file each. For every policy and seed a parser is trained, and
its moves on the test set are replayed and judged by the dynamic oracle (see docs/how-to/analyze.md). The ratio compares
the mistakes after the first one of a sentence with those that the parser makes there when all earlier moves are right;
its interval is that of the first seed. Other figures are means over seeds; ± is the standard deviation of the ratio.
"""

from __future__ import annotations

import argparse
import warnings
from pathlib import Path
from statistics import mean, stdev
from typing import Any

import treewright as tw

POLICIES = ("static", "ambiguity", "explore")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("names", nargs="+")
    arguments.add_argument("--system", nargs="+", default=["arc-eager"])
    arguments.add_argument("--policy", nargs="+", default=POLICIES)
    arguments.add_argument("--features", default="rich")
    arguments.add_argument("--seeds", type=int, default=3)
    options = arguments.parse_args()
    warnings.simplefilter("ignore")
    print(
        "| treebank | system | policy | LAS | % mistakes, all earlier ones right | % after the first mistake,", end=""
    )
    print(" all earlier ones right | % after the first mistake | ratio | ± | 95 % |")
    print("|---|---|---|---|---|---|---|---|---|---|", flush=True)
    for name in options.names:
        for system in options.system:
            for policy in options.policy:
                print(row(options, name, system, policy), flush=True)


def row(options: argparse.Namespace, name: str, system: str, policy: str) -> str:
    train, dev, test = (next((options.folder / name).glob(f"*{part}*.conllu")) for part in ("train", "dev", "test"))
    scores: list[float] = []
    reports: list[Any] = []
    for seed in range(1, options.seeds + 1):
        parser = tw.train(
            train, dev, system=system, policy=policy, features=options.features, seed=seed, on_error="fix"
        )
        found = tw.analyze(str(test), parser, by=(), sentences=0)
        scores.append(found.total.first_score)
        reports.append(found.moves[0])
    ratios = [report.inflation for report in reports if report.inflation is not None]
    spread = stdev(ratios) if len(ratios) > 1 else 0.0
    ratio = f"{mean(ratios):.3f}" if ratios else "-"  # none: no mistake after the first one
    interval = f"{reports[0].low:.2f} to {reports[0].high:.2f}" if reports[0].low is not None else "-"
    return (
        f"| {name} | {system} | {policy} | {mean(scores):.2f} | {mean(r.corrected_rate for r in reports):.2f}"
        f" | {mean(r.corrected_later_rate for r in reports):.2f} | {mean(r.later_rate for r in reports):.2f}"
        f" | {ratio} | {spread:.3f} | {interval} |"
    )


if __name__ == "__main__":
    main()
