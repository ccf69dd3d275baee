"""The charts of an analysis: scores by bucket, and how errors cluster."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from treewright.display.charts.chart import Axes, Point, Series, chart, legend

if TYPE_CHECKING:
    from treewright.analysis.report import Analysis

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
    scores = [{row.name: row.first_score for row in rows}]
    if analysis.compared:
        scores.append({row.name: row.second_score or 0.0 for row in rows})
    ends = {row.name: f" of {row.words:,} words" for row in rows}
    return _plot(scores, Axes(ACROSS[name], f"{analysis.metric.upper()}, %", names=[row.name for row in rows]), ends)


def ratio_plot(analysis: Analysis) -> str:
    """Plot errors per expected error after the first error of a sentence, with a line for each parse."""
    names = list(dict.fromkeys(row.distance for spread in analysis.spreads for row in spread.after))
    ratios = [{row.distance: row.ratio for row in spread.after if row.ratio is not None} for spread in analysis.spreads]
    axes = Axes("words after the first error", "errors per expected", names=names, level=1.0, covers=(0.5, 1.5))
    return _plot(ratios, axes, {})


def _plot(parses: Sequence[Mapping[str, float]], axes: Axes, ends: Mapping[str, str]) -> str:
    """Plot values by name, with a legend for several parses; each note ends as ``ends`` says."""
    series: list[Series] = []
    for letter, values in zip("AB", parses, strict=False):
        named = f"{letter}: " if len(parses) > 1 else ""
        points = [
            Point(place, values[name], f"{name}: {named}{values[name]:.2f}{ends.get(name, '')}")
            for place, name in enumerate(axes.names)
            if name in values
        ]
        series.append(Series(letter, points, colour=len(series)))
    if not any(one.points for one in series):
        return ""
    return chart(series, axes) + (legend(series) if len(parses) > 1 else "")
