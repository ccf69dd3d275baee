"""Print plain-text tables row by row."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

_ROWS_FOR_WIDTHS = 1000

Cell = str | int | float | None


def table_lines(header: Sequence[str], rows: Iterable[Sequence[Cell]]) -> Iterator[str]:
    """Yield the lines of a table, with numbers right-aligned and percentages with two digits.

    The first rows determine the widths, so a table of any length can be written as it is computed.
    """
    stream = iter(rows)
    first = [[_text(cell) for cell in row] for row in islice(stream, _ROWS_FOR_WIDTHS)]
    lines = [list(header), *first]
    widths = [max(len(line[column]) for line in lines) for column in range(len(header))]
    rest = ([_text(cell) for cell in row] for row in stream)
    left = {column for column in range(len(header)) if not all(_is_number(row[column]) for row in first)}
    yield _line(header, widths, left)
    yield "  ".join("-" * width for width in widths)
    for cells in chain(first, rest):
        yield _line(cells, widths, left)


def _text(cell: Cell) -> str:
    if cell is None:
        return ""
    return f"{cell:.2f}" if isinstance(cell, float) else str(cell)


def _is_number(text: str) -> bool:
    return text == "" or text.replace(".", "", 1).lstrip("-").isdigit()


def _line(cells: Sequence[str], widths: Sequence[int], left: set[int]) -> str:
    return "  ".join(
        cell.ljust(width) if column in left else cell.rjust(width)
        for column, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ).rstrip()
