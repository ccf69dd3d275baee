"""Drawings for a terminal, and what this terminal can show."""

from __future__ import annotations

import os
import shutil
from typing import TextIO

from treewright.display.picture import Picture
from treewright.display.terminal_arcs import draw_arcs
from treewright.display.terminal_indented import draw_indented
from treewright.errors import TreewrightError

STYLES = {"arcs": draw_arcs, "indented": draw_indented}
NEEDED = "┌─┬┐│├┼┤└┴┘▼▲▸◂…✗✓→↺"


def draw(
    picture: Picture, style: str = "arcs", width: int | None = None, ascii_only: bool = False, coloured: bool = False
) -> str:
    """Return a drawing as text, lines ended; ``width`` is that of the terminal if it is not given."""
    if style not in STYLES:
        raise TreewrightError(f"there is no style {style!r}. There are {', '.join(STYLES)}.")
    if width is None:
        width = terminal_width()
    if width < 1:
        raise TreewrightError(f"a drawing cannot be {width} columns wide. Give at least 1; 80 is usual.")
    lines = STYLES[style](picture, width, ascii_only, coloured)
    return "".join(line + "\n" for line in lines)


def terminal_width() -> int:
    """Return the width of the terminal; 80 where there is none (COLUMNS says otherwise)."""
    return max(shutil.get_terminal_size((80, 24)).columns, 20)


def can_show_lines(stream: TextIO) -> bool:
    """Tell whether a stream can encode the signs that drawings are made of."""
    try:
        NEEDED.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def can_show_colours(stream: TextIO) -> bool:
    """Tell whether a stream is a terminal that wants colours (NO_COLOR and TERM=dumb say no)."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()
