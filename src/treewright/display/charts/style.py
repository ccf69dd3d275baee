"""The colours and shapes of charts, for light and dark backgrounds."""

from __future__ import annotations

from treewright.display.style_files import style_file

LIGHT = ("#0b62a8", "#c2500a", "#0a7a52", "#a1286a", "#6a51a3", "#8a6a00", "#1596a8", "#b3261e", "#4d5a66", "#5f7f13")
DARK = ("#6cb6ff", "#ff9f5a", "#55d6a0", "#ff8ac4", "#bda7ff", "#e3c04b", "#5cd5e6", "#ff8a80", "#aab6c2", "#b6d65a")

LETTER = 6.0  # approximate width of a letter of a tick
_GRID = ("#e6eaee", "#242b33")
_SHAPES = style_file(__file__, "charts")


def chart_style() -> str:
    """Return the style sheet of charts; the page says what --ink, --ground, --faint and --line are."""
    light, dark = (
        ";".join([f"--grid:{grid}", *(f"--s{k}:{colour}" for k, colour in enumerate(colours))])
        for grid, colours in zip(_GRID, (LIGHT, DARK), strict=True)
    )
    classes = "".join(f".s{k}{{--c:var(--s{k})}}" for k in range(len(LIGHT)))
    return f":root{{{light}}}\n@media (prefers-color-scheme:dark){{:root{{{dark}}}}}\n{_SHAPES}{classes}\n"
