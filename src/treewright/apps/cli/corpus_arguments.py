"""The arguments of `treewright corpus`: those of each of its actions."""

from __future__ import annotations

from treewright.apps.cli.argument_parser import ArgumentParser
from treewright.apps.cli.commands.parse_command import COMMON, TOPICS
from treewright.apps.cli.declared_arguments import add_option_arguments
from treewright.apps.cli.shared_arguments import (
    add_choice,
    add_from,
    add_json,
    add_number,
    add_quiet,
    add_required_output,
    add_to,
)
from treewright.apps.cli.text_arguments import add_given_borders
from treewright.apps.corpus.engines import ENGINES
from treewright.apps.corpus.store import ENDINGS
from treewright.steps.call import NEWLINES, Call


def add_plan(parser: ArgumentParser) -> None:
    """Declare the arguments of `plan`."""
    parser.add_argument(
        "input",
        nargs="+",
        metavar="INPUT",
        help="texts, treebanks, JSON Lines, Parquet: files, folders, globs, addresses (s3://…)",
    )
    add_required_output(parser, "PLAN", "file to write the plan to")
    parser.add_argument("--part-size", metavar="BYTES", help="bytes of input in a part: 500K, 8M, 1G (default: 8M)")
    parser.add_argument("--whole-files", action="store_true", help="do not cut files: one part for each")
    add_from(parser)
    parser.add_argument("--model", metavar="MODEL", help="parse a sample with it, to estimate the core-hours")
    parser.add_argument(
        "--number", action="store_true", help="count sentences with the model, so that parts have their final sent_ids"
    )
    add_quiet(parser)
    text = parser.topic("text", "texts and tables")
    add_given_borders(text)
    text.add(
        "--newlines",
        default="auto",
        choices=NEWLINES,
        metavar="NAME",
        help=f"what the end of a line is: {', '.join(NEWLINES)} (default: auto)",
        common=True,
    )
    text.add("--id-prefix", default="", metavar="TEXT", help="begin each sent_id with this", common=True)
    text.add("--text-field", metavar="NAME", help="JSON Lines, Parquet: field of the text (default: text)", common=True)
    text.add("--id-field", metavar="NAME", help="JSON Lines, Parquet: field of its name (default: none)", common=True)


def add_run(parser: ArgumentParser) -> None:
    """Declare the arguments of `run`."""
    parser.add_argument("plan", metavar="PLAN", help="the plan that `corpus plan` wrote")
    parser.add_argument("model", metavar="MODEL", help="model file, or the name of a bundled or installed model")
    add_required_output(parser, "FOLDER", "folder of the parts, or its address")
    add_to(parser, "how parts are written", "conllu", tuple(ENDINGS), "conllu")
    parser.add_argument("--retry-failed", action="store_true", help="try again parts that were set aside")
    add_number(parser, "--attempts", 3, "attempts at a part whose worker dies")
    add_quiet(parser, "show no progress and no summary")
    group = parser.add_argument_group("engines")
    add_choice(group, "--engine", ENGINES, "what carries parts to workers", usual="local")
    group.add_argument("--jobs", type=int, metavar="N", help="workers on this machine (default: the number of cores)")
    group.add_argument("--shard", metavar="I/N", help="no engine: every N-th part, from part I, in this process")
    group.add_argument("--scheduler", metavar="ADDRESS", help="dask, ray: the cluster that runs already")
    group.add_argument("--cluster", metavar="FILE.toml", help="dask: start workers with SLURM, PBS and others")
    group = parser.add_argument_group("watching")
    group.add_argument("--log", metavar="FILE", help="append events as JSON, one per line")
    group.add_argument("--metrics", metavar="FILE", help="keep numbers for Prometheus in a text file")
    add_option_arguments(parser, Call, TOPICS, COMMON, leave_out=("newlines",))  # the plan says what lines are


def add_status(parser: ArgumentParser) -> None:
    """Declare the arguments of `status`."""
    _add_plan_and_folder(parser)
    add_json(parser)


def add_merge(parser: ArgumentParser) -> None:
    """Declare the arguments of `merge`."""
    _add_plan_and_folder(parser)
    add_required_output(parser, "FILE", "file to write; .gz, .xz, .zst compress")
    parser.add_argument("--skip-failed", action="store_true", help="leave out parts that were set aside")
    add_quiet(parser, "show no progress and no summary")


def _add_plan_and_folder(parser: ArgumentParser) -> None:
    parser.add_argument("plan", metavar="PLAN", help="the plan that `corpus plan` wrote")
    parser.add_argument("folder", metavar="FOLDER", help="the folder that `corpus run -o` names")
