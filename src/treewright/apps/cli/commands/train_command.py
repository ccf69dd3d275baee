"""Train a parser on a treebank.

With --dev, the best round on it is kept. Ctrl-C ends training early and keeps the best so far.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Collection
from typing import Any

from treewright.apps.cli.argument_parser import ArgumentParser
from treewright.apps.cli.declared_arguments import add_recipe_arguments, given_options
from treewright.apps.cli.output_forms import print_json
from treewright.apps.cli.program import say
from treewright.apps.cli.shared_arguments import add_training, add_treebanks
from treewright.apps.cli.treebank_parts import treebank_parts
from treewright.errors import TreewrightError
from treewright.options.topics import BATCH, WORDS
from treewright.recipes.catalogue import all_options

#: keywords of ``train`` that are not of a recipe, and arguments of the same names
ABOUT_TRAINING = ("on_error", "format", "licence", "description")
RAW_TEXT = "raw_text"  # where a pipeline's info keeps its scores on dev from raw text


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.usage = "%(prog)s TREEBANK [TREEBANK ...] -o MODEL [--dev FILE] [options]"
    add_treebanks(parser)
    add_training(parser)
    parser.add_argument("--init-from", metavar="MODEL", help="go on from a trained model")
    add_recipe_arguments(parser)
    parser.topic(WORDS[BATCH], BATCH).add(
        "--dump-instances", metavar="FILE", help="write the instances of a batch learner (.timbl, .libsvm, .parquet)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Train and save."""
    from treewright.apps.cli.progress.training_progress import TrainingProgress
    from treewright.training.trainer import train

    check_target(arguments.output)
    options = training_options(arguments)
    parts = treebank_parts(arguments.treebank, arguments.dev, arguments.quiet)
    with TrainingProgress(arguments.quiet) as observer:
        parser = train(
            parts.train,
            parts.dev,
            init_from=arguments.init_from,
            observer=observer,
            dump_instances=arguments.dump_instances,
            **options,
        )
    parser.save(arguments.output)
    report(parser.info, arguments)
    return 0


def training_options(arguments: argparse.Namespace, leave_out: Collection[str] = ()) -> dict[str, Any]:
    """Return the keywords of ``train`` that were given, in a configuration file or here."""
    options: dict[str, Any] = {name: getattr(arguments, name) for name in ABOUT_TRAINING}
    if arguments.config is not None:
        from treewright.recipes.toml_file import read_config

        options.update(read_config(arguments.config))
    options.update(given_options(arguments, [name for name in all_options() if name not in leave_out]))
    return options


def check_target(path: str) -> None:
    """Check whether the result can be written, before hours of work."""
    from treewright.treebank.files.output import check_writable

    if path == "-":
        raise TreewrightError("a model cannot go to standard output. Give -o a file name")
    check_writable(path)


def report(info: dict[str, Any], arguments: argparse.Namespace) -> None:
    """Say what was trained and written."""
    size = os.path.getsize(arguments.output) if os.path.isfile(arguments.output) else 0
    if arguments.json:
        print_json({"model": arguments.output, "bytes": size, **info})
        return
    if "dev" in info:
        print(dev_line(info["dev"]))
        if RAW_TEXT in info["dev"]:
            print(raw_text_line(info["dev"]))
    if not arguments.quiet:
        shown = f"{size / 1e6:.1f} MB" if size >= 1e6 else f"{size / 1e3:.0f} kB"
        say(f"wrote {arguments.output} ({shown})")


def dev_line(dev: dict[str, Any]) -> str:
    """Return the scores on dev as a line, those of the steps before the parser too."""
    steps = {name: scores for name, scores in dev.items() if isinstance(scores, dict) and name != RAW_TEXT}
    plain = {name: score for name, score in dev.items() if isinstance(score, float)}
    shown = [f"{_name(name)} {score:.2f}" for scores in (*steps.values(), plain) for name, score in scores.items()]
    meaning = "; all words, full relations" if "las" in dev else ""
    return f"{dev['name']}: {'  '.join(shown)}  (round {dev['round']}{meaning})"


def raw_text_line(dev: dict[str, Any]) -> str:
    """Return what the finished pipeline gets right on dev from raw text, as a line."""
    shown = (
        f"{name} {score:.2f}" if isinstance(score, float) else f"{name}: {score}"
        for name, score in dev[RAW_TEXT].items()
    )
    return f"{dev['name']} from raw text, CoNLL 2018 F1 (relations without subtype): {'  '.join(shown)}"


def _name(name: str) -> str:
    """Return a score's name as people write it."""
    return name.replace("_f1", "").replace("_", " ") if "_" in name else name.upper()
