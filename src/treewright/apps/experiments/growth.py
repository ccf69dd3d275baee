"""How accuracy and cost grow with the size of the treebank, the size of the text, and sentence length."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from treewright.apps.experiments.cell import label_of
from treewright.apps.experiments.figures import SIZES, Figure
from treewright.apps.experiments.groups import NAMES, CellGroup, Results
from treewright.apps.experiments.tables import ResultTable
from treewright.display.charts.chart import COLOURS, Axes, Point, Series, chart, legend

#: a value of a group, and its spread
ValueOf = Callable[[CellGroup], tuple["float | None", "float | None"]]
#: rows of ``scaling.parsing_costs`` by what grows
Scaling = dict[str, list[dict[str, Any]]]


def exponent(points: Sequence[tuple[float, float]]) -> float | None:
    """Return b of the best fit of y = a · x^b (least squares of logarithms) over the larger half of the points.

    The smaller half reflects fixed costs more than growth.
    """
    known = sorted((x, y) for x, y in points if x > 0 and y > 0)
    upper = known[min(len(known) // 2, max(0, len(known) - 3)) :]
    if len({x for x, _ in upper}) < 2:
        return None
    xs, ys = ([math.log(pair[k]) for pair in upper] for k in (0, 1))
    return statistics.linear_regression(xs, ys).slope


def growth_figures(results: Results) -> list[Figure]:
    """Return the curves by size if an experiment has several sizes."""
    figures: list[Figure] = []
    if any(name in results.varied for name in SIZES):
        words, metric = "words of the training set", results.metric
        curves: dict[str, tuple[Axes, ValueOf]] = {
            "Accuracy": (
                Axes(words, NAMES.get(metric, metric), log_x=True),
                lambda group: (group.mean(metric), group.spread(metric)),
            ),
            "Training time": (
                Axes(words, "CPU seconds", True, True),
                lambda group: (group.measured("training", "cpu_seconds"), None),
            ),
            "Memory": (Axes(words, "peak memory, MB", True, True), lambda group: (_megabytes(group), None)),
        }
        figures = [_by_size(results, f"{what} against the size of the treebank", *how) for what, how in curves.items()]
    figures += _parsing_curves(results)
    return [figure for figure in figures if figure.panels]


def growth_table(results: Results) -> ResultTable | None:
    """Return the fitted exponents: a row for every parser, a column for every cost and size."""
    exponents: dict[tuple[str, str], dict[str, float | None]] = {}
    if any(name in results.varied for name in SIZES):
        for treebank in results.treebanks:
            for family, groups in _families(results, treebank).items():
                times, memory = (
                    [(_words(group), group.measured(*names) or 0.0) for group in groups]
                    for names in (("training", "cpu_seconds"), ("peak_memory_bytes",))
                )
                exponents[treebank, family] = {
                    "training time, by words of the treebank": exponent(times),
                    "memory, by words of the treebank": exponent(memory),
                }
    for group, costs in _scaled(results):
        texts = [(row["words"], row["cpu_seconds"]) for row in costs["sentences"]]
        lengths = [(row["length"], row["cpu_seconds"] * row["length"] / row["words"]) for row in costs["lengths"]]
        exponents.setdefault((group.treebank, results.label(group.options)), {}).update(
            {
                "parsing time, by number of sentences": exponent(texts),
                "parsing time of a sentence, by its length": exponent(lengths),
                "memory of parsing, by number of sentences": exponent(_memory_by("words", costs["sentences"])),
                "memory of parsing, by their length": exponent(_memory_by("length", costs["lengths"])),
            }
        )
    if not exponents:
        return None
    columns = list(dict.fromkeys(name for row in exponents.values() for name in row))
    table = ResultTable("Fitted exponents", ["treebank", "", *columns])
    for (treebank, label), row in exponents.items():
        values = [row.get(name) for name in columns]
        table.rows.append([treebank, label, *("" if value is None else f"{value:.2f}" for value in values)])
    table.note = "1 is proportional, 2 quadratic; fitted over the larger half of the sizes."
    if any("memory" in name for name in columns):
        table.note += " Memory is that of the whole process, which takes about 50 MB before it reads a treebank."
    return table


def _memory_by(size: str, rows: list[dict[str, Any]]) -> list[tuple[float, float]]:
    return [(row[size], row["memory_bytes"] / 1e6) for row in rows if row.get("memory_bytes")]


def _by_size(results: Results, title: str, axes: Axes, value_of: ValueOf) -> Figure:
    by_treebank = {treebank: _families(results, treebank) for treebank in results.treebanks}
    curves: dict[str, dict[str, list[Point]]] = {}
    for treebank, families in by_treebank.items():
        for family, groups in families.items():
            points = []
            for group in groups:
                value, spread = value_of(group)
                if value is not None:
                    note = f"{family}, {_words(group):,.0f} words: {value:,.2f}"
                    points.append(Point(_words(group), value, note, spread))
            curves.setdefault(treebank, {})[family] = points
    return _drawn(title, "Mean over seeds.", axes, curves)


def _drawn(title: str, text: str, axes: Axes, curves: dict[str, dict[str, list[Point]]]) -> Figure:
    """Return a panel for every treebank; a name looks the same in all of them."""
    names = list(dict.fromkeys(name for lines in curves.values() for name in lines))
    looks = [Series(name, [], number, mark=number // COLOURS) for number, name in enumerate(names)]
    panels = [
        chart([replace(look, points=lines[look.name]) for look in looks if look.name in lines], axes, treebank)
        for treebank, lines in curves.items()
    ]
    return Figure(title, text, panels, legend(looks))


def _families(results: Results, treebank: str) -> dict[str, list[CellGroup]]:
    """Return groups that differ only in size, smallest first."""
    families: dict[str, list[CellGroup]] = {}
    for group in results.of(treebank):
        rest = {name: group.options.get(name) for name in results.varied if name not in SIZES}
        families.setdefault(label_of(rest), []).append(group)
    return {name: sorted(groups, key=_words) for name, groups in families.items() if len(groups) > 1}


def _parsing_curves(results: Results) -> list[Figure]:
    scaled = _scaled(results)
    if not scaled:
        return []
    figures = []
    for title, name, axes in (
        ("Parsing time against the number of sentences", "sentences", Axes("sentences", "CPU seconds", True, True)),
        (
            "Parsing time against the length of sentences",
            "lengths",
            Axes("words in the sentence", "microseconds per word", True, True),
        ),
    ):
        curves: dict[str, dict[str, list[Point]]] = {}
        for group, costs in scaled:
            label = results.label(group.options)
            curves.setdefault(group.treebank, {})[label] = [_cost(name, row, label) for row in costs[name]]
        figures.append(_drawn(title, "From memory to memory, one core.", axes, curves))
    return [*figures, *_memory_curves(results, scaled)]


def _memory_curves(results: Results, scaled: list[tuple[CellGroup, Scaling]]) -> list[Figure]:
    figures = []
    for title, name, size, across in (
        ("Memory of parsing against the number of sentences", "sentences", "sentences", "sentences"),
        ("Memory of parsing against the length of sentences", "lengths", "length", "words in the sentence"),
    ):
        curves: dict[str, dict[str, list[Point]]] = {}
        for group, costs in scaled:
            label = results.label(group.options)
            points = [
                Point(x, megabytes, f"{label}, {x:,} {across}: {megabytes:,.0f} MB")
                for x, megabytes in _memory_by(size, costs[name])
            ]
            if points:
                curves.setdefault(group.treebank, {})[label] = points
        if curves:
            text = "Peak of a process that loads the model and parses from file to file."
            figures.append(_drawn(title, text, Axes(across, "peak memory, MB", log_x=True), curves))
    return figures


def _cost(name: str, row: dict[str, Any], label: str) -> Point:
    if name == "sentences":
        note = f"{label}, {row['sentences']:,} sentences: {row['cpu_seconds']:.3f} s"
        return Point(row["sentences"], max(row["cpu_seconds"], 1e-6), note)
    each = 1e6 * max(row["cpu_seconds"], 1e-9) / row["words"]
    return Point(row["length"], each, f"{label}, sentences of {row['length']:,} words: {each:.2f} µs per word")


def _scaled(results: Results) -> list[tuple[CellGroup, Scaling]]:
    return [(group, group.first["scaling"]) for group in results.groups if "scaling" in group.first]


def _words(group: CellGroup) -> float:
    return group.measured("training", "words") or 0.0


def _megabytes(group: CellGroup) -> float | None:
    memory = group.measured("peak_memory_bytes")
    return None if memory is None else memory / 1e6
