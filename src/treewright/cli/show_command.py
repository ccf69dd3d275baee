"""Draw the trees and graphs of a treebank, in the terminal or as SVG, HTML, LaTeX and data for other tools.

Arcs of the tree are above the words, further heads of a graph (DEPS) below. With --diff, the second treebank is drawn
with marks on what the first has otherwise, and the arcs that it misses below.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from treewright.cli.program import say
from treewright.errors import TreewrightError

if TYPE_CHECKING:
    from treewright.display.picture import Picture
    from treewright.display.selection import Selection

#: arguments that may also stand behind options
LATE = ("files",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument(
        "files", nargs="*", metavar="file", help="treebank, any format, compressed or not (default: standard input)"
    )
    parser.add_argument("--diff", action="store_true", help="two files, gold and system: mark what is wrong")
    parser.add_argument(
        "--sentence", action="append", default=[], metavar="N", help="sentences to draw: 3, 2-5, 7- or 1,4-6"
    )
    parser.add_argument("--sent-id", action="append", default=[], metavar="ID", help="sentence to draw, by its sent_id")
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--svg", dest="kind", action="store_const", const="svg", help="one SVG drawing")
    kinds.add_argument("--html", dest="kind", action="store_const", const="html", help="a self-contained page")
    kinds.add_argument("--tikz", dest="kind", action="store_const", const="tikz", help="LaTeX, for tikz-dependency")
    kinds.add_argument("--displacy", dest="kind", action="store_const", const="displacy", help="JSON for displaCy")
    kinds.add_argument(
        "--brat", dest="kind", action="store_const", const="brat", help="JSON for brat; with -o NAME.ann, .txt and .ann"
    )
    parser.add_argument("-o", "--output", default="-", metavar="FILE", help="file to write (default: standard output)")
    parser.add_argument("--style", default="arcs", choices=("arcs", "indented"), help="in the terminal (default: arcs)")
    parser.add_argument("--width", type=int, metavar="N", help="columns to use (default: those of the terminal)")
    parser.add_argument("--ascii", action="store_true", help="draw with plain ASCII signs")
    parser.add_argument(
        "--color", default="auto", choices=("auto", "always", "never"), help="colours in the terminal (default: auto)"
    )
    parser.add_argument(
        "--tags",
        choices=("none", "upos", "xpos", "lemma"),
        help="what stands beneath the words (default: none in the terminal, upos elsewhere)",
    )
    parser.add_argument("--no-graph", action="store_true", help="draw the tree alone, not DEPS")
    parser.add_argument("--format", metavar="NAME", help="format of the input, if it is not to be guessed")


def run(arguments: argparse.Namespace) -> int:
    """Draw what was asked for."""
    from treewright.display.selection import Selection

    if arguments.diff and len(arguments.files) != 2:
        raise TreewrightError("--diff takes two files: the gold treebank and the system's")
    if len(arguments.files) > 1 and not arguments.diff:
        raise TreewrightError("show takes one file at a time, or two with --diff")
    if arguments.tags is None:
        arguments.tags = "none" if arguments.kind is None else "upos"
    selection = Selection(arguments.sentence, arguments.sent_id)
    pictures = _differences(arguments, selection) if arguments.diff else _pictures(arguments, selection)
    writer = _WRITERS[arguments.kind]
    writer(arguments, pictures)
    return 0


def _pictures(arguments: argparse.Namespace, selection: Selection) -> Iterator[Picture]:
    from treewright.display.from_sentence import picture_of
    from treewright.treebank.source import name_of
    from treewright.treebank.treebank import read

    source = arguments.files[0] if arguments.files else "-"
    for _, sentence in selection.of(read(source, arguments.format), name_of(source)):
        yield picture_of(sentence, arguments.tags, False if arguments.no_graph else None)


def _differences(arguments: argparse.Namespace, selection: Selection) -> Iterator[Picture]:
    """Yield the sentences that differ, or all that were chosen, and say how many there were."""
    from treewright.display.compared import Comparison

    gold, system = arguments.files
    comparison = Comparison(gold, system, arguments.format)
    found = arcs = 0
    for pair in selection.of(comparison, gold):
        picture = pair[1].picture(arguments.tags, graph=not arguments.no_graph)
        wrong = sum(arc.mark in ("wrong-head", "wrong-label") for arc in picture.arcs)
        found, arcs = found + (wrong > 0), arcs + wrong
        if any(arc.is_wrong for arc in picture.arcs) or not selection.is_all:
            yield picture
    say(f"{found:,} sentence{' differs' if found == 1 else 's differ'}, in {arcs:,} arc{'' if arcs == 1 else 's'}")


def _write_terminal(arguments: argparse.Namespace, pictures: Iterator[Picture]) -> None:
    from treewright.cli.tree_printer import TreePrinter

    if arguments.output != "-":
        _write_drawings(arguments, pictures)
        return
    colour = {"auto": None, "always": True, "never": False}[arguments.color]
    printer = TreePrinter(sys.stdout, arguments.style, arguments.width, arguments.ascii or None, colour)
    for picture in pictures:
        printer.show(picture)


def _write_drawings(arguments: argparse.Namespace, pictures: Iterator[Picture]) -> None:
    """Write what a terminal would show to a file."""
    import io

    from treewright.cli.tree_printer import TreePrinter

    sheet = io.StringIO()
    printer = TreePrinter(sheet, arguments.style, arguments.width, arguments.ascii, arguments.color == "always")
    for picture in pictures:
        printer.show(picture)
    _write(arguments.output, sheet.getvalue())


def _write_svg(arguments: argparse.Namespace, pictures: Iterator[Picture]) -> None:
    from treewright.display.svg import draw_pictures

    _write(arguments.output, draw_pictures(list(pictures)))


def _write_html(arguments: argparse.Namespace, pictures: Iterator[Picture]) -> None:
    from treewright.display.html import page

    names = [os.path.basename(name) for name in arguments.files if name != "-"]
    title = " → ".join(names) or "treewright"
    _write(arguments.output, page(pictures, title))


def _write_tikz(arguments: argparse.Namespace, pictures: Iterator[Picture]) -> None:
    from treewright.display import tikz

    _write(arguments.output, tikz.HEADING + "\n".join(map(tikz.draw, pictures)))


def _write_displacy(arguments: argparse.Namespace, pictures: Iterator[Picture]) -> None:
    import json

    from treewright.display.displacy import data_of

    _write(arguments.output, json.dumps(list(map(data_of, pictures)), ensure_ascii=False, indent=1) + "\n")


def _write_brat(arguments: argparse.Namespace, pictures: Iterator[Picture]) -> None:
    import json

    from treewright.display.brat import Document

    document = Document(pictures)
    if arguments.output.endswith(".ann"):
        _write(arguments.output.removesuffix(".ann") + ".txt", document.text)
        _write(arguments.output, document.annotation())
    else:
        _write(arguments.output, json.dumps(document.data(), ensure_ascii=False, indent=1) + "\n")


def _write(path: str, text: str) -> None:
    from treewright.treebank.output import open_output

    with open_output(path) as output:
        output.write(text.encode("utf-8", "replace"))


_WRITERS: dict[str | None, Callable[[argparse.Namespace, Iterator[Picture]], None]] = {
    None: _write_terminal,
    "svg": _write_svg,
    "html": _write_html,
    "tikz": _write_tikz,
    "displacy": _write_displacy,
    "brat": _write_brat,
}
