"""Teach a fast parser: a slow model parses raw text, the fast one learns from these trees and from gold ones.

Give raw text if the teacher is a pipeline, else treebanks with tags; their trees are not looked at. All options of
`treewright train` describe the student.
"""

from __future__ import annotations

import argparse
import os

from treewright.apps.cli.argument_parser import ArgumentParser
from treewright.apps.cli.commands.train_command import check_target, report, training_options
from treewright.apps.cli.declared_arguments import add_option_arguments, add_recipe_arguments, given_options
from treewright.apps.cli.inputs import paths_of
from treewright.apps.cli.shared_arguments import add_number, add_training
from treewright.apps.cli.treebank_parts import treebank_parts
from treewright.errors import TreewrightError
from treewright.options.option import options_of
from treewright.recipes.catalogue import step_options

#: options of a recipe that have no place here: a student is a parser, and what comes before it is its teacher's
LEFT_OUT = ("pipeline", "jackknife", "raw", "threads", *step_options())


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    from treewright.apps.tuning.distilling import TOPIC, Lessons

    parser.usage = "%(prog)s TEACHER RAW [RAW ...] --treebank FILE -o MODEL [--dev FILE] [options]"
    parser.add_argument(
        "teacher", metavar="TEACHER", help="model that parses the raw text: a file, or a name such as `english`"
    )
    parser.add_argument("raw", nargs="+", metavar="RAW", help="texts to parse: files, globs or folders")
    parser.add_argument("--treebank", action="append", required=True, metavar="FILE", help="gold trees to learn from")
    add_training(parser)
    add_number(parser, "--threads", 1, "threads of the teacher")
    add_option_arguments(parser, Lessons, {TOPIC: ("teacher", TOPIC)}, common=options_of(Lessons))
    add_recipe_arguments(parser, LEFT_OUT)


def run(arguments: argparse.Namespace) -> int:
    """Parse, train and save."""
    from treewright import load
    from treewright.apps.cli.progress.training_progress import TrainingProgress
    from treewright.apps.tuning.distilling import Lessons, distill

    if arguments.threads < 1:
        raise TreewrightError(f"--threads {arguments.threads}: at least one thread is needed")
    check_target(arguments.output)
    options = training_options(arguments, LEFT_OUT)
    parts = treebank_parts(arguments.treebank, arguments.dev, arguments.quiet)
    lessons = Lessons(**given_options(arguments, options_of(Lessons)))
    with TrainingProgress(arguments.quiet) as observer:
        student = distill(
            load(arguments.teacher),
            paths_of(arguments.raw),
            parts.train,
            parts.dev,
            lessons=lessons,
            teacher_name=os.path.basename(arguments.teacher),
            teacher_threads=arguments.threads,
            observer=observer,
            **options,
        )
    student.save(arguments.output)
    report(student.info, arguments)
    return 0
