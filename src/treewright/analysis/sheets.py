"""The tables of an analysis as plain data: the source of text, terminal and HTML output."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from treewright.analysis.moves import MoveReport
from treewright.evaluation.score import percent

if TYPE_CHECKING:
    from treewright.analysis.breakdowns import BreakdownRow
    from treewright.analysis.report import Analysis

Cell = str | int | float | None

TITLES = {
    "deprel": "By relation (of the gold tree)",
    "upos": "By tag (of the gold tree)",
    "length": "By length of the sentence, in words",
    "distance": "By place of the gold head: how many words to the left or right",
    "projectivity": "By projectivity of the gold arc",
    "depth": "By depth in the gold tree: arcs from the root",
}
LETTERS = "AB"


@dataclass(frozen=True)
class Sheet:
    """A table with a title and a note on how to read it."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Cell]]
    note: str = ""
    left_out: int = 0  # number of rows that are not shown
    #: column that a page shows as a bar, to the left and right of zero
    bar: int | None = None
    more_is_better: bool = True  # in that column
    #: highlighted rows
    marked: frozenset[int] = field(default=frozenset())


def sheets(analysis: Analysis, top: int) -> Iterator[Sheet]:
    """Yield the tables in reading order."""
    for place, (name, rows) in enumerate(analysis.tables.items()):
        yield breakdown_sheet(analysis, name, rows, top, explained=place == 0)
    yield confusion_sheet(analysis, top)
    yield spread_sheet(analysis)
    if analysis.compared:
        yield history_sheet(analysis)
    if any(analysis.moves):
        yield moves_sheet(analysis)


def breakdown_sheet(analysis: Analysis, name: str, rows: list[BreakdownRow], top: int, explained: bool = True) -> Sheet:
    """Return a breakdown: scores and errors of one parse, or two scores and the words that only one gets right."""
    metric = analysis.metric.upper()
    # Significant rows are shown however rare they are.
    shown = [row for place, row in enumerate(rows) if place < top or row.significant] if name == "deprel" else rows
    if not analysis.compared:
        all_errors = analysis.total.first_errors
        header = [name, "words", metric, "errors", "% of errors"]
        body: list[list[Cell]] = [
            [row.name, row.words, row.first_score, row.first_errors, percent(row.first_errors, all_errors)]
            for row in shown
        ]
        return Sheet(TITLES[name], header, body, left_out=len(rows) - len(shown))
    header = [name, "words", f"{metric} A", f"{metric} B", "B - A", "only A", "only B", "p"]
    body = [
        [
            row.name,
            row.words,
            row.first_score,
            row.second_score,
            row.gain,
            row.only_first,
            row.only_second,
            _p_cell(row),
        ]
        for row in shown
    ]
    marked = frozenset(place for place, row in enumerate(shown) if row.significant)
    note = (
        "only A: words that only A gets right. p: McNemar's test; * marks rows below 0.05 after Holm's correction for"
        " the number of rows."
    )
    return Sheet(TITLES[name], header, body, note if explained else "", len(rows) - len(shown), bar=4, marked=marked)


def confusion_sheet(analysis: Analysis, top: int) -> Sheet:
    """Return which relations are confused."""
    note = "Number of words; in brackets, those with the right head."
    rows = analysis.confusions[:top]
    if not analysis.compared:
        body: list[list[Cell]] = [[row.gold, row.given, f"{row.first} ({row.first_heads})"] for row in rows]
        header = ["gold", "given", "words"]
        return Sheet("Confused relations", header, body, note, len(analysis.confusions) - len(rows))
    body = [
        [
            row.gold,
            row.given,
            f"{row.first} ({row.first_heads})",
            f"{row.second} ({row.second_heads})",
            (row.second or 0) - row.first,
        ]
        for row in rows
    ]
    header = ["gold", "given", "A", "B", "B - A"]
    left_out = len(analysis.confusions) - len(rows)
    return Sheet("Confused relations", header, body, note, left_out, bar=4, more_is_better=False)


def spread_sheet(analysis: Analysis) -> Sheet:
    """Return the errors after the first error."""
    note = (
        "Words by distance after the first error of their sentence: percent wrong, percent expected if the other errors"
        " of each sentence were anywhere after the first, and their ratio."
    )
    header = ["words after"]
    names: list[str] = []
    for letter, spread in zip(LETTERS, analysis.spreads, strict=False):
        of = f" {letter}" if analysis.compared else ""
        header += [f"words{of}", f"wrong{of}", f"expected{of}", f"ratio{of}"]
        names += [row.distance for row in spread.after if row.distance not in names]
    body: list[list[Cell]] = []
    for name in names:
        cells: list[Cell] = [name]
        for spread in analysis.spreads:
            row = next((row for row in spread.after if row.distance == name), None)
            cells += [row.words, row.rate, row.expected_rate, row.ratio] if row else [None] * 4
        body.append(cells)
    return Sheet("Errors after the first error", header, body, note)


