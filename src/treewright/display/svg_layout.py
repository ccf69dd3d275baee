"""Lay out an SVG drawing: words, legs of arcs, levels, labels."""

from __future__ import annotations

import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from treewright.display.levels import Skyline, assign_levels
from treewright.display.picture import MISSED, WRONG_HEAD, Arc, CutArc, Picture
from treewright.display.spacing import left_edges, nesting

WORD_SIZE, SMALL_SIZE = 15.0, 11.0
PORT_GAP = 9.0  # between the legs of arcs at a word
MOST_PORTS_WIDTH = 90.0  # a word with many arcs gets no wider than this; its legs move closer
WORD_GAP, MARGIN = 12.0, 12.0
LEVEL_HEIGHT, FIRST_LEVEL, CORNER = 21.0, 24.0, 8.0
LABEL_AIR = 5.0  # on both sides of a label
LEG_AIR = 2.0  # between a crossing leg and the air around the label
BOLD = 1.12  # width of bold letters relative to normal ones
TRIES = 4


@dataclass
class Bow:
    """An arc with its position: legs at x = ``left`` and ``right``, its run at a height."""

    arc: Arc
    label: str
    left: float
    right: float
    arrow: float | None  # x of the leg to the dependent, if the dependent is in the row
    height: float = 0.0  # of the run, above or below the line next to the words
    label_x: float = 0.0  # the middle of the label
    label_width: float = 0.0
    open_left: bool = False  # without a leg: the arc goes on beyond the margin
    open_right: bool = False


@dataclass
class SvgLayout:
    """A drawing with all positions; y = 0 is the line next to the words, above and below."""

    picture: Picture  # mirrored if written from right to left
    edges: Sequence[float]
    widths: Sequence[float]
    bows: Sequence[Bow]
    width: float
    height_above: float
    height_below: float
    margins: tuple[bool, bool] = (False, False)  # whether the first and the last word are margins of a row
    numbered: bool = False  # whether the words show their numbers, which cut arcs name

    def is_margin(self, place: int) -> bool:
        """Return whether a word is not a real one, but the margin that cut arcs lead to."""
        return (place == 1 and self.margins[0]) or (place == len(self.picture.words) and self.margins[1])


def lay_out(picture: Picture, margins: tuple[bool, bool] = (False, False)) -> SvgLayout:
    """Return the layout of a picture, in nearly linear time.

    ``margins`` say whether the first and the last word are margins of a row: they have no width, and arcs no leg there.
    """
    if picture.right_to_left:
        picture = picture.mirrored()
    extra = [0.0] * len(picture.words)
    ports = _Ports(picture, margins)
    for attempt in range(TRIES):
        edges = left_edges(ports.widths, picture.arcs, _need, ports.offset, WORD_GAP, extra)
        bows = [_bow(arc, edges, ports) for arc in picture.arcs]
        _set_heights(bows, LEVEL_HEIGHT)
        if not _place_labels(bows, extra) or attempt == TRIES - 1:
            break
    left = min([0.0, *(bow.label_x - bow.label_width / 2 for bow in bows)])
    right = max(
        [*(edge + width for edge, width in zip(edges, ports.widths)), 0.0]  # noqa: B905
        + [bow.label_x + bow.label_width / 2 for bow in bows]
    )
    shift = MARGIN - left
    for bow in bows:
        bow.left, bow.right = bow.left + shift, bow.right + shift
        bow.arrow = None if bow.arrow is None else bow.arrow + shift
        bow.label_x += shift
    above, below = (max([bow.height for bow in bows if bow.arc.below is side], default=0.0) for side in (False, True))
    return SvgLayout(
        picture,
        [edge + shift for edge in edges],
        ports.widths,
        bows,
        right + shift + MARGIN,
        above,
        below,
        margins,
        picture.numbered,
    )


def shown_label(arc: Arc) -> str:
    """Return the label with a sign for its mark, visible without colours."""
    label = {WRONG_HEAD: "✗ ", MISSED: "✓ "}.get(arc.mark, "") + arc.shown_label.replace("→", " → ")
    return f"{arc.at_left} {label} {arc.at_right}".strip() if isinstance(arc, CutArc) else label


def _label_width(arc: Arc) -> float:
    return text_width(shown_label(arc), SMALL_SIZE) * (BOLD if arc.is_wrong else 1.0)


def _need(arc: Arc) -> float:
    label = _label_width(arc)
    return label + 2 * LABEL_AIR + 2 * CORNER if label else 2 * CORNER


class _Ports:
    """The positions where arcs meet words: each leg has its own, ordered so that no arcs cross there.

    From left to right: arcs to the left, the longest last; the arc from the root; arcs to the right, the longest first.
    """

    def __init__(self, picture: Picture, margins: tuple[bool, bool]) -> None:
        n = len(picture.words)
        self.margins = {place for place, is_margin in ((1, margins[0]), (n, margins[1])) if is_margin}
        at: list[list[list[Arc]]] = [[[] for _ in range(n + 1)] for _ in range(2)]
        for arc in picture.arcs:
            for place in {arc.left, arc.right}:
                at[arc.below][place].append(arc)
        self.widths = [
            0.0
            if place in self.margins
            else max(
                text_width(word.text, WORD_SIZE),
                text_width(word.tag, SMALL_SIZE) * (BOLD if word.wrong_tag else 1.0),
                PORT_GAP,
                *(min(MOST_PORTS_WIDTH, PORT_GAP * len(side[place])) for side in at),
            )
            for place, word in enumerate(picture.words, 1)
        ]
        self._offsets: dict[tuple[int, int], float] = {}
        for side in at:
            for place in range(1, n + 1):
                self._spread(place, side[place])

    def _spread(self, place: int, arcs: list[Arc]) -> None:
        width = self.widths[place - 1]
        gap = min(PORT_GAP, width / max(len(arcs), 1))
        start = (width - gap * (len(arcs) - 1)) / 2
        for rank, arc in enumerate(sorted(arcs, key=lambda arc: _turn(arc, place))):
            self._offsets[place, id(arc)] = start + gap * rank

    def offset(self, place: int, arc: Arc) -> float:
        """Return the distance from a word's left edge to the leg of an arc."""
        return self._offsets[place, id(arc)]


