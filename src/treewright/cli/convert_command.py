"""Convert a treebank from one format to another.

What the format cannot hold is left out, and a warning says what.
"""

from __future__ import annotations

import argparse

#: arguments that may also stand behind options
LATE = ("output",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("input", help="treebank to read, compressed or not; - for standard input")
    parser.add_argument("output", nargs="?", default="-", help="file to write (default: standard output)")
    parser.add_argument("-o", dest="output_option", metavar="FILE", help="the same as the second argument")
    parser.add_argument("--to", metavar="NAME", help="format to write (default: by the name of the output)")
    parser.add_argument("--from", dest="from_", metavar="NAME", help="format to read, if it is not to be guessed")
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
    """Convert one file."""
    from treewright.treebank.writing import convert

    convert(arguments.input, arguments.output_option or arguments.output, to=arguments.to, from_=arguments.from_)
    return 0
