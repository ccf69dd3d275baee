"""Parse text or a treebank.

HEAD and DEPREL are replaced; everything else in a treebank stays as it was. Raw text is split and tagged first, by a
model trained with --pipeline. Without a model, the bundled English one is used.
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
    from treewright.exact.stats import StatsReport
    from treewright.parsing.parser import Parser
    from treewright.treebank.block import Block

#: what ends a sentence in some scripts; Chinese and Japanese have no blanks to know a text by
SENTENCE_ENDS = (".", "!", "?", "…", "。", "！", "？", "؟", "।")
#: arguments that may also stand behind options
LATE = ("model", "input")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "model", nargs="?", help="model file that `treewright train` wrote, or `english` (default), which is bundled"
    )
    parser.add_argument(
        "input", nargs="?", help="file to parse, text or treebank, compressed or not; or the text itself (default: -)"
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="file to write (default: standard output; on a terminal, drawn trees)"
    )
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="threads over one model (default 1)")
    parser.add_argument("--format", metavar="NAME", help="format of the input, if it is not to be guessed")
    parser.add_argument("--to", metavar="NAME", help="format of the output (default: as the input)")
    parser.add_argument("--beam", type=int, metavar="N", help="states to follow at a time (default: as trained)")
    parser.add_argument("--k-best", type=int, metavar="K", help="write the K best trees of every sentence")
    parser.add_argument("--confidence", action="store_true", help="write how sure the parser is of each arc to MISC")
    parser.add_argument("--presegmented", action="store_true", help="raw text with one sentence a line")
    parser.add_argument(
        "--pretokenized",
        nargs="?",
        const="horizontal",
        choices=("horizontal", "vertical"),
        help="tokens are given: a sentence a line with spaces between them (default), or a token a line",
    )
    parser.add_argument("--tag", action="store_true", help="tag words anew that have tags already")
    parser.add_argument("--ranges", action="store_true", help="write the characters of tokens to MISC (TokenRange)")
    parser.add_argument("--exact", action="store_true", help="graph: go on to the optimum by branch and bound")
    parser.add_argument("--method", metavar="NAME", help="graph: bounds (default), paper or brute")
    parser.add_argument(
        "--constraints", metavar="LIST", help="graph: of the linear programme: onegp,arcgp,gparc,nogp (default: all)"
    )
    parser.add_argument("--stats", action="store_true", help="graph: certificate and cost of each sentence, and in sum")
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress, no summary")


def run(arguments: argparse.Namespace) -> int:
    """Parse a file or a text."""
    from treewright.parsing.parser import Parser
    from treewright.text.bundled import find_model

    if arguments.threads < 1:
        raise TreewrightError(f"--threads {arguments.threads}: at least one thread is needed")
    model, source = _sort_out(arguments.model, arguments.input)
    parser = Parser.load(find_model(model))
    _set_steps(parser, arguments)
    report = _decoding(parser, arguments)
    text_of = _writer(parser, arguments)
    if arguments.confidence:
        parser = parser.with_confidence()
    if text_of is None and arguments.output is None and arguments.to is None and sys.stdout.isatty():
        return _draw(parser, arguments, source)
    arguments.output = arguments.output or "-"
    start = time.perf_counter()
    with _bar(arguments, source) as advance:
        sentences, words = parser.parse_file(
            source,
            arguments.output,
            format=_format(arguments, source),
            to=arguments.to,
            threads=arguments.threads,
            progress=advance,
            text_of=text_of,
        )
    seconds = time.perf_counter() - start
    if report is not None:
        report.finish()
    if not arguments.quiet and sys.stderr.isatty() and not isinstance(source, bytes):
        say(f"{sentences:,} sentences, {words:,} words, {words / max(seconds, 1e-9):,.0f} words/s")
    return 0


def _draw(parser: Parser, arguments: argparse.Namespace, source: str | bytes) -> int:
    """Draw the trees: a person is watching. Pipes and files get the treebank."""
    from treewright.cli.tree_printer import TreePrinter
    from treewright.display.from_sentence import picture_of
    from treewright.treebank.sentence import Sentence

    printer = TreePrinter(sys.stdout)
    for block in parser.parse_blocks(parser.read_blocks(source, _format(arguments, source)), arguments.threads):
        for number in range(block.n_sentences):
            printer.show(picture_of(Sentence.from_block(block, number), graph=False))
        sys.stdout.flush()
    return 0


def _writer(parser: Parser, arguments: argparse.Namespace) -> Callable[[Block], bytes] | None:
    """Set the beam, and return what makes the text of a block where that is more than a tree."""
    if arguments.beam is None and arguments.k_best is None:
        return None
    from treewright.exact.parser import ExactParser
    from treewright.parsing.transition import TransitionParser

    parser = getattr(parser, "parser", parser)  # that of a pipeline
    if arguments.k_best is not None and arguments.confidence:
        raise CombinationError("--k-best tells how likely every tree is, --confidence every arc: choose one")
    if isinstance(parser, ExactParser) and arguments.beam is None:
        return parser.k_best_writer(arguments.k_best)
    if not isinstance(parser, TransitionParser):
        raise CombinationError("only transition parsers have a beam: leave --beam and --k-best out")
    if arguments.beam is not None:
        parser.beam = arguments.beam
    return parser.k_best_writer(arguments.k_best) if arguments.k_best is not None else None


def _sort_out(model: str | None, source: str | None) -> tuple[str, str | bytes]:
    """Return model and input: either may be left out, and the input may be the text itself."""
    from treewright.text.bundled import DEFAULT, is_bundled

    alone = model is not None and source is None
    if alone and model is not None and not is_bundled(model) and (model == "-" or not _is_model(model)):
        model, source = None, model
    if source is not None and _is_text(source):
        return model or DEFAULT, source.encode("utf-8", "surrogateescape")
    return model or DEFAULT, source or "-"


def _is_text(words: str) -> bool:
    """Say whether an argument is itself what to parse: several words, or one that ends a sentence, and no file."""
    return (" " in words.strip() or words.endswith(SENTENCE_ENDS)) and not os.path.exists(words)


def _is_model(name: str) -> bool:
    """Say whether a word means a model: a file that begins like one, or neither a text nor any file."""
    if _is_text(name):
        return False
    try:
        with open(name, "rb") as file:
            start = file.read(9)
    except OSError:
        return True  # the error that loading it gives says why
    return name.endswith(".tw") or (len(start) == 9 and start[8:] == b"{" and start[4:8] == b"\0\0\0\0")


def _set_steps(parser: Parser, arguments: argparse.Namespace) -> None:
    """Tell a pipeline what is asked for; refuse what a parser alone cannot do."""
    from treewright.text.pipeline import Pipeline

    if isinstance(parser, Pipeline):
        parser.retag, parser.ranges = arguments.tag, arguments.ranges
        if arguments.tag and parser.tagger is None:
            raise TreewrightError("--tag: the model has no tagger. Train one with --pipeline")
        return
    for name in ("presegmented", "pretokenized", "tag", "ranges"):
        if getattr(arguments, name):
            raise TreewrightError(f"--{name}: the model is a parser alone. Train a model with --pipeline")


def _format(arguments: argparse.Namespace, source: str | bytes) -> str | None:
    """Return the format to read, where it is asked for."""
    given = [name for name in ("presegmented", "pretokenized", "format") if getattr(arguments, name)]
    if len(given) > 1:
        raise TreewrightError(f"--{given[0]} and --{given[1]} each say what the input is: give one of them")
    if arguments.presegmented:
        return "presegmented"
    if arguments.pretokenized:
        return str(arguments.pretokenized)
    if arguments.format is None and isinstance(source, bytes) and b"\t" not in source:
        return "text"
    return None if arguments.format is None else str(arguments.format)


def _decoding(parser: Parser, arguments: argparse.Namespace) -> StatsReport | None:
    """Set how an exact parser searches; return what is told of it, if that was asked for."""
    if not (arguments.exact or arguments.method or arguments.stats or arguments.constraints):
        return None
    from treewright.exact.parser import Decoding, ExactParser
    from treewright.exact.ppc import ALL
    from treewright.exact.programme import CONSTRAINTS
    from treewright.exact.stats import StatsReport

    parser = getattr(parser, "parser", parser)  # that of a pipeline
    if not isinstance(parser, ExactParser):
        raise TreewrightError("--exact, --method, --constraints, --stats are for exact parsers: this is none")
    report = StatsReport(say) if arguments.stats else None
    known = {name.lower(): name for name in CONSTRAINTS}
    given = (arguments.constraints or ",".join(ALL)).split(",")
    constraints = tuple(known.get(name.strip().lower(), name.strip()) for name in given)
    told = report.add if report else None
    parser.decoding = Decoding(arguments.method or "bounds", arguments.exact, told, constraints)
    parser.decoding.check()
    return report


def _bar(arguments: argparse.Namespace, source: str | bytes) -> NoBar:
    from treewright.cli.byte_progress import ByteBar, NoBar

    plain = isinstance(source, str) and os.path.isfile(source) and not source.endswith((".gz", ".bz2", ".xz"))
    if arguments.quiet or not sys.stderr.isatty() or arguments.output == "-" or not plain:
        return NoBar()
    return ByteBar(os.path.getsize(source))
