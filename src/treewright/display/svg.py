"""SVG drawings: arcs with round corners, separate legs and labels, for light and dark backgrounds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape

from treewright.display.picture import Picture, PlainArc, PlainWord, make_picture
from treewright.display.relation_colours import COLOURS, colour_of
from treewright.display.svg_layout import CORNER, LABEL_AIR, MARGIN, SMALL_SIZE, WORD_SIZE, Bow, Layout, lay_out

WORD_LINE, TAG_LINE, LEG_GAP = 19.0, 15.0, 4.0
TITLE_HEIGHT, BETWEEN = 26.0, 18.0
ARROW = 4.0
GROUND = ("#ffffff", "#0d1117")
INK = ("#1b1f24", "#e6edf3")
FAINT = ("#57606a", "#a0aab5")
_NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
FONTS = "system-ui,-apple-system,'Segoe UI','Helvetica Neue',Arial,'Noto Sans',sans-serif"


def draw(words: Iterable[PlainWord], arcs: Iterable[PlainArc], title: str = "", background: bool = True) -> str:
    """Return an SVG drawing of plain data.

    ``words`` are strings (or ``Word``), ``arcs`` are (head, dependent, label) (or ``Arc``) with positions from 1 and 0
    for the root. Right-to-left text starts at the right.
    """
    return draw_pictures([make_picture(words, arcs, title)], background=background)


def draw_pictures(pictures: Sequence[Picture], background: bool = True, styled: bool = True) -> str:
    """Return one SVG drawing of several sentences, one below the other; several sentences get titles.

    ``styled=False`` leaves out the style sheet, for pages that include ``style_sheet()`` once.
    """
    pieces: list[str] = []
    y = width = 0.0
    titled = len(pictures) > 1
    for k, picture in enumerate(pictures):
        layout = lay_out(picture)
        y += BETWEEN if k else 0.0
        if titled:
            pieces.append(_text("tw-title", MARGIN, y + TITLE_HEIGHT - 8, picture.title or f"{k + 1}", anchor="start"))
            y += TITLE_HEIGHT
        drawn, height = _draw(layout)
        pieces.append(f'<g transform="translate(0 {_number(y)})">{drawn}</g>')
        y += height
        width = max(width, layout.width)
    size = f'width="{_number(width)}" height="{_number(y)}" viewBox="0 0 {_number(width)} {_number(y)}"'
    label = escape(clean("; ".join(picture.text for picture in pictures[:3])), quote=True)
    ground = '<rect class="tw-ground" width="100%" height="100%" rx="6"/>' if background else ""
    style = f"<style>{style_sheet()}</style>" if styled else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="treewright" {size} role="img" aria-label="{label}">'
        f"{style}{ground}{''.join(pieces)}</svg>\n"
    )


def style_sheet() -> str:
    """Return the style sheet of the drawings."""
    rules = [
        f".treewright{{font-family:{FONTS}}}"
        ".treewright path{fill:none;stroke-width:1.4}"
        f".treewright text{{text-anchor:middle;font-size:{SMALL_SIZE:g}px}}"
        f".treewright .tw-word{{font-size:{WORD_SIZE:g}px}}"
        ".treewright .tw-empty{font-style:italic}"
        ".treewright .tw-title{text-anchor:start;font-weight:600}"
        ".treewright .tw-missed path.tw-run{stroke-dasharray:5 3}"
        ".treewright .tw-wrong path,.treewright .tw-half-wrong path,.treewright .tw-missed path{stroke-width:2}"
        ".treewright .tw-wrong text,.treewright .tw-missed text{font-weight:700}"
    ]
    for which in (0, 1):
        rule = (
            f".treewright .tw-ground{{fill:{GROUND[which]}}}"
            f".treewright .tw-word,.treewright .tw-title{{fill:{INK[which]}}}"
            f".treewright .tw-tag,.treewright .tw-empty{{fill:{FAINT[which]}}}"
        )
        for colour in COLOURS.values():
            shade = colour.dark if which else colour.light
            rule += (
                f".treewright .tw-{colour.name} path{{stroke:{shade}}}"
                f".treewright .tw-{colour.name} text,.treewright .tw-{colour.name} path.tw-arrow"
                f"{{fill:{shade}}}"
            )
        rules.append(f"@media (prefers-color-scheme:dark){{{rule}}}" if which else rule)
    return "".join(rules)


def _draw(layout: Layout) -> tuple[str, float]:
    """Return the drawing of one sentence, starting at y = 0, and its height."""
    top = MARGIN + (layout.height_above + 10 if layout.height_above else 0)
    texts = WORD_LINE + (TAG_LINE if layout.text_lines > 1 else 0)
    bottom = top + texts + LEG_GAP
    pieces = [_bow(bow, bottom if bow.arc.below else top) for bow in layout.bows]
    for word, edge, width in zip(layout.picture.words, layout.edges, layout.widths):  # noqa: B905
        middle = edge + width / 2
        kind = "tw-word tw-empty" if word.is_empty else "tw-word"
        pieces.append(_text(kind, middle, top + WORD_LINE - 3, word.text))
        if word.tag:
            pieces.append(_text("tw-tag", middle, top + WORD_LINE + TAG_LINE - 4, word.tag))
    height = bottom + (layout.height_below + 10 if layout.height_below else 0) + MARGIN
    return "".join(pieces), height


def _bow(bow: Bow, base: float) -> str:
    """Return an arc: two legs, and a horizontal run with a gap for the label."""
    sign = 1 if bow.arc.below else -1  # the direction away from the words
    run = base + sign * bow.height
    foot = base + sign * LEG_GAP * (0 if bow.arc.below else 1)
    paths = []
    if bow.arc.is_upright:
        start = run - sign * (SMALL_SIZE / 2 + 2)
        paths.append(f"M{_point(bow.left, start)}V{_number(foot + sign * ARROW)}")
    else:
        gap = bow.label_width / 2 + LABEL_AIR - 2 if bow.label else 0.0
        turn = run - sign * CORNER
        for leg, inward in ((bow.left, 1), (bow.right, -1)):
            end = foot + sign * ARROW if leg == bow.arrow else foot
            stop = bow.label_x - inward * gap
            bend = f"Q{_point(leg, run)} {_point(leg + inward * CORNER, run)}"
            paths.append(f"M{_point(leg, end)}V{_number(turn)}{bend}H{_number(stop)}")
    tip = foot
    wing = foot + sign * ARROW * 1.9
    arrow = f"M{_point(bow.arrow, tip)}L{_point(bow.arrow - ARROW, wing)}H{_number(bow.arrow + ARROW)}Z"
    label = _text("", bow.label_x, run + SMALL_SIZE * 0.36, bow.label) if bow.label else ""
    colour = colour_of(bow.arc.label, bow.arc.mark).name
    lines = f'<path class="tw-run" d="{"".join(paths)}"/><path class="tw-arrow" d="{arrow}"/>'
    return f'<g class="tw-{colour}">{lines}{label}</g>'


def _text(kind: str, x: float, y: float, text: str, anchor: str = "") -> str:
    name = f' class="{kind}"' if kind else ""
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
