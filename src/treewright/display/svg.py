"""SVG drawings: arcs with round corners, separate legs and labels, in rows of a given width."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from html import escape

from treewright.display.picture import ArcHook, Picture, PlainArc, PlainWord, Word, WordHook, make_picture
from treewright.display.relation_colours import colour_of
from treewright.display.svg_layout import CORNER, LABEL_AIR, MARGIN, SMALL_SIZE, Bow, SvgLayout
from treewright.display.svg_rows import lay_out_rows
from treewright.display.svg_style import style_sheet

__all__ = ["WIDTH", "clean", "draw", "draw_pictures", "style_sheet"]

WORD_LINE, TAG_LINE, TOKEN_LINE, LEG_GAP = 19.0, 15.0, 21.0, 4.0
TITLE_HEIGHT, BETWEEN, BETWEEN_ROWS = 26.0, 18.0, 10.0
ARROW = 4.0
WIDTH = 1000  # pixels: fits a notebook, a page and most screens
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def draw(
    words: Iterable[PlainWord],
    arcs: Iterable[PlainArc],
    title: str = "",
    background: bool = True,
    width: int = WIDTH,
    theme: str = "auto",
) -> str:
    """Return an SVG drawing of plain data.

    ``words`` are strings (or ``Word``), ``arcs`` are (head, dependent, label) (or ``Arc``) with positions from 1 and 0
    for the root. Right-to-left text starts at the right. For ``width`` and ``theme`` see ``draw_pictures``.
    """
    return draw_pictures([make_picture(words, arcs, title)], background, width=width, theme=theme)


def draw_pictures(
    pictures: Sequence[Picture], background: bool = True, styled: bool = True, width: int = WIDTH, theme: str = "auto"
) -> str:
    """Return one SVG drawing of several sentences, one below the other; several sentences get titles.

    A sentence wider than ``width`` pixels continues in another row; 0 keeps it in one. ``theme`` is one of ``auto``,
    ``light``, ``dark``, ``print``. ``styled=False`` leaves out the style sheet, for pages that include it once.
    """
    pieces, whole, y = _placed(pictures, width)
    size = f'width="{_number(whole)}" height="{_number(y)}" viewBox="0 0 {_number(whole)} {_number(y)}"'
    label = escape(clean("; ".join(picture.text for picture in pictures[:3])), quote=True)
    told = "".join(f"<desc>{escape(clean(picture.description), quote=False)}</desc>" for picture in pictures[:1])
    ground = '<rect class="tw-ground" width="100%" height="100%" rx="6"/>' if background else ""
    style = f"<style>{style_sheet(theme)}</style>" if styled else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="treewright" {size} role="img" aria-label="{label}">'
        f"{told}{style}{ground}{''.join(pieces)}</svg>\n"
    )


def draw_hooked(picture: Picture, width: int = WIDTH) -> str:
    """Return a drawing for a page that makes it respond: its words and arcs have names, and the page has the styles."""
    pieces, whole, height = _placed([picture], width)
    size = f'width="{_number(whole)}" height="{_number(height)}" viewBox="0 0 {_number(whole)} {_number(height)}"'
    label = escape(clean(picture.text), quote=True)
    direction = "rtl" if picture.right_to_left else "ltr"
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="treewright tree" {size} role="group" aria-label="{label}"'
        f' data-direction="{direction}">{"".join(pieces)}</svg>'
    )


def _placed(pictures: Sequence[Picture], width: int) -> tuple[list[str], float, float]:
    """Return the rows of pictures, one below the other, and the width and height of them all."""
    laid_out = [lay_out_rows(picture, width) for picture in pictures]
    whole = max([row.width for rows in laid_out for row in rows], default=0.0)
    pieces: list[str] = []
    y = 0.0
    for k, (picture, rows) in enumerate(zip(pictures, laid_out, strict=True)):
        y += BETWEEN if k else 0.0
        if len(pictures) > 1:
            pieces.append(_text("tw-title", MARGIN, y + TITLE_HEIGHT - 8, picture.title or f"{k + 1}"))
            y += TITLE_HEIGHT
        for number, row in enumerate(rows):
            drawn, height = _draw(row)
            y += BETWEEN_ROWS if number else 0.0
            x = whole - row.width if picture.right_to_left and len(rows) > 1 else 0.0
            pieces.append(f'<g transform="translate({_point(x, y)})">{drawn}</g>')
            y += height
    return pieces, whole, y


def _draw(layout: SvgLayout) -> tuple[str, float]:
    """Return the drawing of one row, starting at y = 0, and its height."""
    words, tokens = layout.picture.words, layout.picture.tokens
    top = MARGIN + (layout.height_above + 10 if layout.height_above else 0)
    first = top + (TOKEN_LINE if tokens else 0)  # the top of the words
    tagged, numbered = any(word.tag for word in words), layout.numbered
    bottom = first + WORD_LINE + TAG_LINE * (tagged + numbered) + LEG_GAP
    inside = {place for token in tokens for place in range(token.first, token.last + 1)}

    def foot(place: int) -> float:
        return top if place in inside else first

    pieces = [_bow(bow, bottom if bow.arc.below else top, foot) for bow in layout.bows]
    pieces += [_token(layout, token.first, token.last, token.text, first) for token in tokens]
    for place, (word, edge, width) in enumerate(zip(words, layout.edges, layout.widths, strict=True), 1):
        if layout.is_margin(place):
            continue
        drawn = _word(word, edge + width / 2, first, tagged, numbered)
        if word.hook is not None:
            box = (edge - 4, first + 1, width + 8, bottom - first - 2)
            drawn = _hooked_word(word, word.hook, box, drawn)
        pieces.append(drawn)
    height = bottom + (layout.height_below + 10 if layout.height_below else 0) + MARGIN
    return "".join(pieces), height


def _word(word: Word, middle: float, top: float, tagged: bool, numbered: bool) -> str:
    kind = "tw-word tw-empty" if word.is_empty else "tw-word"
    drawn = _text(kind, middle, top + WORD_LINE - 3, word.text, word.is_marked)
    if word.tag:
        kind = "tw-tag tw-wrong-tag" if word.wrong_tag else "tw-tag"
        drawn += _text(kind, middle, top + WORD_LINE + TAG_LINE - 4, word.tag, word.is_marked)
    if numbered:
        drawn += _text("tw-tag", middle, top + WORD_LINE + TAG_LINE * (tagged + 1) - 4, word.number)
    return drawn


def _hooked_word(word: Word, hook: WordHook, box: tuple[float, float, float, float], drawn: str) -> str:
    x, y, width, height = map(_number, box)
    place = f'x="{x}" y="{y}" width="{width}" height="{height}" rx="5"'
    doubt = f'<rect class="tw-doubt" {place} opacity="{0.55 * hook.doubt:.2f}"/>' if hook.doubt else ""
    return (
        f'<g class="tw-node" data-id="{escape(word.number)}" role="img"'
        f' aria-label="{escape(clean(hook.description))}">{doubt}<rect class="tw-box" {place}/>{drawn}</g>'
    )


def _token(layout: SvgLayout, first: int, last: int, text: str, words: float) -> str:
    """Return a multiword token: its form, and a bracket over its words."""
    left, right = layout.edges[first - 1], layout.edges[last - 1] + layout.widths[last - 1]
    line = words - 3
    bracket = f"M{_point(left, line + 3)}V{_number(line)}H{_number(right)}V{_number(line + 3)}"
    form = _text("", (left + right) / 2, line - 4, text)
    return f'<g class="tw-token"><path d="{bracket}"/>{form}</g>'


def _bow(bow: Bow, base: float, foot_of: Callable[[int], float]) -> str:
    """Return an arc: two legs, and a horizontal run with a gap for the label; at a margin, the run goes on instead."""
    sign = 1 if bow.arc.below else -1  # the direction away from the words
    run = base + sign * bow.height

    def foot(place: int) -> float:
        return base if bow.arc.below else foot_of(place) - LEG_GAP

    paths = []
    if bow.arc.is_upright:
        start = run - sign * (SMALL_SIZE / 2 + 2)
        paths.append(f"M{_point(bow.left, start)}V{_number(foot(bow.arc.left) + sign * ARROW)}")
    else:
        gap = bow.label_width / 2 + LABEL_AIR - 2 if bow.label else 0.0
        turn = run - sign * CORNER
        ends = ((bow.left, bow.arc.left, 1, bow.open_left), (bow.right, bow.arc.right, -1, bow.open_right))
        for leg, place, inward, is_open in ends:
            stop = bow.label_x - inward * gap
            if is_open:
                if abs(stop - leg) > CORNER:  # the label is not at the margin itself
                    paths.append(f"M{_point(leg, run)}H{_number(stop)}")
                continue
            end = foot(place) + sign * ARROW if leg == bow.arrow else foot(place)
            bend = f"Q{_point(leg, run)} {_point(leg + inward * CORNER, run)}"
            paths.append(f"M{_point(leg, end)}V{_number(turn)}{bend}H{_number(stop)}")
    arrow = ""
    if bow.arrow is not None:
        tip = foot(bow.arc.dependent)
        wing = tip + sign * ARROW * 1.9
        tips = f"M{_point(bow.arrow, tip)}L{_point(bow.arrow - ARROW, wing)}H{_number(bow.arrow + ARROW)}Z"
        arrow = f'<path class="tw-arrow" d="{tips}"/>'
    label = _text("", bow.label_x, run + SMALL_SIZE * 0.36, bow.label) if bow.label else ""
    colour = colour_of(bow.arc.label, bow.arc.mark).name
    run_path = "".join(paths)
    drawn = f'<path class="tw-run" d="{run_path}"/>{arrow}{label}'
    if bow.arc.hook is None:
        return f'<g class="tw-{colour}">{drawn}</g>'
    return _hooked_arc(bow.arc.hook, colour, bow.arc.below, run_path, drawn)


def _hooked_arc(hook: ArcHook, colour: str, below: bool, path: str, drawn: str) -> str:
    """Return an arc that is wide to the pointer, and stronger the less sure it is."""
    kind = f"tw-arc tw-{colour}{' tw-suggested' if hook.suggested else ''}{' tw-below' if below else ''}"
    known = hook.sure is not None
    told = f"<title>{round(100 * (hook.sure or 0))} % sure</title>" if known else ""
    weight = f' style="--weight:{1.2 + 2.2 * (1 - (hook.sure or 0)):.1f}"' if known else ""
    return (
        f'<g class="{kind}" data-head="{escape(hook.head)}" data-dependent="{escape(hook.dependent)}"{weight}>{told}'
        f'{drawn}<path class="tw-wide" d="{path}"/></g>'
    )


def _text(kind: str, x: float, y: float, text: str, marked: bool = False) -> str:
    name = f' class="{kind}"' if kind else ""
    if marked:
        name += ' font-weight="700" text-decoration="underline"'
    return f'<text{name} x="{_number(x)}" y="{_number(y)}">{escape(clean(text), quote=False)}</text>'


def clean(text: str) -> str:
    """Replace characters that XML cannot represent."""
    if text.isprintable():
        return text
    return "".join(" " if c.isspace() else "\ufffd" if _NOT_XML.match(c) else c for c in text)


def _point(x: float, y: float) -> str:
    return f"{_number(x)} {_number(y)}"


def _number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
