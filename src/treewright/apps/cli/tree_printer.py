"""Sentences drawn on a terminal as they come."""

from __future__ import annotations

import contextlib
from typing import TextIO

from treewright.display.cells import printable
from treewright.display.picture import Picture
from treewright.display.terminal import can_show_colours, can_show_lines, draw


class TreePrinter:
    """Prints pictures, as a terminal can show them: None leaves a choice to what the stream says it can."""

    def __init__(
        self,
        stream: TextIO,
        style: str = "arcs",
        width: int | None = None,
        ascii_only: bool | None = None,
        coloured: bool | None = None,
    ) -> None:
        self._stream = stream
        self._style, self._width = style, width
        self._ascii = not can_show_lines(stream) if ascii_only is None else ascii_only
        self._coloured = can_show_colours(stream) if coloured is None else coloured
        # Words may have letters that the terminal's encoding has not; one unknown letter is no reason to stop.
        with contextlib.suppress(AttributeError, ValueError):
            stream.reconfigure(errors="replace")  # type: ignore[attr-defined]

    def show(self, picture: Picture) -> None:
        """Print one sentence: its name and text, the drawing, an empty line."""
        title = printable(picture.title)
        if title:
            self._stream.write(f"\x1b[1m{title}\x1b[0m  " if self._coloured else f"{title}  ")
        self._stream.write(printable(picture.text) + "\n")
        for note in picture.notes:
            self._stream.write(note + "\n")
        self._stream.write(draw(picture, self._style, self._width, self._ascii, self._coloured) + "\n")
