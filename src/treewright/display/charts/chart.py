"""Lines and points over two axes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from math import radians, sin

from treewright.display.charts.scale import Scale, scale_for, shown
from treewright.display.charts.style import LETTER

WIDTH, HEIGHT = 400.0, 270.0
LEFT, RIGHT, TOP, BOTTOM = 52.0, 12.0, 30.0, 42.0
SLANT = 40  # degrees, of names that have no room side by side
COLOURS = 10  # in the style sheet, as s0 to s9
MARKS = 5  # shapes of points: a circle, a square, a triangle, a diamond, a triangle upside down


@dataclass(frozen=True)
class Point:
    """A point in a chart; ``spread`` is drawn as a vertical bar."""

    x: float
    y: float
    note: str = ""
    spread: float | None = None


@dataclass
class Series:
    """Points of one kind, joined if ``line``. ``mark`` distinguishes series of the same colour."""

    name: str
    points: list[Point] = field(default_factory=list)
    colour: int = 0
    dashed: bool = False
    line: bool = True
    mark: int = 0

    @property
    def classes(self) -> str:
        """Its look, as classes of the style sheet."""
        dashed = " dashed" if self.dashed else ""
        return f"s{self.colour % COLOURS} m{self.mark % MARKS}{dashed}"


@dataclass(frozen=True)
class Axes:
    """The labels of the axes.

    ``names`` replace the numbers 0, 1, 2 …; ``whole``: x is a count and has no fractions; ``level``: a value of y that
    all others are compared with; ``covers``: values of y that the axis has in any case.
    """

    x: str
    y: str
    log_x: bool = False
    log_y: bool = False
    names: Sequence[str] = ()
    whole: bool = False
    level: float | None = None
    covers: Sequence[float] = ()


def chart(series: Sequence[Series], axes: Axes, title: str = "") -> str:
    """Return a chart as SVG; its colours are those of ``style_sheet``."""
    drawn = [one for one in series if one.points]
    xs = [point.x for one in drawn for point in one.points]
    ys = [point.y + sign * (point.spread or 0) for one in drawn for point in one.points for sign in (-1, 1)]
    ys += [*axes.covers, *([] if axes.level is None else [axes.level])]
    across = scale_for(xs or [0], LEFT, WIDTH - RIGHT, axes.log_x)
    up = scale_for(ys or [0], HEIGHT - BOTTOM, TOP, axes.log_y)
    slanted = _room_of_slanted(across, axes.names)
    pieces = [*_frame(across, up, axes, title, slanted), *(_series(one, across, up) for one in drawn)]
    label = escape(f"{title}: {axes.y} against {axes.x}".removeprefix(": "), quote=True)
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" class="chart" role="img"'
        f' viewBox="0 0 {WIDTH:g} {HEIGHT + slanted:g}" aria-label="{label}">{"".join(pieces)}</svg>'
    )


def _room_of_slanted(across: Scale, names: Sequence[str]) -> float:
    """Return the height that names need in addition: 0 where they have room side by side."""
    if not names:
        return 0.0
    longest = LETTER * max(map(len, names))
    return 0.0 if longest <= across.place(1) - across.place(0) else round(longest * sin(radians(SLANT)))


def _frame(across: Scale, up: Scale, axes: Axes, title: str, slanted: float) -> list[str]:
    pieces = [f'<text class="title" x="{LEFT:g}" y="17">{escape(title)}</text>'] if title else []
    for value in up.ticks():
        y = up.place(value)
        pieces.append(f'<path class="grid" d="M{LEFT:g} {y:.1f}H{WIDTH - RIGHT:g}"/>')
        pieces.append(f'<text class="tick end" x="{LEFT - 6:g}" y="{y + 3.5:.1f}">{shown(value)}</text>')
    # There is no room where no series has a value.
    ticks = [(float(k), name) for k, name in enumerate(axes.names) if across.low <= k <= across.high]
    values = [value for value in across.ticks(6) if not axes.whole or value == round(value)]
    for value, name in ticks or [(value, shown(value)) for value in values]:
        x = across.place(value)
        pieces.append(f'<path class="grid" d="M{x:.1f} {TOP:g}V{HEIGHT - BOTTOM:g}"/>')
        if slanted:
            where = f'class="tick end" transform="translate({x + 3:.1f} {HEIGHT - BOTTOM + 12:g}) rotate(-{SLANT})"'
        else:
            where = f'class="tick mid" x="{x:.1f}" y="{HEIGHT - BOTTOM + 15:g}"'
        pieces.append(f"<text {where}>{escape(name)}</text>")
    middle = (LEFT + WIDTH - RIGHT) / 2
    pieces.append(f'<path class="axis" d="M{LEFT:g} {TOP:g}V{HEIGHT - BOTTOM:g}H{WIDTH - RIGHT:g}"/>')
    if axes.level is not None:
        pieces.append(f'<path class="level" d="M{LEFT:g} {up.place(axes.level):.1f}H{WIDTH - RIGHT:g}"/>')
    pieces.append(f'<text class="name mid" x="{middle:g}" y="{HEIGHT + slanted - 8:g}">{escape(axes.x)}</text>')
    height = (TOP + HEIGHT - BOTTOM) / 2
    pieces.append(f'<text class="name mid" transform="translate(13 {height:g}) rotate(-90)">{escape(axes.y)}</text>')
    return pieces


def _series(series: Series, across: Scale, up: Scale) -> str:
    places = [(across.place(point.x), up.place(point.y)) for point in series.points]
    pieces = []
    if series.line and len(places) > 1:
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
        pieces.append(f'<path class="line" d="{path}"/>')
    for (x, y), point in zip(places, series.points, strict=True):
        if point.spread:
            low, high = up.place(point.y - point.spread), up.place(point.y + point.spread)
            pieces.append(f'<path class="spread" d="M{x:.1f} {low:.1f}V{high:.1f}"/>')
        note = f"<title>{escape(point.note or f'{series.name}: {shown(point.x)}, {point.y:.2f}')}</title>"
        pieces.append(_mark(series.mark, x, y, 2.4 if series.line else 5.0, note))
    return f'<g class="{series.classes}">{"".join(pieces)}</g>'


def _mark(mark: int, x: float, y: float, size: float, note: str = "") -> str:
    """Return a point. Shapes with corners are drawn larger, so that all appear equally large."""
    if mark % MARKS == 0:
        return f'<circle class="dot" cx="{x:.1f}" cy="{y:.1f}" r="{size}">{note}</circle>'
    corners = (
        ((-0.9, -0.9), (0.9, -0.9), (0.9, 0.9), (-0.9, 0.9)),
        ((0.0, -1.25), (1.15, 0.85), (-1.15, 0.85)),
        ((0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)),
        ((0.0, 1.25), (1.15, -0.85), (-1.15, -0.85)),
    )[mark % MARKS - 1]
    path = "L".join(f"{x + size * across:.1f} {y + size * down:.1f}" for across, down in corners)
    return f'<path class="dot" d="M{path}Z">{note}</path>'


def legend(series: Sequence[Series]) -> str:
    """Return the names of series with their colours, as HTML."""
    items = []
    for one in series:
        line = '<path class="line" d="M1 6H27"/>' if one.line else ""
        items.append(
            '<li><svg class="chart key" viewBox="0 0 28 12" aria-hidden="true">'
            f'<g class="{one.classes}">{line}{_mark(one.mark, 14, 6, 3.6)}</g></svg>{escape(one.name)}</li>'
        )
    return f'<ul class="legend">{"".join(items)}</ul>'
