"""Break a drawing into rows of a width: an arc that is cut names the word at its other end at the margin."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields, replace

from treewright.display.picture import Arc, CutArc, MultiwordToken, Picture, Word
from treewright.display.spacing import MOST_STUBS, arcs_by_end, arcs_cut
from treewright.display.svg_layout import SvgLayout, lay_out

EVEN = 20.0  # arcs that an empty row is as bad as
MARGIN_ROOM = 60.0  # about what a cut arc needs for its label


def lay_out_rows(picture: Picture, width: float) -> list[SvgLayout]:
    """Return the layouts of a picture's rows, each at most ``width`` wide unless a word with its labels needs more.

    A picture that fits has one row, and so has every picture where ``width`` is 0.
    """
    whole = lay_out(picture)
    if not width or whole.width <= width or len(picture.words) < 2:
        return [whole]
    arcs_at = arcs_by_end(len(picture.words), picture.arcs)
    places, cuts = _distances(whole, picture), arcs_cut(len(picture.words), picture.arcs)
    rows: list[SvgLayout] = []
    first = 1
    ends = _ends(places, cuts, width)
    while first <= len(picture.words):
        last = ends[first]
        row = _lay_out_row(picture, arcs_at, first, last)
        while row.width > width and last > first:
            over = max(1, round((last - first + 1) * (1 - width / row.width)))
            last = max(first, last - over)
            row = _lay_out_row(picture, arcs_at, first, last)
        rows.append(row)
        first = last + 1
    return rows


def _distances(whole: SvgLayout, picture: Picture) -> list[float]:
    """Return where each word ends in one long row, measured from its beginning in the order of reading."""
    ends = [edge + width for edge, width in zip(whole.edges, whole.widths, strict=True)]
    if not picture.right_to_left:
        return [0.0, *ends]
    return [0.0, *(whole.width - edge for edge in reversed(whole.edges))]


def _ends(places: Sequence[float], cuts: Sequence[int], width: float) -> list[int]:
    """Return for every word where a row that begins with it ends best: few cut arcs, and rows that are evenly full."""
    n = len(places) - 1
    ends, costs = [0] * (n + 2), [0.0] * (n + 2)
    for first in range(n, 0, -1):
        costs[first] = float("inf")
        for last in range(first, n + 1):
            filled = places[last] - places[first - 1] + MARGIN_ROOM * ((cuts[last] > 0) + (first > 1))
            if filled > width and last > first:
                break
            cost = cuts[last] + EVEN * (1 - min(filled / width, 1)) ** 2 + costs[last + 1]
            if cost <= costs[first]:
                costs[first], ends[first] = cost, last
    return ends


def _lay_out_row(picture: Picture, arcs_at: Sequence[Sequence[Arc]], first: int, last: int) -> SvgLayout:
    """Lay out the words from ``first`` to ``last``; cut arcs lead to a word of no width at a margin."""
    backwards = picture.right_to_left
    chosen = _visible(arcs_at, first, last)
    before = any(arc.left < first for arc in chosen)
    after = any(arc.right > last for arc in chosen)
    at_left, at_right = (after, before) if backwards else (before, after)
    n = last - first + 1

    def column(place: int) -> int:
        inner = min(max(place, first - 1), last + 1) - first + 1  # 0 and n + 1 are the margins
        return at_left + (n + 1 - inner if backwards else inner)

    arcs = [_in_row(arc, column, picture.words, first, last, backwards) for arc in chosen]
    words = list(picture.words[first - 1 : last])
    tokens = []
    for token in picture.tokens:
        if token.first <= last and token.last >= first:
            left, right = sorted((column(max(token.first, first)), column(min(token.last, last))))
            tokens.append(MultiwordToken(left, right, token.text))
    shown = [
        *([Word("")] if at_left else []),
        *(words[::-1] if backwards else words),
        *([Word("")] if at_right else []),
    ]
    layout = lay_out(Picture(shown, arcs, tokens=tokens), margins=(at_left, at_right))
    layout.numbered = True
    return layout


def _visible(arcs_at: Sequence[Sequence[Arc]], first: int, last: int) -> list[Arc]:
    """Return the arcs with an end in a row, each once; of a head with many dependents elsewhere, the nearest."""
    shown: list[Arc] = []
    leaving: dict[tuple[int, bool, bool], list[Arc]] = {}
    for place in range(first, last + 1):
        for arc in arcs_at[place]:
            inside = first <= arc.left and arc.right <= last
            if inside:
                if place == arc.right:
                    shown.append(arc)
            elif arc.dependent == place:
                shown.append(arc)
            else:
                leaving.setdefault((place, arc.below, arc.dependent > place), []).append(arc)
    for arcs in leaving.values():
        shown += sorted(arcs, key=lambda arc: arc.right - arc.left)[:MOST_STUBS]
    return shown


def _in_row(
    arc: Arc, column: Callable[[int], int], words: Sequence[Word], first: int, last: int, backwards: bool
) -> Arc:
    """Return an arc between the columns of a row."""
    head, dependent = column(arc.head) if arc.head else 0, column(arc.dependent)
    there = next((place for place in (arc.left, arc.right) if not first <= place <= last), 0)
    if arc.is_upright or not there:
        return replace(arc, head=head, dependent=dependent)
    number = words[there - 1].number
    pointer = "▸" if dependent > head else "◂"
    at_left = (there < first) != backwards
    own = {each.name: getattr(arc, each.name) for each in fields(Arc)}
    own |= {"head": head, "dependent": dependent}
    return CutArc(
        **own, at_left=f"{number}{pointer}" if at_left else "", at_right="" if at_left else f"{pointer}{number}"
    )
