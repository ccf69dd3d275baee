"""Convert a treebank from one format to another.

What the format cannot hold is left out, and a warning says what.
"""

from __future__ import annotations

import argparse
import os

from treewright.apps.cli.inputs import Input, Job, code_after, expanded, jobs_for, note_failure, readable
from treewright.apps.cli.shared_arguments import add_from, add_output_or_folder, add_to
from treewright.errors import TreewrightError


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.usage = "%(prog)s INPUT [OUTPUT] [options], or %(prog)s INPUT … -o FILE or FOLDER/"
    parser.add_argument(
        "files",
        nargs="+",
        metavar="INPUT",
        help="treebanks: files, globs or folders, - for standard input; without -o, the second is the file to write",
    )
    add_output_or_folder(parser, "standard output")
    add_from(parser)
    add_to(parser)
    parser.add_argument("--list", action=ListFormats, help="list the formats and exit")


class ListFormats(argparse.Action):
    """Prints the formats."""

    def __init__(self, option_strings: list[str], dest: str, **options: object) -> None:
        super().__init__(option_strings, dest, nargs=0, help="list the formats and exit")

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """Print and exit."""
        from treewright.treebank.formats.registry import formats

        for format in formats():
            print(f"{format.name:12} {format.description}")
        parser.exit()


def run(arguments: argparse.Namespace) -> int:
    """Convert each input, or all to one file."""
    from treewright.treebank.files.writing import convert

    files, output = _inputs_and_output(arguments.files, arguments.output)
    inputs = expanded(files)
    jobs = jobs_for(inputs, output, arguments.to)
    if len(jobs) == 1:
        good, code = readable(jobs[0].inputs, lambda given: _read_through(given, arguments.format))
        jobs = [Job(tuple(good), jobs[0].output)]
    else:
        code = 0

    failed: list[Job] = []
    for job in jobs:
        try:
            _check_ending(job.output, arguments.to)
            convert([given.source for given in job.inputs], job.output, to=arguments.to, from_=arguments.format)
        except TreewrightError as error:
            note_failure(jobs, failed, job, error)
    return code_after(jobs, failed) or code


def _read_through(given: Input, format: str | None) -> None:
    from treewright.treebank.checks.problems import check
    from treewright.treebank.files.reading import read_blocks

    for block in read_blocks(given.source, format):
        check(block)


def _inputs_and_output(files: list[str], output: str | None) -> tuple[list[str], str]:
    if output is not None:
        return files, output
    if len(files) > 2:
        raise TreewrightError(f"{len(files)} files: say where to write with -o, a file or a folder")
    return files[:1], files[1] if len(files) == 2 else "-"


def _check_ending(output: str, to: str | None) -> None:
    """Reject a name whose ending stands for no format: nobody wants the input's format under such a name."""
    from treewright.treebank.formats.registry import COMPRESSIONS, format_for_path, formats

    ending = os.path.splitext(output)[1]
    if to is not None or not ending or ending in COMPRESSIONS or output.startswith("/dev/"):
        return
    formats()  # also those of plug-ins
    if format_for_path(output) is None:
        known = ", ".join(suffix for format in formats() for suffix in format.suffixes)
        raise TreewrightError(f"{output}: the ending {ending} says no format. Give --to, or one of {known}")
