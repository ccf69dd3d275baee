"""Arguments of raw text whose sentences or tokens are given, and what they say of the format to read."""

from __future__ import annotations

import argparse

from treewright.apps.cli.argument_parser import Topic
from treewright.errors import TreewrightError


def add_given_borders(topic: Topic) -> None:
    """Declare the arguments."""
    topic.add("--presegmented", action="store_true", help="raw text with one sentence a line", common=True)
    topic.add(
        "--pretokenized",
        nargs="?",
        const="horizontal",
        choices=("horizontal", "vertical"),
        metavar="LINES",
        help="tokens are given: horizontal (default), a sentence a line with spaces between them; vertical, a token"
        " a line",
        common=True,
    )


def format_given(arguments: argparse.Namespace) -> str | None:
    """Return the format to read, where it is given: by one argument, not several."""
    flags = {"--presegmented": arguments.presegmented, "--pretokenized": arguments.pretokenized}
    given = [flag for flag, value in {**flags, "--from": arguments.format}.items() if value]
    if len(given) > 1:
        raise TreewrightError(f"{given[0]} and {given[1]} each say what the input is: give one of them")
    if arguments.presegmented:
        return "presegmented"
    format: str | None = arguments.pretokenized or arguments.format
    return format
