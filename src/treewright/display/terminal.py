"""Draw in a terminal, and detect what the terminal can show."""

from __future__ import annotations

import os
import shutil
from typing import TextIO

from treewright.display.picture import Picture
from treewright.display.terminal_arcs import draw_arcs
from treewright.display.terminal_indented import draw_indented
from treewright.errors import TreewrightError, unknown

STYLES = {"arcs": draw_arcs, "indented": draw_indented}
NEEDED = "┌─┬┐│├┼┤└┴┘▼▲▸◂…✗✓→↺"


def draw(
    picture: Picture, style: str = "arcs", width: int | None = None, ascii_only: bool = False, coloured: bool = False
) -> str:
    """Return a drawing as lines of text; ``width`` defaults to the width of the terminal."""
    if style not in STYLES:
        raise TreewrightError(unknown("style", style, STYLES))
    if width is None:
        width = terminal_width()
    if width < 1:
        raise TreewrightError(f"a drawing cannot be {width} columns wide. Give at least 1, usually 80.")
    lines = STYLES[style](picture, width, ascii_only, coloured)
    return "".join(line + "\n" for line in lines)


def terminal_width() -> int:
    """Return the width of the terminal, 80 without a terminal; COLUMNS overrides it."""
    return max(shutil.get_terminal_size((80, 24)).columns, 20)


def can_show_lines(stream: TextIO) -> bool:
    """Return whether a stream can encode the characters of drawings."""
    try:
        NEEDED.encode(getattr(stream, "encoding", None) or "ascii")
    except (UnicodeEncodeError, LookupError):
        return False
    return True


def can_show_colours(stream: TextIO) -> bool:
    """Return whether a stream is a terminal with colours; NO_COLOR and TERM=dumb disable them."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return stream.isatty()
