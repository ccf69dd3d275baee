"""The figures of a report: which values of an experiment each chart shows."""

from __future__ import annotations

import statistics
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from treewright.apps.experiments.cell import label_of
from treewright.apps.experiments.groups import NAMES, CellGroup, Results
from treewright.display.charts.chart import COLOURS, MARKS, Axes, Point, Series, chart, legend
from treewright.display.charts.heat_map import heat_map
from treewright.evaluation.breakdown import DISTANCES, LENGTHS, ranges

MOST_LINES = 14  # in a chart; with more rows, only the best are drawn
FEWEST_WORDS = 100  # in test sentences of some length; with fewer, the accuracy is chance
FEWEST_ARCS = 50  # of some length in a test set, for the same reason
SIZES = ("train_fraction", "train_sentences")


@dataclass(frozen=True)
class Figure:
    """Charts side by side under one title and one legend."""

    title: str
    text: str
    panels: list[str]
    legend: str = ""


def figures_of(results: Results) -> list[Figure]:
    """Return all figures for which there are results."""
    if not results.groups:
        return []
    drawn = [
        heat_maps(results),
        accuracy_against_speed(results),
        rounds(results),
        by_length(results),
        by_distance(results),
    ]
    return [figure for figure in drawn if figure is not None and figure.panels]


def heat_maps(results: Results) -> Figure | None:
    """Return heat maps of two options, one for every treebank and every setting of the other options."""
    wanted = results.plan.plots.get("heat_map") or (["p", "k"] if {"k", "p"} <= set(results.varied) else None)
    if not wanted or len(wanted) != 2:
        return None
    across, up = wanted
    metric = results.metric
    panels = []
    charts: dict[tuple[str, str], list[CellGroup]] = {}
    for group in results.groups:
        if {across, up} <= set(group.options) and group.mean(metric) is not None:
            others = {name: group.options.get(name) for name in results.varied if name not in wanted}
            charts.setdefault((group.treebank, label_of(others)), []).append(group)
    several = len({rest for _, rest in charts}) > 1
    for treebank in results.treebanks:
        for (name, rest), groups in charts.items():
            if name == treebank:
                columns, rows = (_ordered(group.options[option] for group in groups) for option in (across, up))
                places = [(str(group.options[across]), str(group.options[up])) for group in groups]
                means = {place: group.mean(metric) or 0.0 for place, group in zip(places, groups, strict=True)}
                panels.append(heat_map(means, columns, rows, (across, up), f"{name}: {rest}" if several else name))
    seeds = max((len(group.results) for group in results.groups), default=0)
    text = f"{NAMES.get(metric, metric)} on the test set, mean over {seeds} seed{'s' * (seeds != 1)}; the best in bold."
    return Figure(f"{across} and {up}", text, panels)


def accuracy_against_speed(results: Results) -> Figure:
    """Return a point for every row: tokens per second and the score."""
    metric = results.metric

    def points(group: CellGroup) -> list[Point]:
        speed, mean = group.measured("parsing", "tokens_per_second"), group.mean(metric)
        if not speed or mean is None:
            return []
        note = f"{results.label(group.options)}: {mean:.2f} at {speed:,.0f} tokens/s"
        return [Point(speed, mean, note, group.spread(metric))]

    axes = Axes("tokens per second, one core", NAMES.get(metric, metric), log_x=True)
    text = "Further up is more accurate, further right is faster. Bars: standard deviation over seeds."
    return _by_treebank(results, "Accuracy against speed", text, axes, points, line=False)


def rounds(results: Results) -> Figure:
    """Return the dev score after every round of training."""

    def points(group: CellGroup) -> list[Point]:
        by_round: dict[int, list[float]] = {}
        for result in group.results.values():
            for entry in result["rounds"]:
                if entry["las"] is not None:
                    by_round.setdefault(entry["round"], []).append(entry["las"])
        whole = {number: values for number, values in by_round.items() if len(values) == len(group.results)}
        if len(whole) < 2:
            return []  # a learner without rounds has one score and no curve
        return [Point(number, statistics.fmean(values)) for number, values in sorted(whole.items())]

    name = "LAS on dev" if "las" in results.scores else "labelled F1 on dev"
    text = "The score on the development set after each round, mean over seeds."
    return _by_treebank(results, "Learning curves, round by round", text, Axes("round", name, whole=True), points)


def by_length(results: Results) -> Figure:
    """Return accuracy by sentence length."""
    names = ranges(LENGTHS)
    right = "heads" if results.metric.startswith("uas") else "both"

    def points(group: CellGroup) -> list[Point]:
        words, rights = [0] * len(names), [0] * len(names)
        for result in group.results.values():
            counts = result.get("sentences", {"words": (), right: ()})
            for n_words, n_right in zip(counts["words"], counts[right], strict=True):
                place = bisect_right(LENGTHS, n_words) - 1
                words[place] += n_words
                rights[place] += n_right
        label, least = results.label(group.options), FEWEST_WORDS * len(group.results)
        shares = {k: 100 * rights[k] / words[k] for k in range(len(names)) if words[k] >= least}
        return [Point(k, share, f"{label}, {names[k]} words: {share:.2f}") for k, share in shares.items()]

    axes = Axes("words in the sentence", "UAS" if right == "heads" else "LAS", names=names)
    text = f"All seeds together; lengths with at least {FEWEST_WORDS} words in the test set."
    return _by_treebank(results, "Accuracy by sentence length", text, axes, points)


