"""Say what a parse gets wrong, or what only one of two parses gets right, and show the sentences to look at.

A parse may also be a model: it parses the gold words with the gold tags, and its wrong moves are counted.
"""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING

from treewright.apps.cli.output_forms import FORMS, as_json, form_of, write_document
from treewright.apps.cli.shared_arguments import add_choice, add_number, add_output, add_to

if TYPE_CHECKING:
    from treewright.analysis.extremes import Extreme
    from treewright.analysis.report import Analysis

PUNCTUATION = "which words count, with punctuation or without it by tag or form"
BREAKDOWNS = ("deprel", "upos", "length", "distance", "projectivity", "depth")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("gold", metavar="GOLD", help="treebank with the right trees")
    parser.add_argument("first", metavar="A", help="the parse to look at, or a model")
    parser.add_argument("second", nargs="?", metavar="B", help="a parse to compare it with, or a model")
    add_choice(parser, "--metric", ("las", "uas"), "what counts as right", "las")
    add_choice(parser, "--punctuation", ("all", "upos", "form"), PUNCTUATION, "all")
    add_choice(parser, "--relation", ("full", "universal"), "relations with or without their subtypes", "full")
    parser.add_argument(
        "--by",
        action="append",
        choices=BREAKDOWNS,
        metavar="WHAT",
        help=f"breakdown to show, may be repeated: {', '.join(BREAKDOWNS)} (default: all)",
    )
    parser.add_argument(
        "--where", metavar="PATTERN", help="count the words alone that a pattern finds in the gold trees"
    )
    parser.add_argument("--top", type=int, metavar="N", help="rows of long tables (default: 15)")
    add_number(parser, "--draw", 3, "sentences to draw, of each kind; 0: none")
    add_to(parser, usual="by its name, else text", choices=FORMS)
    add_output(parser)
    add_number(parser, "--seed", 1, "seed of the bootstrap")


def run(arguments: argparse.Namespace) -> int:
    """Analyse and show."""
    from treewright.analysis.report import analyze
    from treewright.errors import CombinationError

    form = arguments.to or form_of(arguments.output)
    if arguments.top is not None and form == "json":
        raise CombinationError("JSON has all rows: leave out --top")
    arguments.top = 15 if arguments.top is None else arguments.top
    if arguments.top < 1 or arguments.draw < 0:
        raise CombinationError("--top is at least 1, --draw at least 0")
    analysis = analyze(
        arguments.gold,
        arguments.first,
        arguments.second,
        metric=arguments.metric,
        punctuation=arguments.punctuation,
        relation=arguments.relation,
        by=arguments.by or BREAKDOWNS,
        sentences=arguments.draw,
        seed=arguments.seed,
        where=arguments.where,
    )
    if form == "text" and arguments.output == "-":
        _show(analysis, arguments.top)
    elif form == "json":
        write_document(as_json(analysis.to_dict()), arguments.output)
    else:
        write = analysis.to_html if form == "html" else analysis.to_text
        write_document(write(arguments.top), arguments.output)
    return 0


def _show(analysis: Analysis, top: int) -> None:
    """Print tables and drawings, as standard output can show them."""
    from treewright.analysis.as_text import print_rich, to_look_at

    if sys.stdout.isatty():
        print_rich(analysis, top, sys.stdout)
    else:
        print(analysis.to_text(top))
    for heading, sentences in to_look_at(analysis):
        if sentences:
            print(f"\n{heading}\n")
            for extreme in sentences:
                _draw(extreme)


def _draw(extreme: Extreme) -> None:
    from dataclasses import replace

    from treewright.analysis.as_text import pictures_of
    from treewright.apps.cli.tree_printer import TreePrinter

    printer = TreePrinter(sys.stdout)
    for letter, picture in pictures_of(extreme):
        title = f"{letter}: {picture.title}" if picture.title else f"{letter}:"
        printer.show(replace(picture, title=title))
