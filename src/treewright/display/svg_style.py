"""The style sheets of drawings: colours for light and dark backgrounds, and black on white for print."""

from __future__ import annotations

from treewright.display.relation_colours import COLOURS
from treewright.display.svg_layout import SMALL_SIZE, WORD_SIZE
from treewright.errors import TreewrightError, unknown

#: ``auto`` follows the reader's settings; ``print`` is black on white
THEMES = ("auto", "light", "dark", "print")
GROUND = ("#ffffff", "#0d1117")
INK = ("#1b1f24", "#e6edf3")
FAINT = ("#57606a", "#a0aab5")
BLACK = "#000000"
FONTS = "system-ui,-apple-system,'Segoe UI','Helvetica Neue',Arial,'Noto Sans',sans-serif"
_LIGHT, _DARK, _PRINT = 0, 1, 2


def style_sheet(theme: str = "auto") -> str:
    """Return the style sheet of the drawings."""
    if theme not in THEMES:
        raise TreewrightError(unknown("theme", theme, THEMES))
    shapes = (
        f".treewright{{font-family:{FONTS}}}"
        ".treewright path{fill:none;stroke-width:1.4}"
        f".treewright text{{text-anchor:middle;font-size:{SMALL_SIZE:g}px;direction:ltr}}"
        ".treewright .tw-word,.treewright .tw-token text{direction:inherit}"
        f".treewright .tw-word{{font-size:{WORD_SIZE:g}px}}"
        ".treewright .tw-empty{font-style:italic}"
        ".treewright .tw-title{text-anchor:start;font-weight:600}"
        ".treewright .tw-missed path.tw-run{stroke-dasharray:5 3}"
        ".treewright .tw-wrong path,.treewright .tw-half-wrong path,.treewright .tw-missed path{stroke-width:2}"
        ".treewright .tw-wrong text,.treewright .tw-missed text,.treewright .tw-wrong-tag{font-weight:700}"
    )
    if theme == "print":  # without colours, what is wrong is dotted or thick, and the rest thin
        shapes += (
            ".treewright .tw-right path{stroke-width:.8}"
            ".treewright .tw-half-wrong path.tw-run{stroke-dasharray:2 2}"
            ".treewright .tw-half-wrong text{font-weight:700}"
        )
        return shapes + _colours(_PRINT)
    if theme == "auto":
        return f"{shapes}{_colours(_LIGHT)}@media (prefers-color-scheme:dark){{{_colours(_DARK)}}}"
    return shapes + _colours(_DARK if theme == "dark" else _LIGHT)


def _colours(which: int) -> str:
    ground, ink, faint = (GROUND[0], BLACK, BLACK) if which == _PRINT else (GROUND[which], INK[which], FAINT[which])
    wrong = COLOURS["wrong"]
    rules = (
        f".treewright .tw-ground{{fill:{ground}}}"
        f".treewright .tw-word,.treewright .tw-title,.treewright .tw-token text{{fill:{ink}}}"
        f".treewright .tw-tag,.treewright .tw-empty{{fill:{faint}}}"
        f".treewright .tw-token path{{stroke:{faint};stroke-width:1}}"
        f".treewright .tw-wrong-tag{{fill:{(wrong.light, wrong.dark, BLACK)[which]}}}"
    )
    for colour in COLOURS.values():
        shade = (colour.light, colour.dark, BLACK)[which]
        rules += (
            f".treewright .tw-{colour.name} path{{stroke:{shade}}}"
            f".treewright .tw-{colour.name} text,.treewright .tw-{colour.name} path.tw-arrow"
            f"{{fill:{shade}}}"
        )
    return rules