def by_distance(results: Results) -> Figure:
    """Return F1 of arcs by the distance between head and dependent."""
    names = ["root", *ranges(DISTANCES[1:])]

    def points(group: CellGroup) -> list[Point]:
        by_range: dict[str, list[float]] = {}
        for result in group.results.values():
            for row in result.get("distances", ()):
                if row["gold"] < FEWEST_ARCS:
                    continue
                together = row["precision"] + row["recall"]
                score = 2 * row["precision"] * row["recall"] / together if together else 0.0
                by_range.setdefault(row["distance"], []).append(score)
        label = results.label(group.options)
        means = {name: statistics.fmean(values) for name, values in by_range.items()}
        known = [(k, name) for k, name in enumerate(names) if name in means]
        return [Point(k, means[name], f"{label}, {name}: {means[name]:.2f}") for k, name in known]

    axes = Axes("words from dependent to head", "labelled F1", names=names)
    text = (
        "F1 of arcs: precision over the parser's arcs of a length, recall over the gold ones; lengths with"
        f" at least {FEWEST_ARCS} gold arcs in the test set."
    )
    return _by_treebank(results, "Accuracy by dependency distance", text, axes, points)


def _by_treebank(
    results: Results, title: str, text: str, axes: Axes, points: Callable[[CellGroup], list[Point]], line: bool = True
) -> Figure:
    """Return a chart for every treebank, with a series for every row."""
    labels = lines_to_draw(results)
    if len(labels) < len(largest(results)):
        text += f" The {len(labels)} best of {len(largest(results))} rows on average."
    panels: list[str] = []
    drawn: set[str] = set()
    for treebank in results.treebanks:
        series = series_for(results, labels, line)
        for one in series:
            group = results.find(treebank, one.name)
            one.points = points(group) if group else []
        if any(one.points for one in series):
            panels.append(chart(series, axes, treebank))
        drawn |= {one.name for one in series if one.points}
    keys = [one for one in series_for(results, labels, line) if one.name in drawn]
    return Figure(title, text, panels, legend(keys))


def largest(results: Results) -> list[str]:
    """Return the rows trained on the most data if sizes are compared; otherwise all rows."""
    sizes = [name for name in SIZES if name in results.varied]
    if not sizes:
        return results.labels
    best: dict[str, tuple[float, str]] = {}
    for group in results.groups:
        rest = label_of({name: group.options.get(name) for name in results.varied if name not in sizes})
        size = (float(group.first["training"]["words"]), results.label(group.options))
        best[rest] = max(best.get(rest, size), size)
    return [label for label in results.labels if label in {label for _, label in best.values()}]


def lines_to_draw(results: Results) -> list[str]:
    """Return the rows that charts show: all, or the best if there are too many."""
    labels = largest(results)
    if len(labels) <= MOST_LINES:
        return labels
    scores: dict[str, list[float]] = {}
    for group in results.groups:
        mean = group.mean(results.metric)
        if mean is not None:
            scores.setdefault(results.label(group.options), []).append(mean)
    full = max(len(values) for values in scores.values())
    ranked = sorted(labels, key=lambda label: (-(len(scores[label]) == full), -statistics.fmean(scores[label])))
    kept = set(ranked[:MOST_LINES])
    return [label for label in labels if label in kept]


def series_for(results: Results, labels: Sequence[str], line: bool = True) -> list[Series]:
    """Return empty series: a colour per family of rows, dashes for its baseline, a mark for each of the others."""
    options = {results.label(group.options): group.options for group in results.groups}
    families = list(dict.fromkeys(results.family(options[label]) for label in labels))
    baselines = {
        results.label(other.options) for group in results.groups if (other := results.baseline_of(group)) is not None
    }
    alone = len(families) == 1
    made: list[Series] = []
    seen: set[str] = set()
    for number, label in enumerate(labels):
        colour = number if alone else families.index(results.family(options[label]))
        series = Series(label, [], colour, label in baselines, line)
        while series.classes in seen and len(seen) < COLOURS * MARKS:
            series.mark += 1
            series.colour += series.mark % MARKS == 0  # this colour has no mark left
        seen.add(series.classes)
        made.append(series)
    return made


def _ordered(values: Iterable[object]) -> list[str]:
    """Return the distinct values as text, numbers by size and others as they come."""
    different = list(dict.fromkeys(values))
    if all(isinstance(value, (int, float)) for value in different):
        different.sort()
    return [str(value) for value in different]