def history_sheet(analysis: Analysis) -> Sheet:
    """Return the errors by which parse has an earlier error."""
    note = (
        "The same words for both parses: percent wrong, by which parse has an error further left. In the rows"
        " 'only A' and 'only B' one parse comes from an error and the other does not."
    )
    body: list[list[Cell]] = [
        [row.erred_before, row.words, row.first_rate, row.second_rate] for row in analysis.histories if row.words
    ]
    return Sheet("Errors by earlier errors", ["earlier errors", "words", "A wrong", "B wrong"], body, note)


MOVE_ROWS = (
    ("decisions", "decisions"),
    ("mistakes", "mistakes"),
    ("% of decisions", "own_rate"),
    ("% if all earlier moves were right", "corrected_rate"),
    ("% up to the first mistake of a sentence", "first_rate"),
    ("% after the first mistake", "later_rate"),
    ("% there if all earlier moves were right", "corrected_later_rate"),
    ("ratio of mistakes there", "inflation"),
    ("ratio, 95 % interval from", "low"),
    ("ratio, 95 % interval to", "high"),
    ("arcs lost", "arcs_lost"),
    ("arcs lost by first mistakes", "first_arcs_lost"),
)


def moves_sheet(analysis: Analysis) -> Sheet:
    """Return the cost of the models' moves."""
    note = (
        "Moves of the model on the gold sentences. A mistake is a move that loses a gold arc or its relation, by the"
        " dynamic oracle. If all earlier moves were right: mistakes are counted, then the right move is made instead."
    )
    shown = [report if isinstance(report, MoveReport) else None for report in analysis.moves]
    for letter, report in zip(LETTERS, analysis.moves, strict=False):
        if isinstance(report, str):
            note += f" {letter}: {report}."
    body: list[list[Cell]] = []
    if any(shown):
        body.append(["system", *(report.system if report else None for report in shown)])
        for title, name in MOVE_ROWS:
            body.append([title, *(getattr(report, name) if report else None for report in shown)])
    letters = [letter if analysis.compared else "model" for letter, _ in zip(LETTERS, shown, strict=False)]
    return Sheet("Wrong moves after wrong moves", ["", *letters], body, note)


def summary(analysis: Analysis) -> list[str]:
    """Return what is compared and the result, line by line."""
    total, metric = analysis.total, analysis.metric.upper()
    what = {"all": "all words", "upos": "without punctuation (UPOS)", "form": "without punctuation (by form)"}
    how = {"full": "full relations", "universal": "relations without subtype"}[analysis.relation]
    lines = [f"gold  {analysis.gold or '(text)'}: {total.words:,} words, {analysis.sentences:,} sentences"]
    rights, heads = (total.first_right, total.second_right), (total.first_heads, total.second_heads)
    for letter, name, right, head in zip(LETTERS, analysis.parses, rights, heads, strict=False):
        score = f"{metric} {percent(right or 0, total.words):.2f}, right heads {percent(head or 0, total.words):.2f}"
        lines.append(f"{letter}     {name}: {score}")
    lines.append(f"{metric}: {what[analysis.punctuation]}" + (f", {how}" if analysis.metric == "las" else ""))
    if analysis.difference is not None and total.p_value is not None:
        sample = analysis.difference
        lines.append(
            f"B - A: {sample.difference:+.2f}, 95 % between {sample.low:+.2f} and {sample.high:+.2f}"
            f" (bootstrap over sentences, {p_text(sample.p_value)}); only A right: {total.only_first:,} words,"
            f" only B right: {total.only_second:,} (McNemar, {p_text(total.p_value)})"
        )
    return lines


def p_text(p_value: float) -> str:
    """Return a p-value with as many digits as readers need."""
    return f"p = {p_value:.3f}" if p_value >= 0.0005 else "p < 0.001"


def _p_cell(row: BreakdownRow) -> str:
    if not row.only_first and not row.only_second:
        return ""
    return p_text(row.p_value or 0.0).removeprefix("p ").removeprefix("= ") + (" *" if row.significant else "")
