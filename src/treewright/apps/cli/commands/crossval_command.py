"""Cross-validate a parser: every part of a treebank is parsed by a parser trained on the others.

Prints mean and standard deviation of the scores over the folds.
"""

from __future__ import annotations

import argparse
import json

from treewright.apps.cli.declared_arguments import add_recipe_arguments, given_options
from treewright.apps.cli.inputs import paths_of
from treewright.apps.cli.program import say
from treewright.kinds.pipeline.recipe import step_options
from treewright.recipes.catalogue import all_options

#: options of a recipe that have no place here: folds have no raw text, and the seed is that of the folds too
LEFT_OUT = ("seed", "pipeline", "jackknife", *step_options())


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "treebank", nargs="+", help="treebanks to train and test on, any format, compressed or not; globs, folders"
    )
    parser.add_argument("--folds", type=int, default=10, metavar="N", help="parts of the treebank (default 10)")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="folds at a time, a process each (default 1)")
    parser.add_argument("--seed", type=int, default=1, help="of the parts, and of each training (default 1)")
    parser.add_argument(
        "--on-error", choices=("fail", "skip", "fix"), default="fail", help="what to do with bad trees (default fail)"
    )
    parser.add_argument("--format", metavar="NAME", help="format of the treebank, if it is not to be guessed")
    parser.add_argument(
        "--keep-parses",
        metavar="FILE",
        help="keep the parses of all folds, in the order of the treebank: `eval --against` tests differences",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, with the scores of every fold")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")
    add_recipe_arguments(parser, LEFT_OUT)


def run(arguments: argparse.Namespace) -> int:
    """Cross-validate and print."""
    from treewright.apps.experiments.crossvalidation import cross_validate

    choices = given_options(arguments, [name for name in all_options() if name not in LEFT_OUT])

    def done(fold: int, scores: dict[str, float]) -> None:
        if not arguments.quiet:
            name = "LAS" if "LAS" in scores else "all arcs, labelled, F1"
            say(f"fold {fold + 1}: {name} {scores[name]:.2f}")

    found = cross_validate(
        paths_of(arguments.treebank),
        folds=arguments.folds,
        jobs=arguments.jobs,
        seed=arguments.seed,
        format=arguments.format,
        on_error=arguments.on_error,
        done=done,
        keep_parses=arguments.keep_parses,
        **choices,
    )
    print(json.dumps(found.to_dict(), ensure_ascii=False, indent=2) if arguments.json else found)
    return 0
