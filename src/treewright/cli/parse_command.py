"""Parse text or a treebank.

HEAD and DEPREL are replaced; everything else in a treebank stays as it was. Raw text is split and tagged first, by a
model trained with --pipeline. Without a model, the bundled English one is used.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from typing import TYPE_CHECKING, Any

from treewright.cli.declared_arguments import add_option_arguments, given_options
from treewright.cli.program import say
from treewright.errors import TreewrightError
from treewright.parsing.parse_options import (
    BEAM,
    CERTIFICATE,
    CONFIDENCE,
    GIVEN_ARCS,
    K_BEST,
    TAGS,
    TEXT,
    ParseOptions,
    text_options,
)
from treewright.recipes.option import options_of

if TYPE_CHECKING:
    from treewright.cli.byte_progress import NoBar
    from treewright.parsing.parser import Parser

#: what ends a sentence in some scripts; Chinese and Japanese have no blanks to know a text by
SENTENCE_ENDS = (".", "!", "?", "…", "。", "！", "？", "؟", "।")
#: what an option needs of the model → how its group of arguments is headed
TITLES = {
    BEAM: "transition parsers",
    K_BEST: "several trees",
    CONFIDENCE: "confidence",
    GIVEN_ARCS: "given arcs",
    CERTIFICATE: "exact parsers",
    TAGS: "models with a tagger",
    TEXT: "models with a tokeniser",
}
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
    parser.add_argument("--presegmented", action="store_true", help="raw text with one sentence a line")
    parser.add_argument(
        "--pretokenized",
        nargs="?",
        const="horizontal",
        choices=("horizontal", "vertical"),
        help="tokens are given: a sentence a line with spaces between them (default), or a token a line",
    )
    parser.add_argument("-q", "--quiet", action="store_true", help="no progress, no summary")
    add_option_arguments(parser, ParseOptions, TITLES)
    parser.add_argument("--stats", action="store_true", help="exact parsers: certificate and cost of each sentence")


def run(arguments: argparse.Namespace) -> int:
    """Parse a file or a text."""
    from treewright.parsing.parser import Parser
    from treewright.text.bundled import find_model

    if arguments.threads < 1:
        raise TreewrightError(f"--threads {arguments.threads}: at least one thread is needed")
    model, source = _sort_out(arguments.model, arguments.input)
    parser = Parser.load(find_model(model))
    format = _format(parser, arguments, source)
    options = given_options(arguments, options_of(ParseOptions))
    report = None
    if arguments.stats:
        from treewright.exact.stats import StatsReport

        report = StatsReport(say)
        options["certified"] = report.add
    parser.checked(options)
    watched = arguments.output is None and arguments.to is None and sys.stdout.isatty()
    if watched and "k_best" not in options:
        return _draw(parser, arguments, source, format, options)
    arguments.output = arguments.output or "-"
    start = time.perf_counter()
    with _bar(arguments, source) as advance:
        sentences, words = parser.parse_file(
            source,
            arguments.output,
            format=format,
            to=arguments.to,
            threads=arguments.threads,
            progress=advance,
            **options,
        )
    seconds = time.perf_counter() - start
    if report is not None:
        report.finish()
    if not arguments.quiet and sys.stderr.isatty() and not isinstance(source, bytes):
        say(f"{sentences:,} sentences, {words:,} words, {words / max(seconds, 1e-9):,.0f} words/s")
    return 0


def _draw(
    parser: Parser, arguments: argparse.Namespace, source: str | bytes, format: str | None, options: dict[str, Any]
) -> int:
    """Draw the trees: a person is watching. Pipes and files get the treebank."""
    from treewright.cli.tree_printer import TreePrinter
    from treewright.display.from_sentence import picture_of
    from treewright.treebank.sentence import Sentence

    printer = TreePrinter(sys.stdout)
    blocks = parser.read_blocks(source, format, **text_options(options))
    for block in parser.parse_blocks(blocks, arguments.threads, **options):
        for number in range(block.n_sentences):
            printer.show(picture_of(Sentence.from_block(block, number), graph=False))
        sys.stdout.flush()
    return 0


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


def _format(parser: Parser, arguments: argparse.Namespace, source: str | bytes) -> str | None:
    """Return the format to read, where it is given."""
    for name in ("presegmented", "pretokenized"):
        if getattr(arguments, name) and TAGS not in parser.capabilities and TEXT not in parser.capabilities:
            raise TreewrightError(f"--{name}: {parser.reason_against(TEXT)}")
        if getattr(arguments, name) and getattr(arguments, "newlines", None) is not None:
            raise TreewrightError(f"--{name} says what lines are, so --newlines has no effect: give one of them")
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


def _bar(arguments: argparse.Namespace, source: str | bytes) -> NoBar:
    from treewright.cli.byte_progress import ByteBar, NoBar

    plain = isinstance(source, str) and os.path.isfile(source) and not source.endswith((".gz", ".bz2", ".xz"))
    if arguments.quiet or not sys.stderr.isatty() or arguments.output == "-" or not plain:
        return NoBar()
    return ByteBar(os.path.getsize(source))
