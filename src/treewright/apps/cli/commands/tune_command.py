"""Search for the templates and options that suit a treebank, and write them as a configuration for `train --config`.

Systems, lifting, cutoff, rounds and feature templates are tried on dev within a budget of time. Ctrl-C ends the search
and keeps the best so far; the same command goes on where it was.
"""

from __future__ import annotations

import argparse
import os
from typing import Any

from treewright.apps.cli.argument_parser import ArgumentParser
from treewright.apps.cli.declared_arguments import add_recipe_arguments, given_options
from treewright.apps.cli.program import say
from treewright.apps.cli.shared_arguments import (
    add_dev,
    add_from,
    add_on_error,
    add_quiet,
    add_required_output,
    add_treebanks,
)
from treewright.apps.cli.treebank_parts import treebank_parts
from treewright.errors import TreewrightError
from treewright.kinds.transition.recipe import TransitionRecipe
from treewright.recipes.catalogue import all_options
from treewright.recipes.shared_options import seconds_in

#: options that have no place here: those of other parsers; and the search has seeds of its own
LEFT_OUT = ("seed", *(name for name in all_options() if name not in TransitionRecipe.options()))


def add_arguments(parser: ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_treebanks(parser)
    add_dev(parser, "treebank to choose on", required=True)
    add_required_output(parser, "FILE.toml", "configuration file to write")
    parser.add_argument(
        "--time-limit", default="10m", metavar="TIME", help="how long to search: 90s, 10m, 2h (default: 10m)"
    )
    parser.add_argument(
        "--least-speed",
        type=float,
        metavar="X",
        help="parse at least X times as fast as `rich`, by an estimate (default: accuracy alone counts)",
    )
    parser.add_argument("--store", metavar="FOLDER", help="where trials are kept (default: beside the output)")
    add_on_error(parser)
    add_from(parser, "treebanks")
    add_quiet(parser)
    add_recipe_arguments(parser, LEFT_OUT)


def run(arguments: argparse.Namespace) -> int:
    """Search, and write what was tuned."""
    from treewright.apps.cli.progress.tuning_progress import TuningProgress
    from treewright.apps.experiments.store import Store
    from treewright.apps.tuning.bench import Bench
    from treewright.apps.tuning.tuner import Tuner
    from treewright.training.gathering import gather
    from treewright.treebank.files.output import OutputFile, check_writable

    budget = seconds_in(arguments.time_limit, "--time-limit")
    if arguments.least_speed is not None and arguments.least_speed <= 0:
        raise TreewrightError(f"--least-speed {arguments.least_speed:g}: a number above 0, such as 2 for twice as fast")
    check_writable(arguments.output)
    store = Store(arguments.store or f"{os.path.splitext(arguments.output)[0]}-trials")
    fixed = given_options(arguments, [name for name in all_options() if name not in LEFT_OUT])
    single = fixed.get("single_root", True)
    parts = treebank_parts(arguments.treebank, arguments.dev, arguments.quiet)
    train = gather(parts.train, arguments.format, arguments.on_error, single)
    dev = gather(parts.dev or [], arguments.format, arguments.on_error, False)
    bench = Bench(train.name, train, dev, store)
    with TuningProgress(budget, arguments.quiet) as progress:
        tuner = Tuner(bench, budget, arguments.least_speed, fixed, progress)
        store.create()
        tuned = tuner.run()
    with OutputFile(arguments.output) as output:
        output.write(config_of(tuned, bench).encode())
    for line in in_words(tuned):
        print(line)
    if not arguments.quiet:
        say(f"wrote {arguments.output}; trials are kept in {store.folder}: the same command goes on from there")
    return 0


def config_of(tuned: Any, bench: Any) -> str:
    """Return what was found as a configuration file; what the user fixed is part of it."""
    from treewright.recipes.toml_file import config_text

    made = f"treewright tune on {bench.name}, judged on {bench.dev.name}"
    return config_text(tuned.options, (made, *in_words(tuned)))


def in_words(tuned: Any) -> list[str]:
    """Return what was found in a few lines."""
    tried = f"{tuned.trials} trainings" + ("" if tuned.finished else ", not all that could be tried")
    if tuned.keeps_start:
        lines = [f"The defaults are best: LAS {tuned.start_las:.2f} on dev ({tried})."]
        if tuned.confirmed is not None:
            lines.append(
                f"What looked better came to {tuned.confirmed.las:+.2f} with other seeds,"
                f" by chance with probability {tuned.confirmed.chance:.2f}: not sure enough."
            )
        return lines
    lines = [f"LAS {tuned.las:.2f} on dev, {tuned.las - tuned.start_las:+.2f} over the defaults ({tried})."]
    if tuned.confirmed is None:
        lines.append("Not confirmed with other seeds: the search was interrupted.")
    else:
        lines.append(
            f"With other seeds {tuned.confirmed.las:+.2f}, by chance with probability {tuned.confirmed.chance:.3f}."
        )
    lines.append(f"Estimated speed: {tuned.ratio:.2f} times that of the defaults.")
    return lines
