"""Arguments of raw text whose sentences or tokens are given, and what they say of the format to read."""

from __future__ import annotations

import argparse

from treewright.apps.cli.argument_parser import Topic
from treewright.errors import TreewrightError


def add_given_borders(topic: Topic) -> None:
    """Declare the arguments."""
    topic.add("--presegmented", action="store_true", help="raw text with one sentence a line", common=True)
    what = "tokens are given: horizontal (default), a sentence a line with spaces between; vertical, a token a line"
    add_maybe_with_value(topic, "--pretokenized", ("horizontal", "vertical"), what, "LINES")


def add_maybe_with_value(topic: Topic, flag: str, choices: tuple[str, ...], help: str, metavar: str) -> None:
    """Declare an option that may stand alone; then it has the first of its values."""
    topic.add(flag, nargs="?", const=choices[0], choices=choices, metavar=metavar, help=help, common=True)


def format_given(arguments: argparse.Namespace) -> str | None:
    """Return the format to read, where it is given: by one argument, not several."""
    format, told_by = None, ""
    for flag, value in (
        ("--presegmented", "presegmented" if arguments.presegmented else None),
        ("--pretokenized", arguments.pretokenized),
        ("--from", arguments.format),
    ):
        if value and told_by:
            raise TreewrightError(f"{told_by} and {flag} each say what the input is: give one of them")
        if value:
            format, told_by = value, flag
    return format
