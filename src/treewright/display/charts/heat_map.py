"""Heat maps: one value for every pair of two options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from treewright.display.charts.style import LETTER

CELL_WIDTH, CELL_HEIGHT = 52.0, 34.0
LEFT, TOP, RIGHT, BOTTOM = 52.0, 30.0, 10.0, 42.0
TITLE_LETTER = 7.2  # approximate width


def heat_map(
    values: Mapping[tuple[str, str], float],
    columns: Sequence[str],
    rows: Sequence[str],
    names: tuple[str, str],
    title: str = "",
) -> str:
    """Return a heat map as SVG: ``values`` by column and row, ``names`` of the two options, across and up.

    The background goes from the lowest value to the highest; every cell shows its number. Rows go from the bottom up.
    """
    left = max(LEFT, 26 + LETTER * max(map(len, rows)))
    cell_width = max(CELL_WIDTH, 8 + LETTER * max(map(len, columns)))
    width = max(left + RIGHT + cell_width * len(columns), left + TITLE_LETTER * len(title))
    height = TOP + BOTTOM + CELL_HEIGHT * len(rows)
    low, high = min(values.values()), max(values.values())
    pieces = [f'<text class="title" x="{left:g}" y="17">{escape(title)}</text>']
    for number, row in enumerate(reversed(rows)):
        y = TOP + number * CELL_HEIGHT
        pieces.append(f'<text class="tick end" x="{left - 6:g}" y="{y + CELL_HEIGHT / 2 + 4:g}">{escape(row)}</text>')
        for place, column in enumerate(columns):
            if (column, row) in values:
                value = values[column, row]
                share = (value - low) / (high - low) if high > low else 0.5
                note = f"{names[0]} {column}, {names[1]} {row}: {value:.2f}"
                pieces.append(_cell(left + place * cell_width, y, cell_width, value, share, note, value == high))
    for place, column in enumerate(columns):
        x = left + (place + 0.5) * cell_width
        pieces.append(f'<text class="tick mid" x="{x:g}" y="{height - BOTTOM + 15:g}">{escape(column)}</text>')
    centre = left + cell_width * len(columns) / 2
    pieces.append(f'<text class="name mid" x="{centre:g}" y="{height - 8:g}">{escape(names[0])}</text>')
    middle = (TOP + height - BOTTOM) / 2
    pieces.append(f'<text class="name mid" transform="translate(13 {middle:g}) rotate(-90)">{escape(names[1])}</text>')
    label = escape(f"{title}: heat map of {names[1]} and {names[0]}", quote=True)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="chart" viewBox="0 0 {width:g} {height:g}"'
        f' style="max-width:{1.25 * width:g}px" role="img" aria-label="{label}">{"".join(pieces)}</svg>'
    )


def _cell(x: float, y: float, width: float, value: float, share: float, note: str, best: bool) -> str:
    """Return one cell. Background and text colour are chosen together, so that the number is always readable."""
    light, strong = (232, 241, 250), (12, 74, 138)
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(light, strong, strict=True))
    ink = "#fff" if share > 0.66 else "#14202c"  # whichever has more contrast
    weight = ' font-weight="700"' if best else ""
    return (
        f'<g><title>{escape(note)}</title><rect x="{x + 1:g}" y="{y + 1:g}" width="{width - 2:g}"'
        f' height="{CELL_HEIGHT - 2:g}" rx="3" fill="rgb({red},{green},{blue})"/><text class="value"'
        f' style="fill:{ink}"{weight} x="{x + width / 2:g}" y="{y + CELL_HEIGHT / 2 + 4:g}">{value:.2f}</text></g>'
    )
