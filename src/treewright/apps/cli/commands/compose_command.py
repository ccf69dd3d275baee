"""Make one model of the steps of several.

A model is given with the steps to take from it, MODEL:tagger or MODEL:tokenizer,tagger, or alone for all of them.
"""

from __future__ import annotations

import argparse
import os

from treewright.apps.cli.argument_parser import ArgumentParser
from treewright.apps.cli.commands.train_command import check_target
from treewright.apps.cli.program import say
from treewright.apps.cli.shared_arguments import add_quiet, add_required_output


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.usage = "%(prog)s MODEL[:STEP,…] [MODEL[:STEP,…] ...] -o MODEL"
    parser.add_argument(
        "model", nargs="+", metavar="MODEL", help="models whose steps to take: A.tw:tokenizer,tagger B.tw:parser"
    )
    add_required_output(parser, "MODEL", "model file to write")
    parser.add_argument("--licence", default="", help="licence of the new model (default: those of its parts)")
    parser.add_argument("--description", default="", help="a line about the model, kept in it")
    parser.add_argument(
        "--allow-missing", action="store_true", help="a step may look at columns that no step before it gives"
    )
    add_quiet(parser, "say nothing")


def run(arguments: argparse.Namespace) -> int:
    """Load, join and save."""
    from treewright.steps.composing import Given, compose
    from treewright.steps.named_models import find_model
    from treewright.steps.step import Step

    check_target(arguments.output)
    given = []
    for word in arguments.model:
        name, steps = _parts(word)
        given.append(Given(name, Step.load(find_model(name)), tuple(steps)))
    pipeline = compose(given, arguments.allow_missing)
    for key in ("licence", "description"):
        if getattr(arguments, key):
            pipeline.info[key] = getattr(arguments, key)
    pipeline.save(arguments.output)
    if not arguments.quiet:
        say(f"wrote {arguments.output}: {', '.join(pipeline.steps)}")
    return 0


def _parts(word: str) -> tuple[str, list[str]]:
    """Return a model and the steps to take of it; a file may have a colon in its name."""
    name, colon, steps = word.rpartition(":")
    if not colon or os.path.exists(word):
        return word, []
    return name, [step.strip() for step in steps.split(",") if step.strip()]
