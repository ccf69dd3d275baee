"""The arguments of `treewright corpus`: those of each of its actions."""

from __future__ import annotations

import argparse

from treewright.apps.cli.commands.parse_command import TITLES, add_given_borders
from treewright.apps.cli.declared_arguments import add_option_arguments
from treewright.apps.corpus.engines import ENGINES
from treewright.apps.corpus.store import ENDINGS
from treewright.steps.parse_options import NEWLINES, ParseOptions


def add_plan(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `plan`."""
    parser.add_argument(
        "input", nargs="+", help="texts, treebanks, JSON Lines, Parquet: files, folders, globs, addresses (s3://…)"
    )
    parser.add_argument("-o", "--output", metavar="PLAN", required=True, help="file to write the plan to")
    parser.add_argument("--part-size", metavar="BYTES", help="bytes of input in a part: 500K, 8M, 1G (default: 8M)")
    parser.add_argument("--whole-files", action="store_true", help="do not cut files: a part for each")
    parser.add_argument("--format", metavar="NAME", help="what the inputs are, if it is not to be guessed")
    add_given_borders(parser)
    parser.add_argument(
        "--newlines", default="auto", choices=NEWLINES, help="raw text: what the end of a line is (default: auto)"
    )
    parser.add_argument("--id-prefix", default="", metavar="TEXT", help="texts: begin each sent_id with this")
    parser.add_argument("--text-field", metavar="NAME", help="JSON Lines, Parquet: where the text is (default: text)")
    parser.add_argument("--id-field", metavar="NAME", help="JSON Lines, Parquet: the name of each text (default: none)")
    parser.add_argument("--model", metavar="MODEL", help="parse a sample with it, to estimate the core-hours")
    parser.add_argument(
        "--number", action="store_true", help="count sentences with the model, so that parts have their final sent_ids"
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress")


def add_run(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `run`."""
    parser.add_argument("plan", metavar="PLAN", help="the plan that `corpus plan` wrote")
    parser.add_argument("model", metavar="MODEL", help="model file, or the name of a bundled or installed model")
    parser.add_argument("-o", "--output", metavar="FOLDER", required=True, help="folder of the parts, or its address")
    parser.add_argument(
        "--to", default="conllu", choices=tuple(ENDINGS), help="how parts are written (default: conllu)"
    )
    parser.add_argument("--retry-failed", action="store_true", help="try parts again that were set aside")
    parser.add_argument(
        "--attempts", type=int, default=3, metavar="N", help="tries at a part whose worker dies (default: 3)"
    )
    group = parser.add_argument_group("engines")
    group.add_argument("--engine", choices=ENGINES, help="what carries parts to workers (default: local)")
    group.add_argument("--jobs", type=int, metavar="N", help="workers on this machine (default: the number of cores)")
    group.add_argument("--shard", metavar="I/N", help="no engine: every N-th part, from part I, in this process")
    group.add_argument("--scheduler", metavar="ADDRESS", help="dask, ray: the cluster that runs already")
    group.add_argument("--cluster", metavar="FILE.toml", help="dask: start workers with SLURM, PBS and others")
    group = parser.add_argument_group("watching")
    group.add_argument("--log", metavar="FILE", help="append an event a line, as JSON")
    group.add_argument("--metrics", metavar="FILE", help="keep numbers for Prometheus in a text file")
    group.add_argument("-q", "--quiet", action="store_true", help="no progress, no summary")
    add_option_arguments(parser, ParseOptions, TITLES, leave_out=("newlines",))  # the plan says what lines are


def add_status(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `status`."""
    parser.add_argument("plan", metavar="PLAN", help="the plan")
    parser.add_argument("folder", metavar="FOLDER", help="the folder that `corpus run -o` names")
    parser.add_argument("--json", action="store_true", help="print JSON")


def add_merge(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `merge`."""
    parser.add_argument("plan", metavar="PLAN", help="the plan")
    parser.add_argument("folder", metavar="FOLDER", help="the folder that `corpus run -o` names")
    parser.add_argument("-o", "--output", metavar="FILE", required=True, help="file to write; .gz, .xz, .zst compress")
    parser.add_argument("--skip-failed", action="store_true", help="leave out parts that were set aside")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress, no summary")
