"""Parse text with a trained parser.

HEAD and DEPREL are replaced; everything else in the file stays as it was.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import TYPE_CHECKING

from treewright.cli.program import say
from treewright.errors import TreewrightError

if TYPE_CHECKING:
    from treewright.cli.byte_progress import NoBar
    from treewright.graphbased.stats import StatsReport
    from treewright.parsing.parser import Parser


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
    parser.add_argument("--exact", action="store_true", help="graph: go on to the optimum by branch and bound")
    parser.add_argument("--method", metavar="NAME", help="graph: bounds (default), paper or brute")
    parser.add_argument("--stats", action="store_true", help="graph: certificate and cost of each sentence, and in sum")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress, no summary")


def run(arguments: argparse.Namespace) -> int:
    """Parse a file."""
    from treewright.parsing.parser import Parser

    if arguments.threads < 1:
        raise TreewrightError(f"--threads {arguments.threads}: at least one thread is needed")
    parser = Parser.load(arguments.model)
    report = _decoding(parser, arguments)
    if arguments.output is None and arguments.to is None and sys.stdout.isatty():
        return _draw(parser, arguments)
    arguments.output = arguments.output or "-"
    start = time.perf_counter()
    with _bar(arguments) as advance:
        sentences, words = parser.parse_file(
            arguments.input, arguments.output, format=arguments.format, to=arguments.to, threads=arguments.threads,
            progress=advance,
        )  # fmt: skip
    seconds = time.perf_counter() - start
    if report is not None:
        report.finish()
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


def _decoding(parser: Parser, arguments: argparse.Namespace) -> StatsReport | None:
    """Set how a graph-based parser searches; return what is told of it, if that was asked for."""
    if not (arguments.exact or arguments.method or arguments.stats):
        return None
    from treewright.graphbased.parser import Decoding, GraphParser
    from treewright.graphbased.stats import StatsReport

    if not isinstance(parser, GraphParser):
        raise TreewrightError("--exact, --method and --stats are for graph-based parsers, and this is none")
    report = StatsReport(say) if arguments.stats else None
    parser.decoding = Decoding(arguments.method or "bounds", arguments.exact, report.add if report else None)
    parser.decoding.check()
    return report


def _bar(arguments: argparse.Namespace) -> NoBar:
    from treewright.cli.byte_progress import ByteBar, NoBar

    plain = os.path.isfile(arguments.input) and not arguments.input.endswith((".gz", ".bz2", ".xz"))
    if arguments.quiet or not sys.stderr.isatty() or arguments.output == "-" or not plain:
        return NoBar()
    return ByteBar(os.path.getsize(arguments.input))
