"""Cross-validate a parser: every part of a treebank is parsed by a parser trained on the others.

Prints mean and standard deviation of the scores over the folds.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from treewright.cli.program import say
from treewright.errors import TreewrightError

#: options of a training that have an argument of their own
CHOICES = ("system", "policy", "features", "iterations", "learner")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("treebank", help="treebank to train and test on, any format, compressed or not")
    parser.add_argument("--folds", type=int, default=10, metavar="N", help="parts of the treebank (default 10)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="folds at a time, a process each (default 1)")
    parser.add_argument("--seed", type=int, default=1, help="of the parts, and of each training (default 1)")
    parser.add_argument("--system", metavar="NAME", help="as for `treewright train`")
    parser.add_argument("--policy", metavar="NAME", help="as for `treewright train`")
    parser.add_argument("--features", metavar="NAME|FILE", help="as for `treewright train`")
    parser.add_argument("--iterations", type=int, metavar="N", help="as for `treewright train`; the last round counts")
    parser.add_argument("--learner", metavar="NAME", help="as for `treewright train`")
    parser.add_argument(
        "--option", action="append", default=[], metavar="NAME=VALUE", help="any other option of a training; repeatable"
    )
    parser.add_argument(
        "--on-error", choices=("fail", "skip", "fix"), default="fail", help="what to do with bad trees (default fail)"
    )
    parser.add_argument("--format", metavar="NAME", help="format of the treebank, if it is not to be guessed")
    parser.add_argument("--json", action="store_true", help="print JSON, with the scores of every fold")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")


def run(arguments: argparse.Namespace) -> int:
    """Cross-validate and print."""
    from treewright.evaluation.crossvalidation import cross_validate

    choices = {name: getattr(arguments, name) for name in CHOICES if getattr(arguments, name) is not None}
    choices |= dict(map(_option, arguments.option))

    def done(fold: int, scores: dict[str, float]) -> None:
        if not arguments.quiet:
            name = "LAS" if "LAS" in scores else "all arcs, labelled, F1"
            say(f"fold {fold + 1}: {name} {scores[name]:.2f}")

    found = cross_validate(
        arguments.treebank,
        folds=arguments.folds,
        jobs=arguments.jobs,
        seed=arguments.seed,
        format=arguments.format,
        on_error=arguments.on_error,
        done=done,
        **choices,
    )
    print(json.dumps(found.to_dict(), ensure_ascii=False, indent=2) if arguments.json else found)
    return 0


def _option(text: str) -> tuple[str, Any]:
    """Return name and value; numbers, true and false as such."""
    name, sign, value = text.partition("=")
    if not sign or not name:
        raise TreewrightError(f"--option {text}: it is NAME=VALUE, as in cutoff=2")
    try:
        found = json.loads(value)
    except ValueError:
        found = value
    return name.replace("-", "_"), found if isinstance(found, (int, float, bool)) else value
