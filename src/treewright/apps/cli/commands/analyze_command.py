"""Say what a parse gets wrong, or what only one of two parses gets right, and show the sentences to look at.

A parse may also be a model: it parses the gold words with the gold tags, and its wrong moves are counted.
"""

from __future__ import annotations

import argparse
import json
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treewright.analysis.extremes import Extreme
    from treewright.analysis.report import Analysis

BREAKDOWNS = ("deprel", "upos", "length", "distance", "projectivity", "depth")

#: arguments that may also stand behind options
LATE = ("second",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("gold", help="treebank with the right trees")
    parser.add_argument("first", metavar="A", help="the parse to look at, or a model")
    parser.add_argument("second", nargs="?", metavar="B", help="a parse to compare it with, or a model")
    parser.add_argument("--metric", default="las", choices=("las", "uas"), help="what is right (default: las)")
    parser.add_argument(
        "--punctuation",
        default="all",
        choices=("all", "upos", "form"),
        help="which words count: all (default), or without punctuation by its tag or its form",
    )
    parser.add_argument(
        "--relation", default="full", choices=("full", "universal"), help="relations with their subtypes or without"
    )
    parser.add_argument(
        "--by",
        action="append",
        choices=BREAKDOWNS,
        metavar="WHAT",
        help=f"breakdown to show, may be repeated: {', '.join(BREAKDOWNS)} (default: all)",
    )
    parser.add_argument("--top", type=int, metavar="N", help="rows of long tables (default: 15)")
    parser.add_argument(
        "--sentences", type=int, default=3, metavar="N", help="sentences to draw, of each kind (default: 3; 0: none)"
    )
    parser.add_argument("--html", metavar="FILE", help="write a self-contained page")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="write to a file instead of printing: .html, .json, else text"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the bootstrap (default: 1)")


def run(arguments: argparse.Namespace) -> int:
    """Analyse and show."""
    from treewright.analysis.report import analyze
    from treewright.errors import CombinationError

    json_only = arguments.json or (arguments.output or "").endswith(".json")
    if arguments.top is not None and json_only and arguments.html is None:
        raise CombinationError("JSON has all rows: leave out --top")
    if arguments.json and arguments.output is not None:
        raise CombinationError("--json prints, -o writes a file whose ending says the form: give one of them")
    arguments.top = 15 if arguments.top is None else arguments.top
    if arguments.top < 1 or arguments.sentences < 0:
        raise CombinationError("--top is at least 1, --sentences at least 0")
    analysis = analyze(
        arguments.gold,
        arguments.first,
        arguments.second,
        metric=arguments.metric,
        punctuation=arguments.punctuation,
        relation=arguments.relation,
        by=arguments.by or BREAKDOWNS,
        sentences=arguments.sentences,
        seed=arguments.seed,
    )
    if arguments.html is not None:
        _write(analysis.to_html(arguments.top), arguments.html)
    if arguments.output not in (None, "-"):
        _write(_in_form(analysis, arguments.output, arguments.top), arguments.output)
    elif arguments.json:
        print(json.dumps(analysis.to_dict(), ensure_ascii=False, indent=2))
    else:
        _show(analysis, arguments.top)
    return 0


def _write(text: str, path: str) -> None:
    from treewright.treebank.files.output import open_output

    with open_output(path) as output:
        output.write((text.rstrip("\n") + "\n").encode("utf-8", "replace"))


def _in_form(analysis: Analysis, path: str, top: int) -> str:
    """Return an analysis in the form that the ending of a file says."""
    if path.endswith(".html"):
        return analysis.to_html(top)
    if path.endswith(".json"):
        return json.dumps(analysis.to_dict(), ensure_ascii=False, indent=2)
    return analysis.to_text(top)


def _show(analysis: Analysis, top: int) -> None:
    """Print tables and drawings, as standard output can show them."""
    from treewright.analysis.as_text import print_rich, to_look_at

    if sys.stdout.isatty():
        print_rich(analysis, top, sys.stdout)
    else:
        print(analysis.to_text(top))
    for heading, found in to_look_at(analysis):
        if found:
            print(f"\n{heading}\n")
            for extreme in found:
                _draw(extreme)


def _draw(extreme: Extreme) -> None:
    from dataclasses import replace

    from treewright.analysis.as_text import pictures_of
    from treewright.apps.cli.tree_printer import TreePrinter

    printer = TreePrinter(sys.stdout)
    for letter, picture in pictures_of(extreme):
        title = f"{letter}: {picture.title}" if picture.title else f"{letter}:"
        printer.show(replace(picture, title=title))
