"""Parse text with a trained parser.

HEAD and DEPREL are replaced; everything else in the file stays as it was.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from treewright.cli.program import say
from treewright.errors import CombinationError, TreewrightError

if TYPE_CHECKING:
    from treewright.cli.byte_progress import NoBar
    from treewright.parsing.parser import Parser
    from treewright.treebank.block import Block


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("model", help="model file that `treewright train` wrote")
    parser.add_argument(
        "input", nargs="?", default="-", help="file to parse, any format, compressed or not (default: standard input)"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="file to write (default: standard output; on a terminal, drawn trees)"
    )
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="threads over one model (default 1)")
    parser.add_argument("--format", metavar="NAME", help="format of the input, if it is not to be guessed")
    parser.add_argument("--to", metavar="NAME", help="format of the output (default: as the input)")
    parser.add_argument("--beam", type=int, metavar="N", help="states to follow at a time (default: as trained)")
    parser.add_argument("--kbest", type=int, metavar="K", help="write the K best trees of every sentence")
    parser.add_argument("--confidence", action="store_true", help="write how sure the parser is of each arc to MISC")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress, no summary")


def run(arguments: argparse.Namespace) -> int:
    """Parse a file."""
    from treewright.parsing.parser import Parser

    if arguments.threads < 1:
        raise TreewrightError(f"--threads {arguments.threads}: at least one thread is needed")
    parser = Parser.load(arguments.model)
    text_of = _writer(parser, arguments)
    if arguments.confidence:
        parser = parser.with_confidence()
    if text_of is None and arguments.output is None and arguments.to is None and sys.stdout.isatty():
        return _draw(parser, arguments)
    arguments.output = arguments.output or "-"
    start = time.perf_counter()
    with _bar(arguments) as advance:
        sentences, words = parser.parse_file(
            arguments.input, arguments.output, format=arguments.format, to=arguments.to, threads=arguments.threads,
            progress=advance, text_of=text_of,
        )  # fmt: skip
    seconds = time.perf_counter() - start
    if not arguments.quiet and sys.stderr.isatty():
        say(f"{sentences:,} sentences, {words:,} words, {words / max(seconds, 1e-9):,.0f} words/s")
    return 0


def _draw(parser: Parser, arguments: argparse.Namespace) -> int:
    """Draw the trees: a person is watching. Pipes and files get the treebank."""
    from treewright.cli.tree_printer import TreePrinter
    from treewright.display.from_sentence import picture_of
    from treewright.treebank.treebank import read

    printer = TreePrinter(sys.stdout)
    for sentence in parser.parse_stream(read(arguments.input, arguments.format), threads=arguments.threads):
        printer.show(picture_of(sentence, graph=False))
        sys.stdout.flush()
    return 0


def _writer(parser: Parser, arguments: argparse.Namespace) -> Callable[[Block], bytes] | None:
    """Set the beam, and return what makes the text of a block where that is more than a tree."""
    if arguments.beam is None and arguments.kbest is None:
        return None
    from treewright.parsing.transition import TransitionParser

    if not isinstance(parser, TransitionParser):
        raise CombinationError(f"{arguments.model}: only transition parsers have a beam")
    if arguments.kbest is not None and arguments.confidence:
        raise CombinationError("--kbest tells the probability of every tree, --confidence that of every arc: choose one")
    if arguments.beam is not None:
        parser.beam = arguments.beam
    return parser.kbest_writer(arguments.kbest) if arguments.kbest is not None else None


def _bar(arguments: argparse.Namespace) -> NoBar:
    from treewright.cli.byte_progress import ByteBar, NoBar

    plain = os.path.isfile(arguments.input) and not arguments.input.endswith((".gz", ".bz2", ".xz"))
    if arguments.quiet or not sys.stderr.isatty() or arguments.output == "-" or not plain:
        return NoBar()
    return ByteBar(os.path.getsize(arguments.input))
