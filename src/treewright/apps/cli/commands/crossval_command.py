"""Cross-validate a parser: every part of a treebank is parsed by a parser trained on the others.

Prints mean and standard deviation of the scores over the folds.
"""

from __future__ import annotations

import argparse

from treewright.apps.cli.argument_parser import ArgumentParser
from treewright.apps.cli.declared_arguments import add_recipe_arguments, given_options
from treewright.apps.cli.output_forms import print_json
from treewright.apps.cli.program import say
from treewright.apps.cli.shared_arguments import add_from, add_json, add_number, add_on_error, add_quiet, add_treebanks
from treewright.apps.cli.treebank_parts import treebank_parts
from treewright.recipes.catalogue import all_options, step_options

#: options of a recipe that have no place here: folds have no raw text, and the seed is that of the folds too
LEFT_OUT = ("seed", "pipeline", "jackknife", *step_options())


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_treebanks(parser, "treebanks to train and test on")
    add_number(parser, "--folds", 10, "parts of the treebank")
    add_number(parser, "--jobs", 1, "folds at a time, a process each")
    add_number(parser, "--seed", 1, "seed of parts and trainings")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="file for the parses of all folds, in the order of the treebank"
    )
    add_on_error(parser)
    add_from(parser, "treebanks")
    add_json(parser, "print JSON, with the scores of every fold")
    add_quiet(parser)
    add_recipe_arguments(parser, LEFT_OUT)


def run(arguments: argparse.Namespace) -> int:
    """Cross-validate and print."""
    from treewright.apps.experiments.crossvalidation import cross_validate

    choices = given_options(arguments, [name for name in all_options() if name not in LEFT_OUT])

    def done(fold: int, scores: dict[str, float]) -> None:
        if not arguments.quiet:
            name = "LAS" if "LAS" in scores else "all arcs, labelled, F1"
            say(f"fold {fold + 1}: {name} {scores[name]:.2f}")

    scores_of_folds = cross_validate(
        treebank_parts(arguments.treebank, quiet=arguments.quiet, judges=False).train,
        folds=arguments.folds,
        jobs=arguments.jobs,
        seed=arguments.seed,
        format=arguments.format,
        on_error=arguments.on_error,
        done=done,
        keep_parses=arguments.output,
        **choices,
    )
    if arguments.json:
        print_json(scores_of_folds.to_dict())
    else:
        print(scores_of_folds)
    return 0
