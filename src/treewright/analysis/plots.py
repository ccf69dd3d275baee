"""Small SVG plots of an analysis: scores by bucket, and how errors cluster."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from treewright.analysis.report import Analysis

WIDTH, HEIGHT, LEFT, RIGHT, TOP = 560.0, 190.0, 62.0, 8.0, 10.0  # HEIGHT excludes the labels below
LETTER = 8.0  # approximate width of a letter; the style sheet sets the size
ACROSS = {
    "length": "words in the sentence",
    "distance": "words from the dependent to its gold head",
    "depth": "arcs from the root in the gold tree",
}


def scores_plot(analysis: Analysis, name: str) -> str:
    """Plot the scores of a breakdown as points, with a line for each parse.

    Points, not bars: the axis does not start at zero, so the length of a bar would mean nothing.
    """
    rows = analysis.tables[name]
    if not rows:
        return ""
    lines = [{row.name: (row.first_score, row.words) for row in rows}]
    if analysis.compared:
        lines.append({row.name: (row.second_score or 0.0, row.words) for row in rows})
    values = [score for line in lines for score, _ in line.values()]
    between = max(values) - min(values)
    step = 5 if between <= 25 else 10 if between <= 50 else 20
    low = step * math.floor(min(values) / step)
    high = max(step * math.ceil(max(values) / step), low + step)
    metric = analysis.metric.upper()
    frame = _Frame([row.name for row in rows], [float(value) for value in range(low, high + 1, step)])
    shapes: list[str] = []
    for letter, line in zip("ab", lines, strict=False):
        named = f"{letter.upper()}: " if analysis.compared else ""
        notes = {bucket: f"{named}{score:.2f} of {words:,} words" for bucket, (score, words) in line.items()}
        shapes += frame.line(letter, {bucket: score for bucket, (score, _) in line.items()}, notes)
    return frame.svg(shapes, f"{metric} by {name}", f"{metric}, %", ACROSS[name], "{:.0f}")


def ratio_plot(analysis: Analysis) -> str:
    """Plot errors per expected error after the first error of a sentence, with a line for each parse."""
    names: list[str] = []
    for spread in analysis.spreads:
        names += [row.distance for row in spread.after if row.distance not in names]
    lines = [{row.distance: row.ratio for row in spread.after if row.ratio is not None} for spread in analysis.spreads]
    values = [value for line in lines for value in line.values()]
    if not values:
        return ""
    low, high = 0.25 * math.floor(min(0.5, *values) / 0.25), 0.25 * math.ceil(max(1.5, *values) / 0.25)
    step = 0.25 * math.ceil((high - low) / 0.25 / 6)
    ticks = [low + step * number for number in range(math.ceil((high - low) / step) + 1)]
    frame = _Frame(names, ticks)
    shapes = [f'<line class="one" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{frame.y(1):.1f}" y2="{frame.y(1):.1f}"/>']
    for letter, line in zip("ab", lines, strict=False):
        shapes += frame.line(letter, line, {name: f"{ratio:.2f}" for name, ratio in line.items()})
    across = "words after the first error"
    return frame.svg(shapes, f"errors per expected error, by {across}", "errors per expected", across, "{:.2f}")


class _Frame:
    """Axes: names below, numbers on the left."""

    def __init__(self, names: Sequence[str], ticks: Sequence[float]) -> None:
        self.names, self.ticks = names, ticks
        self.step = (WIDTH - LEFT - RIGHT) / max(1, len(names))
        longest = LETTER * max(map(len, names), default=0)
        self.slanted = longest > self.step
        self.beneath = 16 + (0.65 * longest if self.slanted else 12)

    def middle(self, place: int) -> float:
        return LEFT + self.step * (place + 0.5)

    def y(self, value: float) -> float:
        low, high = self.ticks[0], self.ticks[-1]
        return HEIGHT - (value - low) / (high - low) * (HEIGHT - TOP)

    def line(self, letter: str, values: Mapping[str, float], notes: Mapping[str, str]) -> list[str]:
        """Return the points of one parse and the line between them."""
        places = [(name, self.middle(place)) for place, name in enumerate(self.names) if name in values]
        path = " ".join(f"{x:.1f},{self.y(values[name]):.1f}" for name, x in places)
        dots = [
            f'<circle class="{letter}" cx="{x:.1f}" cy="{self.y(values[name]):.1f}" r="4">'
            f"<title>{escape(f'{name}: {notes[name]}')}</title></circle>"
            for name, x in places
        ]
        return [f'<polyline class="{letter} line" points="{path}"/>', *dots]

    def svg(self, shapes: list[str], label: str, up: str, across: str, shown: str) -> str:
        marks = []
        for value in self.ticks:
            y = self.y(value)
            marks.append(f'<line class="axis" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>')
            marks.append(f'<text x="{LEFT - 6}" y="{y + 5:.1f}" text-anchor="end">{shown.format(value)}</text>')
        for place, name in enumerate(self.names):
            x, y = self.middle(place), HEIGHT + 18
            where = f'x="{x:.1f}" y="{y:.1f}" text-anchor="middle"'
            if self.slanted:
                where = f'transform="translate({x + 4:.1f} {y - 4:.1f}) rotate(-40)" text-anchor="end"'
            marks.append(f"<text {where}>{escape(name)}</text>")
        height = HEIGHT + self.beneath + 24
        centre, middle = (LEFT + WIDTH - RIGHT) / 2, (TOP + HEIGHT) / 2
        marks.append(f'<text x="{centre:.1f}" y="{height - 6:.1f}" text-anchor="middle">{escape(across)}</text>')
        marks.append(
            f'<text transform="translate(14 {middle:.1f}) rotate(-90)" text-anchor="middle">{escape(up)}</text>'
        )
        return (
            f'<svg class="plot" xmlns="http://www.w3.org/2000/svg" width="{WIDTH:g}" height="{height:g}"'
            f' viewBox="0 0 {WIDTH:g} {height:g}" role="img" aria-label="{escape(label, quote=True)}">'
            f"{''.join(marks)}{''.join(shapes)}</svg>\n"
        )
