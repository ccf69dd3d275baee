"""What Jupyter shows: tables, pages in a frame; and whether a notebook is there to show anything."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from html import escape

Cell = str | int | float | bool | None


def in_notebook() -> bool:
    """Say whether this Python runs for a notebook, as against a script or a terminal."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    return shell is not None and hasattr(shell, "kernel")


def table(header: Sequence[str], rows: Iterable[Sequence[Cell]], title: str = "") -> str:
    """Return a table as HTML; percentages get two digits, numbers are aligned right."""
    lines = [f"<caption>{escape(title)}</caption>"] if title else []
    if header:
        lines.append("<tr>" + "".join(f"<th>{escape(name)}</th>" for name in header) + "</tr>")
    for row in rows:
        lines.append("<tr>" + "".join(_cell(cell) for cell in row) + "</tr>")
    return f"<table>{''.join(lines)}</table>"


def facts(title: str, values: Mapping[str, Cell]) -> str:
    """Return names with their values as HTML; what is None is left out."""
    shown = [(name, value) for name, value in values.items() if value is not None]
    return table((), [(name, _plain(value)) for name, value in shown], title)


def frame(page: str, height: int = 560) -> str:
    """Return a whole page as HTML for a cell: in a frame, so that its styles stay its own."""
    quoted = page.replace("&", "&amp;").replace('"', "&quot;")
    return f'<iframe srcdoc="{quoted}" style="width: 100%; height: {height}px; border: 1px solid #8886"></iframe>'


def _cell(cell: Cell) -> str:
    side = "right" if isinstance(cell, (int, float)) and not isinstance(cell, bool) else "left"
    return f'<td style="text-align: {side}">{escape(_plain(cell))}</td>'


def _plain(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, int):
        return f"{cell:,}"
    return f"{cell:.2f}" if isinstance(cell, float) else cell