def _turn(arc: Arc, place: int) -> tuple[int, int, bool]:
    if arc.is_upright:
        return (1, 0, False)
    if arc.right == place:
        return (0, arc.right - arc.left, arc.head < arc.dependent)
    return (2, arc.left - arc.right, arc.head > arc.dependent)


def _bow(arc: Arc, edges: Sequence[float], ports: _Ports) -> Bow:
    left = edges[arc.left - 1] + ports.offset(arc.left, arc)
    right = edges[arc.right - 1] + ports.offset(arc.right, arc)
    arrow = right if arc.dependent == arc.right else left
    bow = Bow(arc, shown_label(arc), left, right, arrow, label_width=_label_width(arc))
    bow.open_left, bow.open_right = arc.left in ports.margins, arc.right in ports.margins
    if arc.dependent in ports.margins:
        bow.arrow = None
    return bow


def _set_heights(bows: Sequence[Bow], step: float) -> None:
    for side in (False, True):
        own = [bow for bow in bows if bow.arc.below is side]
        own.sort(key=lambda bow: (nesting(bow.arc), bow.right - bow.left))
        spans = [
            (bow.left - bow.label_width / 2 - 2, bow.right + bow.label_width / 2 + 2)
            if bow.arc.is_upright
            else (bow.left, bow.right)
            for bow in own
        ]
        for bow, level in zip(own, assign_levels(spans)):  # noqa: B905
            bow.height = FIRST_LEVEL + step * (level - 1)


def _place_labels(bows: Sequence[Bow], extra: list[float]) -> bool:
    """Place every label where no leg crosses its arc; return whether more room is needed, and add it to ``extra``."""
    widened = False
    for side in (False, True):
        own = [bow for bow in bows if bow.arc.below is side]
        legs = _Legs(own)
        for bow in own:
            if bow.arc.is_upright:
                bow.label_x = bow.left
                continue
            lacking = _place_label(bow, legs)
            if lacking > 0:
                extra[bow.arc.right - 1] += lacking
                widened = True
    return widened


def _place_label(bow: Bow, legs: _Legs) -> float:
    half = bow.label_width / 2 + LABEL_AIR
    first = bow.left + (0.0 if bow.open_left else CORNER)
    last = bow.right - (0.0 if bow.open_right else CORNER)
    middle = (first + last) / 2
    if bow.open_left or bow.open_right:  # at the margin, which the label names the other end of
        middle = first + half if bow.open_left else last - half
    crossing = [x for x in legs.crossing(bow) if first < x < last]
    starts = [first, *(x + LEG_AIR for x in crossing)]
    ends = [*(x - LEG_AIR for x in crossing), last]
    bow.label_x, widest, nearest = middle, 0.0, None
    for start, end in zip(starts, ends):  # noqa: B905
        if end - start >= 2 * half - 0.01:
            place = min(max(middle, start + half), end - half)
            if nearest is None or abs(place - middle) < nearest:
                nearest, bow.label_x = abs(place - middle), place
        elif nearest is None and end - start > widest:
            widest, bow.label_x = end - start, (start + end) / 2
    return 0.0 if nearest is not None or not bow.label else 2 * half - widest


class _Legs:
    """The sorted legs of arcs, to find those that cross an arc."""

    def __init__(self, bows: Sequence[Bow]) -> None:
        self._legs = sorted((x, bow.height) for bow in bows for x in {bow.left, bow.right})
        self._skyline = Skyline(len(self._legs))
        for k, (_, height) in enumerate(self._legs):
            self._skyline.raise_to(k, k, round(height))

    def crossing(self, bow: Bow) -> list[float]:
        """Return where legs cross the run of an arc; fast if none does."""
        first = bisect_right(self._legs, (bow.left, float("inf")))
        last = bisect_left(self._legs, (bow.right, 0.0))
        if first >= last or self._skyline.highest(first, last - 1) <= bow.height:
            return []
        return [x for x, height in self._legs[first:last] if height > bow.height]


# The width of text in browser fonts, estimated: pictures are laid out before the font is known

# Widths of Helvetica and Arial, in ems; common sans-serif fonts are similar.
_NARROW = dict.fromkeys("ijl'|", 0.24) | dict.fromkeys(" .,:;!ftI()[]/\\-`", 0.3) | dict.fromkeys('r"*{}', 0.36)
_WIDE = dict.fromkeys("mMW@%", 0.86) | dict.fromkeys("wCDGHNOQRU&ABEKPSVXY", 0.74) | {"—": 1.0, "…": 1.0}
USUAL, FULL_WIDTH, CAUTION = 0.57, 1.0, 1.06


def text_width(text: str, size: float) -> float:
    """Return the estimated width of a text at a font size, rather too large than too small."""
    return CAUTION * size * sum(map(_ems, text))


def _ems(character: str) -> float:
    known = _NARROW.get(character) or _WIDE.get(character)
    if known is not None:
        return known
    if character.isascii():
        return USUAL
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0.0
    if unicodedata.east_asian_width(character) in "WF":
        return FULL_WIDTH if ord(character) < 0x1F000 else 1.3  # emoji are drawn wider than their size
    return 0.72 if character.isupper() or unicodedata.category(character) == "Mc" else 0.62
