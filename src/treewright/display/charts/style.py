"""The colours and shapes of charts, for light and dark backgrounds."""

from __future__ import annotations

LIGHT = ("#0b62a8", "#c2500a", "#0a7a52", "#a1286a", "#6a51a3", "#8a6a00", "#1596a8", "#b3261e", "#4d5a66", "#5f7f13")
DARK = ("#6cb6ff", "#ff9f5a", "#55d6a0", "#ff8ac4", "#bda7ff", "#e3c04b", "#5cd5e6", "#ff8a80", "#aab6c2", "#b6d65a")

LETTER = 6.0  # approximate width of a letter of a tick
_GRID = ("#e6eaee", "#242b33")
_SHAPES = """\
.legend{list-style:none;margin:.4rem 0 .6rem;padding:0;display:flex;flex-wrap:wrap;gap:.1rem 1.2rem;font-size:.88rem}
.legend li{display:flex;align-items:center;gap:.4rem}
.chart{display:block;width:100%;height:auto;overflow:visible;font-family:inherit}.chart.key{width:28px;height:12px;flex:none}
.chart text{font-size:11px;fill:var(--ink)}.chart .title{font-size:13px;font-weight:600}
.chart .tick{fill:var(--faint);font-size:10.5px}.chart .name{fill:var(--faint);font-size:11.5px}
.chart .mid,.chart .value{text-anchor:middle}.chart .end{text-anchor:end}
.chart .grid{stroke:var(--grid);fill:none}.chart .axis{stroke:var(--line);fill:none}
.chart .line{fill:none;stroke:var(--c);stroke-width:1.8;stroke-linejoin:round}
.chart .spread{stroke:var(--c);stroke-width:1.2;opacity:.6}
.chart .dot{fill:var(--c);stroke:var(--ground);stroke-width:.8}
.chart .m1 .line{stroke-dasharray:10 3}.chart .m2 .line{stroke-dasharray:9 3 2 3}
.chart .m3 .line{stroke-dasharray:2 2.5}.chart .m4 .line{stroke-dasharray:9 3 2 3 2 3}
.chart .dashed .line{stroke-dasharray:5 3.5}.chart .dashed .dot{fill:var(--ground);stroke:var(--c);stroke-width:1.6}
.chart .level{stroke:var(--faint);stroke-dasharray:4 3;fill:none}
"""


def chart_style() -> str:
    """Return the style sheet of charts; the page says what --ink, --ground, --faint and --line are."""
    light, dark = (
        ";".join([f"--grid:{grid}", *(f"--s{k}:{colour}" for k, colour in enumerate(colours))])
        for grid, colours in zip(_GRID, (LIGHT, DARK), strict=True)
    )
    classes = "".join(f".s{k}{{--c:var(--s{k})}}" for k in range(len(LIGHT)))
    return f":root{{{light}}}\n@media (prefers-color-scheme:dark){{:root{{{dark}}}}}\n{_SHAPES}{classes}\n"
