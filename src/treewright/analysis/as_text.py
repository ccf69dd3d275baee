"""An analysis as text: plain tables for files and pipes, rich ones for a terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, TextIO

from treewright.analysis.sheets import Cell, Sheet, sheets, summary
from treewright.evaluation.tables import table_lines

if TYPE_CHECKING:
    from treewright.analysis.extremes import Extreme
    from treewright.analysis.report import Analysis
    from treewright.display.picture import Picture

WIDTH = 100  # of plain text


def text_of(analysis: Analysis, top: int) -> str:
    """Return all tables as plain text."""
    lines = [part for line in summary(analysis) for part in _wrapped(line)]
    for sheet in sheets(analysis, top):
        lines += ["", sheet.title]
        if sheet.rows:
            lines += table_lines(sheet.header, [[_number(cell) for cell in row] for row in sheet.rows])
        lines += [part for line in footer(sheet) for part in _wrapped(line)]
    return "\n".join(lines)


def footer(sheet: Sheet) -> list[str]:
    """Return the lines below a table."""
    more = [f"… and {sheet.left_out:,} more"] if sheet.left_out else []
    return more + ([sheet.note] if sheet.note else [])


def _wrapped(line: str) -> list[str]:
    return textwrap.wrap(line, WIDTH)


def _number(cell: Cell) -> Cell:
    return f"{cell:.2f}" if isinstance(cell, float) else cell


def print_rich(analysis: Analysis, top: int, stream: TextIO) -> None:
    """Print all tables to a terminal."""
    from rich.console import Console
    from rich.markup import escape
    from rich.table import Table

    console = Console(file=stream, highlight=False)
    for line in summary(analysis):
        console.print(escape(line))
    for sheet in sheets(analysis, top):
        console.print()
        console.print(f"[bold]{escape(sheet.title)}[/bold]")
        if sheet.rows:
            table = Table(box=None, pad_edge=False, header_style="dim")
            for column, name in enumerate(sheet.header):
                text = column == 0 or any(is_word(row[column]) for row in sheet.rows)
                table.add_column(escape(name), justify="left" if text else "right")
            for place, row in enumerate(sheet.rows):
                cells = [_coloured(sheet, place, column, cell) for column, cell in enumerate(row)]
                table.add_row(*cells, style="bold" if place in sheet.marked else None)
            console.print(table)
        for line in footer(sheet):
            console.print(f"[dim]{escape(line)}[/dim]")


def is_word(cell: Cell) -> bool:
    """Tell names from numbers that are written as text: < 0.001, 12 (3)."""
    return isinstance(cell, str) and not cell[:1].isdigit() and cell[:1] not in ("", "<")


def _coloured(sheet: Sheet, place: int, column: int, cell: Cell) -> str:
    from rich.markup import escape

    text = "" if cell is None else f"{cell:.2f}" if isinstance(cell, float) else str(cell)
    if column == sheet.bar and isinstance(cell, (int, float)) and cell and sheet.marked:
        good = cell > 0
        if place in sheet.marked:
            return f"[{'green' if good else 'red'}]{text}[/]"
    return escape(text)


def to_look_at(analysis: Analysis) -> Iterator[tuple[str, list[Extreme]]]:
    """Yield the sentences worth a look, under a heading."""
    first, second = analysis.extremes
    if not analysis.compared:
        yield "Sentences with the most errors", second
        return
    yield "Where A does better than B", first
    yield "Where B does better than A", second


def pictures_of(extreme: Extreme, tags: str = "none") -> Iterator[tuple[str, Picture]]:
    """Yield a drawing of each parse of a sentence against gold, with the letter of the parse."""
    from treewright.display.difference import Pair

    parses = [("A", extreme.first)] + ([("B", extreme.second)] if extreme.second is not None else [])
    for letter, sentence in parses:
        yield letter, Pair(extreme.gold, sentence).picture(tags, graph=False)
