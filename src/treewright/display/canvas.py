"""A grid of terminal cells with joining lines, text and colours."""

from __future__ import annotations

from treewright.display.cells import cell_width

UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
LINES = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
ASCII_LINES = " '.|-'.+-'.+-+++"
# ASCII corners are a full stop above the words and an apostrophe below them.


class Canvas:
    """Rows of cells; colours are ANSI codes, "" for none."""

    def __init__(self, height: int, width: int, ascii_only: bool = False) -> None:
        self._lines = [bytearray(width) for _ in range(height)]
        self._texts: list[dict[int, str]] = [{} for _ in range(height)]
        self._colours: list[dict[int, str]] = [{} for _ in range(height)]
        self._signs = ASCII_LINES if ascii_only else LINES

    def horizontal(self, row: int, left: int, right: int, colour: str = "") -> None:
        """Draw a line from the middle of one cell to the middle of another."""
        for column in range(left, right + 1):
            self._join(row, column, (LEFT if column > left else 0) | (RIGHT if column < right else 0), colour)

    def vertical(self, column: int, top: int, bottom: int, colour: str = "") -> None:
        """Draw a line from the middle of the top cell to the lower end of the last cell."""
        for row in range(top, bottom + 1):
            self._join(row, column, (UP if row > top else 0) | DOWN, colour)

    def vertical_up(self, column: int, top: int, bottom: int, colour: str = "") -> None:
        """Draw a line from the upper end of the first cell to the middle of the bottom cell."""
        for row in range(top, bottom + 1):
            self._join(row, column, UP | (DOWN if row < bottom else 0), colour)

    def _join(self, row: int, column: int, sides: int, colour: str) -> None:
        self._lines[row][column] |= sides
        if colour:
            self._colours[row][column] = colour

    def text(self, row: int, column: int, text: str, colour: str = "", shown: str | None = None) -> None:
        """Write text over the cells; ``shown`` is printed in its place if given."""
        self._texts[row][column] = text if shown is None else shown
        for k in range(1, cell_width(text)):
            self._texts[row][column + k] = ""
        for k in range(cell_width(text)):
            if colour:
                self._colours[row][column + k] = colour
            else:
                self._colours[row].pop(column + k, None)

    def lines(self, coloured: bool) -> list[str]:
        """Return the rows as text."""
        return [self._line(row, coloured) for row in range(len(self._lines))]

    def _line(self, row: int, coloured: bool) -> str:
        texts, colours = self._texts[row], self._colours[row]
        line = self._lines[row]
        end = len(line)
        while end and not line[end - 1] and end - 1 not in texts:
            end -= 1
        pieces: list[str] = []
        current = ""
        for column in range(end):
            colour = colours.get(column, "") if coloured else ""
            if colour != current:
                pieces.append("\x1b[0m" if current else "")
                pieces.append(f"\x1b[{colour}m" if colour else "")
                current = colour
            piece = texts.get(column)
            pieces.append(self._signs[line[column]] if piece is None else piece)
        if current:
            pieces.append("\x1b[0m")
        return "".join(pieces)
