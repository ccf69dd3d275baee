"""Draw the trees and graphs of a treebank, in the terminal or as SVG, PNG, PDF, HTML, LaTeX and data for other tools.

The ending of -o decides: .svg, .png, .pdf, .html, .tex, .ann (brat), .json (displaCy), .txt (as in the
terminal). Arcs of the tree are above the words, further heads of a graph (DEPS) below. With --diff, the second treebank
is drawn; wrong arcs are marked, and the arcs that it misses are below.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from treewright.apps.cli.program import say
from treewright.apps.cli.shared_arguments import add_choice, add_from, add_output, add_to
from treewright.errors import TreewrightError
from treewright.treebank.formats.registry import uncompressed_name

if TYPE_CHECKING:
    from treewright.display.picture import Picture
    from treewright.display.selection import SentenceSelection

#: the ending of the output file → what to draw
ENDINGS = {
    ".svg": "svg",
    ".png": "png",
    ".pdf": "pdf",
    ".html": "html",
    ".htm": "html",
    ".tex": "tikz",
    ".json": "displacy",
    ".ann": "brat",
}
KINDS = tuple(dict.fromkeys(ENDINGS.values()))
USUAL_THEME = "auto, as the reader's screen; PNG and PDF: light"
USUAL_BELOW = "none in the terminal, upos elsewhere"
TEXT_ENDINGS = ("", ".txt", ".ans", ".log")  # what a terminal would show
RENDERED = ("png", "pdf")
#: the kinds that have rows of pixels and colours
THEMED = ("svg", "html", *RENDERED)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("files", nargs="*", metavar="TREEBANK", help="treebank to draw (default: standard input)")
    parser.add_argument("--diff", action="store_true", help="draw the second of two treebanks, and mark what is wrong")
    parser.add_argument(
        "--sentence", action="append", default=[], metavar="N", help="sentences to draw: 3, 2-5, 7- or 1,4-6"
    )
    parser.add_argument("--sent-id", action="append", default=[], metavar="ID", help="sentence to draw, by its sent_id")
    add_to(parser, usual="by its name, else text", choices=("text", *KINDS))
    add_output(parser)
    add_choice(parser, "--style", ("arcs", "indented"), "how text is drawn", usual="arcs")
    parser.add_argument(
        "--width",
        type=int,
        metavar="N",
        help="width of a row: columns (default: the terminal's), or pixels of a picture (default: 1000; 0: one row)",
    )
    add_choice(parser, "--theme", ("auto", "light", "dark", "print"), "colours of a picture", usual=USUAL_THEME)
    parser.add_argument("--ascii", action="store_true", help="draw with plain ASCII signs")
    add_choice(parser, "--color", ("auto", "always", "never"), "colours in the terminal", usual="auto")
    add_choice(parser, "--below", ("none", "upos", "xpos", "lemma"), "what stands below the words", usual=USUAL_BELOW)
    parser.add_argument("--no-graph", action="store_true", help="draw the tree alone, not DEPS")
    add_from(parser, "treebanks")


def run(arguments: argparse.Namespace) -> int:
    """Draw what was asked for."""
    from treewright.display.selection import SentenceSelection

    if arguments.diff and len(arguments.files) != 2:
        raise TreewrightError("--diff takes two files: the gold treebank and the system's")
    if len(arguments.files) > 1 and not arguments.diff:
        raise TreewrightError("show takes one file at a time, or two with --diff")
    arguments.kind = _kind(arguments.to, arguments.output)
    _reject_idle(arguments)
    selection = SentenceSelection(arguments.sentence, arguments.sent_id)
    pictures = _differences(arguments, selection) if arguments.diff else _pictures(arguments, selection)
    if arguments.kind is None:
        _write_text(arguments, pictures)
    elif arguments.kind in RENDERED:
        _write_rendered(arguments, pictures)
    else:
        _write(arguments.output, _drawn(arguments, pictures))
    return 0


def _kind(to: str | None, output: str) -> str | None:
    """Return what to draw: as an option says, or the ending of the output file; None: text."""
    ending = os.path.splitext(uncompressed_name(output.lower()))[1]
    named = ENDINGS.get(ending)
    if to is None:
        if named is None and ending not in TEXT_ENDINGS:
            raise TreewrightError(f"no drawing has the ending {ending}: use {', '.join(ENDINGS)} or .txt")
        return named
    if named is not None and named != to and (to, ending) != ("brat", ".json"):
        raise TreewrightError(f"--to {to} and -o {output} say different things: leave one out")
    return None if to == "text" else to


def _reject_idle(arguments: argparse.Namespace) -> None:
    """Reject options that the chosen kind of drawing does not have."""
    kind = arguments.kind
    terminal = {"--style": arguments.style, "--ascii": arguments.ascii, "--color": arguments.color}
    idle = [name for name, value in terminal.items() if value and kind is not None]
    if arguments.theme and kind not in THEMED and not (kind == "tikz" and arguments.theme == "print"):
        idle.append(f"--theme {arguments.theme}")
    if arguments.theme == "auto" and kind in RENDERED:
        idle.append("--theme auto")
    if arguments.width is not None and kind is not None and kind not in THEMED:
        idle.append("--width")
    if idle:
        where = "in the terminal" if kind is None else f"on a drawing of this kind ({kind})"
        raise TreewrightError(f"{idle[0]} has no effect {where}: leave it out")
    if arguments.width is not None and arguments.width < 0 and kind is not None:
        raise TreewrightError(f"--width {arguments.width}: give pixels, usually 1000, or 0 for one row")


def _tags(arguments: argparse.Namespace) -> str:
    return str(arguments.below or ("none" if arguments.kind is None else "upos"))


def _pictures(arguments: argparse.Namespace, selection: SentenceSelection) -> Iterator[Picture]:
    from treewright.display.from_sentence import picture_of
    from treewright.treebank.files.source import name_of
    from treewright.treebank.files.treebank import read

    source = arguments.files[0] if arguments.files else "-"
    for _, sentence in selection.of(read(source, arguments.format), name_of(source)):
        yield picture_of(sentence, _tags(arguments), False if arguments.no_graph else None)


def _differences(arguments: argparse.Namespace, selection: SentenceSelection) -> Iterator[Picture]:
    """Yield the sentences that differ, or all that were chosen, and say how many there were."""
    from treewright.display.difference import sentence_pairs

    gold, system = arguments.files
    # In the terminal, only wrong tags are shown, unless some are asked for.
    only_wrong = arguments.kind is None and arguments.below is None
    tags = "upos" if only_wrong else _tags(arguments)
    differing = arcs = wrong_tags = 0
    for pair in selection.of(sentence_pairs(gold, system, arguments.format), gold):
        picture = pair[1].picture(tags, graph=not arguments.no_graph, right_tags=not only_wrong)
        wrong = sum(arc.mark in ("wrong-head", "wrong-label") for arc in picture.arcs)
        tagged = sum(word.wrong_tag for word in picture.words)
        differs = any(arc.is_wrong for arc in picture.arcs) or tagged > 0
        differing, arcs, wrong_tags = differing + differs, arcs + wrong, wrong_tags + tagged
        if differs or not selection.is_all:
            yield picture
    more = f" and {wrong_tags:,} tag{'' if wrong_tags == 1 else 's'}" if wrong_tags else ""
    verb = "differs" if differing == 1 else "differ"
    say(f"{differing:,} sentence{'s' * (differing != 1)} {verb}, in {arcs:,} arc{'s' * (arcs != 1)}{more}")


def _write_text(arguments: argparse.Namespace, pictures: Iterator[Picture]) -> None:
    """Draw in the terminal, as it can show it, or what a terminal would show to a file."""
    import io

    from treewright.apps.cli.tree_printer import TreePrinter

    on_terminal = arguments.output == "-"
    sheet = sys.stdout if on_terminal else io.StringIO()
    colour = {"auto": None if on_terminal else False, "always": True, "never": False}[arguments.color or "auto"]
    ascii_only = (arguments.ascii or None) if on_terminal else arguments.ascii
    printer = TreePrinter(sheet, arguments.style or "arcs", arguments.width, ascii_only, colour)
    for picture in pictures:
        printer.show(picture)
    if isinstance(sheet, io.StringIO):
        _write(arguments.output, sheet.getvalue())


def _write_rendered(arguments: argparse.Namespace, pictures: Iterator[Picture]) -> None:
    from treewright.display.rendering import render_pictures

    if arguments.output == "-" and sys.stdout.isatty():
        raise TreewrightError(f"a {arguments.kind.upper()} file is not for a terminal: name it with -o")
    drawn = list(pictures)
    if not drawn:
        raise TreewrightError("no sentence to draw")
    _write(arguments.output, render_pictures(drawn, arguments.kind, _width(arguments), arguments.theme or "light"))


def _width(arguments: argparse.Namespace) -> int:
    from treewright.display.svg import WIDTH

    return WIDTH if arguments.width is None else int(arguments.width)


def _drawn(arguments: argparse.Namespace, pictures: Iterator[Picture]) -> str:
    """Return a drawing of a kind that is text."""
    kind, theme = arguments.kind, arguments.theme or "auto"
    if kind == "svg":
        from treewright.display.svg import draw_pictures

        return draw_pictures(list(pictures), width=_width(arguments), theme=theme)
    if kind == "html":
        from treewright.display.html import page

        names = [os.path.basename(name) for name in arguments.files if name != "-"]
        return page(pictures, " → ".join(names) or "treewright", _width(arguments), theme)
    if kind == "tikz":
        from treewright.display import tikz

        return tikz.HEADING + "\n".join(tikz.draw(picture, coloured=theme != "print") for picture in pictures)
    if kind == "displacy":
        from treewright.display.displacy import data_of

        return json.dumps(list(map(data_of, pictures)), ensure_ascii=False, indent=1) + "\n"
    from treewright.display.brat import BratDocument

    document = BratDocument(pictures)
    if not arguments.output.endswith(".ann"):
        return json.dumps(document.data(), ensure_ascii=False, indent=1) + "\n"
    _write(arguments.output.removesuffix(".ann") + ".txt", document.text)  # beside the annotation
    return document.annotation()


def _write(path: str, drawing: str | bytes) -> None:
    from treewright.treebank.files.output import OutputFile

    with OutputFile(path) as output:
        output.write(drawing.encode("utf-8", "replace") if isinstance(drawing, str) else drawing)
