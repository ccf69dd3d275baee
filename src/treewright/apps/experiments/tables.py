"""The tables of an experiment: means and differences, as rows of text for both Markdown and HTML."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from treewright.apps.experiments.cell import label_of
from treewright.apps.experiments.groups import NAMES, CellGroup, GroupDifference, Results, part_words

SETTINGS = "Treebanks and settings"
SURE = 0.05  # a difference with a smaller p-value is called significant


@dataclass
class ResultTable:
    """A title, a header, rows of text; ``best`` are the positions of values to highlight."""

    title: str
    header: Sequence[str]
    rows: list[list[str]] = field(default_factory=list)
    best: set[tuple[int, int]] = field(default_factory=set)
    note: str = ""


def tables_of(results: Results) -> list[ResultTable]:
    """Return all tables of an experiment."""
    if not results.groups:
        return []
    tables = [overview(results, results.metric)]
    if any(results.difference(group, results.metric) for group in results.groups):
        tables.append(differences(results, results.metric))
    tables += [parts_table(results, treebank) for treebank in results.treebanks if _parts(results, treebank)]
    return [*tables, details(results), costs(results), settings(results)]


def overview(results: Results, metric: str) -> ResultTable:
    """Return the mean score of every row on every treebank."""
    several = len(results.treebanks) > 1
    header = ["", *results.treebanks, *(["mean"] if several else [])]
    table = ResultTable(f"{NAMES.get(metric, metric)} on the test sets, mean ± standard deviation over seeds", header)
    values: list[list[float | None]] = []
    for label in results.labels:
        groups = [results.find(treebank, label) for treebank in results.treebanks]
        means = [group.mean(metric) if group else None for group in groups]
        complete = [mean for mean in means if mean is not None]
        whole = statistics.fmean(complete) if len(complete) == len(means) else None
        shown = [_with_spread(group, metric) if group else "" for group in groups]
        table.rows.append([label, *shown, *([_number(whole)] if several else [])])
        values.append([*means, *([whole] if several else [])])
    _mark_best(table, values)
    counts = sorted({len(group.results) for group in results.groups})
    if len(counts) > 1:
        table.note = f"Rows have from {counts[0]} to {counts[-1]} seeds" + (
            "; those with one seed have no ±." if counts[0] == 1 else "."
        )
    return table


def differences(results: Results, metric: str) -> ResultTable:
    """Return how much better rows are than their baselines, treebank by treebank."""
    several = len(results.treebanks) > 1
    header = ["", "against", *results.treebanks, *(["mean", "better on"] if several else [])]
    title = f"{NAMES.get(metric, metric)}: difference to the baseline"
    table = ResultTable(title, header)
    tested = False
    for label in results.labels:
        row, values, against = [], [], ""
        for treebank in results.treebanks:
            group = results.find(treebank, label)
            difference = results.difference(group, metric) if group else None
            if group is None or difference is None:
                row.append("")
                continue
            other = results.baseline_of(group)
            against = results.label(other.options) if other else against
            tested = tested or difference.test is not None
            row.append(_signed(difference))
            values.append(difference.value)
        if not values:
            continue
        if several:
            better = sum(round(value, 2) > 0 for value in values)  # as shown
            row += [f"{statistics.fmean(values):+.2f}", f"{better} of {len(values)}"]
        table.rows.append([label, against, *row])
    if tested:
        table.note = (
            f"\\* p < {SURE}, \\*\\* p < 0.01: paired bootstrap over the sentences of the test set, right words summed"
            " over seeds. Each cell is tested separately: where there is no difference, one in"
            f" {1 / SURE:.0f} gets a star by chance."
        )
    return table


def details(results: Results) -> ResultTable:
    """Return all scores of every row with the test of its difference."""
    metric = results.metric
    header = ["treebank", "", "seeds", *(NAMES.get(name, name) for name in results.scores), "difference", "95 %", "p"]
    table = ResultTable("All scores", header)
    for treebank in results.treebanks:
        for group in results.of(treebank):
            difference = results.difference(group, metric)
            test = difference.test if difference else None
            table.rows.append(
                [
                    treebank,
                    results.label(group.options),
                    str(len(group.results)),
                    *(_with_spread(group, name) for name in results.scores),
                    f"{difference.value:+.2f}" if difference else "",
                    f"{test.low:+.2f} to {test.high:+.2f}" if test else "",
                    _p_value(test.p_value) if test else "",
                ]
            )
    return table


def parts_table(results: Results, treebank: str) -> ResultTable:
    """Return the scores on parts of a test set, each with the difference to the baseline."""
    parts = _parts(results, treebank)
    table = ResultTable(f"Parts of the test set of {treebank}: UAS and LAS", ["", "", *parts])
    for metric in ("uas", "las"):
        values: list[list[float | None]] = []
        start = len(table.rows)
        for label in results.labels:
            group = results.find(treebank, label)
            if group is None:
                continue
            cells = []
            for part in parts:
                mean, difference = group.mean(metric, part), results.difference(group, metric, part)
                cells.append(_number(mean) + (f" ({_signed(difference)})" if difference else ""))
            table.rows.append([NAMES[metric], label, *cells])
            values.append([group.mean(metric, part) for part in parts])
        _mark_best(table, values, start, 2)
    first = results.of(treebank)[0].first
    sizes = ", ".join(f"{part} {part_words(first, part):,}" for part in parts)
    table.note = f"In brackets: difference to the baseline; \\* p < 0.05, \\*\\* p < 0.01. Words: {sizes}."
    return table


def costs(results: Results) -> ResultTable:
    """Return what training and parsing cost."""
    header = ["treebank", "", "training, CPU s", "memory, MB", "model, MB", "parsing, tokens/s"]
    table = ResultTable("Cost, mean over seeds", header)
    for treebank in results.treebanks:
        for group in results.of(treebank):
            seconds, speed = group.measured("training", "cpu_seconds"), group.measured("parsing", "tokens_per_second")
            memory, size = group.measured("peak_memory_bytes"), group.measured("model_bytes")
            table.rows.append(
                [
                    treebank,
                    results.label(group.options),
                    _seconds(seconds),
                    "" if memory is None else f"{memory / 1e6:,.0f}",
                    "" if size is None else f"{size / 1e6:.2f}",
                    "" if speed is None else f"{speed:,.0f}",
                ]
            )
    return table


def settings(results: Results) -> ResultTable:
    """Return the training and test data and the settings that the other tables do not show."""
    header = ["treebank", "training sentences", "words", "test sentences", "words"]
    table = ResultTable(SETTINGS, header)
    for treebank in results.treebanks:
        groups = results.of(treebank)
        row = [treebank]
        for names in (("training", "sentences"), ("training", "words"), ("parsing", "sentences"), ("parsing", "words")):
            values = sorted(round(value) for group in groups if (value := group.measured(*names)) is not None)
            row.append("" if not values else _span(values[0], values[-1]))
        table.rows.append(row)
    named = {name: value for group in results.groups for name, value in group.options.items()}
    shared = {name: value for name, value in named.items() if name not in results.varied}
    made = [result["made_with"] for group in results.groups for result in group.results.values()]
    versions = _known(f"treewright {one['version']}, Python {one['python']} on {one['platform']}" for one in made)
    days = sorted({str(one["finished"])[:10] for one in made})
    table.note = (f"In all cells: {label_of(shared)}; all other options have their defaults. " if shared else "") + (
        f"Made with {' and '.join(versions)}, {days[0]}{f' to {days[-1]}' if len(days) > 1 else ''}."
    )
    return table


def _span(low: int, high: int) -> str:
    return f"{high:,}" if low == high else f"{low:,} to {high:,}"


def _known(values: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(values))


def markdown(results: Results) -> str:
    """Return results.md."""
    plan = results.plan
    lines = [f"# {plan.title}", ""]
    if plan.description:
        lines += [plan.description, ""]
    lines += [state_of(results), ""]
    for table in tables_of(results):
        lines += [f"## {table.title}", "", *markdown_table(table), ""]
    if results.failures:
        lines += ["## Failed", "", *(f"- {name}: {error}" for name, error in results.failures), ""]
    return "\n".join(lines)


def markdown_table(table: ResultTable) -> list[str]:
    """Return a table in Markdown with the best values in bold."""
    lines = ["| " + " | ".join(table.header) + " |", "|" + "---|" * len(table.header)]
    for number, row in enumerate(table.rows):
        cells = [f"**{cell}**" if (number, place) in table.best else cell for place, cell in enumerate(row)]
        lines.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return [*lines, "", table.note] if table.note else lines


def state_of(results: Results) -> str:
    """Return the state of the experiment in one line."""
    done = sum(len(group.results) for group in results.groups)
    text = in_number(done, "cell")
    if results.missing or results.failures:
        text += f" of {done + results.missing + len(results.failures)}"
    if results.failures:
        text += f"; {len(results.failures)} failed"
    seconds = sum(result["training"]["cpu_seconds"] for group in results.groups for result in group.results.values())
    time = f"{seconds:.1f} CPU seconds" if seconds < 60 else f"{seconds / 60:.1f} CPU minutes"
    text += f"; {time} of training."
    if results.plan.overrides:
        changed = ", ".join(f"{name} {_listed(value)}" for name, value in results.plan.overrides.items())
        text += f" The quick variant: {changed}."
    return text


def in_number(count: int, name: str) -> str:
    """Return a count with a noun, in the plural where needed."""
    return f"{count} {name}" if count == 1 else f"{count} {name}s"


def _listed(value: object) -> str:
    return "/".join(map(str, value)) if isinstance(value, list) else str(value)


def _parts(results: Results, treebank: str) -> list[str]:
    return list(dict.fromkeys(part for group in results.of(treebank) for part in group.parts))


def _mark_best(table: ResultTable, values: list[list[float | None]], first_row: int = 0, first_column: int = 1) -> None:
    """Mark the highest value of every column."""
    if len(values) < 2:
        return
    for column in range(len(values[0])):
        known = [row[column] for row in values]
        highest = max((value for value in known if value is not None), default=None)
        if highest is not None:
            table.best |= {
                (first_row + number, first_column + column) for number, value in enumerate(known) if value == highest
            }


def _with_spread(group: CellGroup, metric: str) -> str:
    mean, spread = group.mean(metric), group.spread(metric)
    return _number(mean) + (f" ± {spread:.2f}" if spread is not None else "")


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:,.1f}" if value >= 1 else f"{value:.2f}"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _signed(difference: GroupDifference) -> str:
    test = difference.test
    stars = "" if test is None or test.p_value >= SURE else "\\*" if test.p_value >= 0.01 else "\\*\\*"
    return f"{difference.value:+.2f}{stars}"


def _p_value(value: float) -> str:
    return f"{value:.3f}" if value >= 0.001 else "< 0.001"
