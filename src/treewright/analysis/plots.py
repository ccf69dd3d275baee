"""Small plots of an analysis as SVG: scores by bucket, and how errors attract each other."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treewright.analysis.report import Analysis

WIDTH, HEIGHT, LEFT, BOTTOM, TOP = 560.0, 190.0, 40.0, 40.0, 10.0


def bars_plot(analysis: Analysis, name: str) -> str:
    """Return the scores of a breakdown as bars, one or two in each bucket."""
    rows = analysis.tables[name]
    series = [[row.first_score for row in rows]]
    if analysis.compared:
        series.append([row.second_score or 0.0 for row in rows])
    if not rows:
        return ""
    least = min(min(values) for values in series)
    low = max(0.0, 10 * int(least / 10 - 0.5))  # so that differences can be seen; the axis says so
    frame = _Frame([row.name for row in rows], low, 100.0)
    shapes = []
    width = frame.step * 0.75 / len(series)
    for letter, values in zip("ab", series, strict=False):
        for place, value in enumerate(values):
            x = frame.middle(place) - frame.step * 0.375 + (width if letter == "b" else 0.0)
            y = frame.y(value)
            shapes.append(
                f'<rect class="{letter}" x="{x:.1f}" y="{y:.1f}" width="{width - 1:.1f}"'
                f' height="{frame.y(low) - y:.1f}"><title>{value:.2f}</title></rect>'
            )
    return frame.svg(shapes, f"{analysis.metric.upper()} by {name}", "%")


def ratio_plot(analysis: Analysis) -> str:
    """Return errors per expected error behind the first error of a sentence, as a line for each parse."""
    names: list[str] = []
    for spread in analysis.spreads:
        names += [row.distance for row in spread.after if row.distance not in names]
    lines = [{row.distance: row.ratio for row in spread.after if row.ratio is not None} for spread in analysis.spreads]
    values = [value for line in lines for value in line.values()]
    if not values:
        return ""
    frame = _Frame(names, min(0.5, *values), max(1.5, *values))
    shapes = [f'<line class="one" x1="{LEFT}" x2="{WIDTH}" y1="{frame.y(1):.1f}" y2="{frame.y(1):.1f}"/>']
    for letter, line in zip("ab", lines, strict=False):
        points = [(frame.middle(place), frame.y(line[name])) for place, name in enumerate(names) if name in line]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        shapes.append(f'<polyline class="{letter} line" points="{path}"/>')
        shapes += [f'<circle class="{letter}" cx="{x:.1f}" cy="{y:.1f}" r="3"/>' for x, y in points]
    return frame.svg(shapes, "errors per expected error, by places behind the first error", "×")


class _Frame:
    """Axes: names below, numbers at the left."""

    def __init__(self, names: Sequence[str], low: float, high: float) -> None:
        self.names, self.low, self.high = names, low, high
        self.step = (WIDTH - LEFT) / max(1, len(names))

    def middle(self, place: int) -> float:
        return LEFT + self.step * (place + 0.5)

    def y(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return HEIGHT - BOTTOM - share * (HEIGHT - BOTTOM - TOP)

    def svg(self, shapes: list[str], label: str, unit: str) -> str:
        marks = []
        for part in range(5):
            value = self.low + (self.high - self.low) * part / 4
            text = f"{value:.0f}" if unit == "%" else f"{value:.2f}"
            y = self.y(value)
            marks.append(f'<line class="axis" x1="{LEFT}" x2="{WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>')
            marks.append(f'<text x="{LEFT - 5}" y="{y + 4:.1f}" text-anchor="end">{text}</text>')
        slanted = max(map(len, self.names)) * 6.5 > self.step
        for place, name in enumerate(self.names):
            x, y = self.middle(place), HEIGHT - BOTTOM + 14
            turn = f' transform="rotate(-30 {x:.1f} {y:.1f})" text-anchor="end"' if slanted else ' text-anchor="middle"'
            marks.append(f'<text x="{x:.1f}" y="{y:.1f}"{turn}>{escape(name)}</text>')
        return (
            f'<svg class="plot" xmlns="http://www.w3.org/2000/svg" width="{WIDTH:g}" height="{HEIGHT:g}"'
            f' viewBox="0 0 {WIDTH:g} {HEIGHT:g}" role="img" aria-label="{escape(label, quote=True)}">'
            f"{''.join(marks)}{''.join(shapes)}</svg>\n"
        )
