"""The arguments of scripts that go through several treebanks."""

from pathlib import Path

from treewright.apps.cli.argument_parser import ArgumentParser


def parser_for(description: str | None) -> ArgumentParser:
    """Return a parser that knows ``treebanks``, the folder with a folder for each treebank, and their ``names``."""
    parser = ArgumentParser(description=description)
    parser.add_argument("treebanks", type=Path, help="a folder with a folder for each treebank")
    parser.add_argument("names", nargs="+")
    return parser
