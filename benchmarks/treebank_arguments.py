"""The arguments of scripts that go through several treebanks."""

import argparse
from pathlib import Path


def parser_for(description: str | None) -> argparse.ArgumentParser:
    """Return a parser that knows ``treebanks``, the folder with a folder for each treebank, and their ``names``."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("treebanks", type=Path, help="a folder with a folder for each treebank")
    parser.add_argument("names", nargs="+")
    return parser
