"""The arguments of scripts that go through several treebanks."""

from pathlib import Path

from treewright.apps.cli.argument_parser import ArgumentParser


def parser_for(description: str | None) -> ArgumentParser:
    """Return a parser that knows ``treebanks``, the folder with a folder for each treebank, and their ``names``."""
    parser = ArgumentParser(description=description)
    parser.add_argument("treebanks", type=Path, help="a folder with a folder for each treebank")
    parser.add_argument("names", nargs="+")
    return parser


def parser_of_one(description: str | None, runs: int) -> ArgumentParser:
    """Return a parser that knows ``gold``, a treebank, a ``model``, and how many ``runs`` there are."""
    parser = ArgumentParser(description=description)
    parser.add_argument("gold")
    parser.add_argument("model", nargs="?", default="english")
    parser.add_argument("--runs", type=int, default=runs, help=f"of which the fastest counts ({runs})")
    return parser
