"""Index treebanks, so that `find` reads only the parts where a rare form, lemma, tag or relation is.

The index of FILE is FILE.twx. `find` uses it by itself, unless FILE has changed since.
"""

from __future__ import annotations

import argparse

from treewright.apps.cli.program import say
from treewright.apps.cli.shared_arguments import add_quiet, add_treebanks


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    add_treebanks(parser, "treebanks in CoNLL-U, not compressed")
    add_quiet(parser, "do not say what was written")


def run(arguments: argparse.Namespace) -> int:
    """Index every file."""
    from treewright.apps.cli.inputs import paths_of
    from treewright.query.index.index_file import build_index, index_path

    for path in paths_of(arguments.treebank):
        found = build_index(path)
        if not arguments.quiet:
            say(f"wrote {index_path(path)}: {found['words']:,} words")
    return 0
