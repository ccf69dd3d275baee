"""An analysis as a self-contained page: tables with bars, plots, and drawings of the sentences to look at."""

from __future__ import annotations

import os
from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from treewright.analysis.as_text import footer, is_word, pictures_of, to_look_at
from treewright.analysis.plots import ACROSS, ratio_plot, scores_plot
from treewright.analysis.sheets import Cell, Sheet, sheets, summary
from treewright.display.charts.style import chart_style
from treewright.display.html import PAGE_STYLE, whole_page
from treewright.display.style_files import style_file
from treewright.display.svg import clean, draw_pictures, style_sheet

if TYPE_CHECKING:
    from treewright.analysis.extremes import Extreme
    from treewright.analysis.report import Analysis

STYLE = style_file(__file__, "analysis")
HOW_TO_READ = (
    '<p class="note">Arcs of the parse are above the words: red if the head is wrong, amber if only the relation'
    " is (given→gold). Gold arcs that it misses are below the words.</p>\n"
)


def page_of(analysis: Analysis, top: int) -> str:
    """Return the page."""
    title = escape(clean(" against ".join(map(os.path.basename, analysis.parses))))
    style = f"{PAGE_STYLE}{chart_style()}{STYLE}{style_sheet()}\n"
    body = [f"<h1>Errors of {title}</h1>\n", *_pieces(analysis, top)]
    return whole_page(title, style, body, ' lang="en"')


def _pieces(analysis: Analysis, top: int) -> Iterator[str]:
    yield "".join(f'<p class="sum">{escape(clean(line))}</p>\n' for line in summary(analysis))
    groups = list(to_look_at(analysis))
    links = ['<a href="#tables">Tables</a>', '<a href="#after">Errors after errors</a>']
    links += [f'<a href="#look{k}">{escape(heading)}</a>' for k, (heading, sentences) in enumerate(groups) if sentences]
    yield f'<nav class="top">{"".join(links)}</nav>\n<div id="tables">\n'
    body = list(sheets(analysis, top))
    names = list(analysis.tables)
    for place, sheet in enumerate(body[: len(names)]):
        yield _section(sheet, scores_plot(analysis, names[place]) if names[place] in ACROSS else "")
    yield _section(body[len(names)], "")
    yield '</div>\n<div id="after">\n'
    for place, sheet in enumerate(body[len(names) + 1 :]):
        yield _section(sheet, ratio_plot(analysis) if place == 0 else "")
    yield "</div>\n"
    for k, (heading, sentences) in enumerate(groups):
        if sentences:
            yield f'<h2 id="look{k}">{escape(heading)}</h2>\n{HOW_TO_READ}'
            yield from map(_sentence, sentences)


def _section(sheet: Sheet, plot: str) -> str:
    notes = "".join(f'<p class="note">{escape(clean(line))}</p>\n' for line in footer(sheet))
    table = _table(sheet) if sheet.rows else ""
    beside = f'<div class="plot">{plot}</div>' if plot else ""
    return (
        f'<section>\n<h2>{escape(sheet.title)}</h2>\n<div class="side"><div class="scroll">{table}</div>'
        f"{beside}</div>\n{notes}</section>\n"
    )


def _table(sheet: Sheet) -> str:
    # Columns of words; those of numbers may contain a name or p-values such as < 0.001.
    words = [sum(is_word(row[column]) for row in sheet.rows) for column in range(len(sheet.header))]
    kinds = [' class="t"' if not column or 2 * n > len(sheet.rows) else "" for column, n in enumerate(words)]
    values = [row[sheet.bar] for row in sheet.rows] if sheet.bar is not None else []
    most = max((abs(value) for value in values if isinstance(value, (int, float))), default=0.0)
    head = "".join(f"<th{kind}>{escape(name)}</th>" for name, kind in zip(sheet.header, kinds, strict=True))
    lines = [f"<tr>{head}{'<th></th>' if most else ''}</tr>"]
    for place, row in enumerate(sheet.rows):
        cells = "".join(f"<td{kind}>{escape(_shown(cell))}</td>" for cell, kind in zip(row, kinds, strict=True))
        bar = _bar(row[sheet.bar], most, sheet.more_is_better) if most and sheet.bar is not None else ""
        lines.append(f"<tr{' class=m' if place in sheet.marked else ''}>{cells}{bar}</tr>")
    return "<table>\n" + "\n".join(lines) + "\n</table>\n"


def _bar(value: Cell, most: float, more_is_better: bool) -> str:
    """Return a bar to the right of the middle for more, to the left for less."""
    size = 50 * abs(value) / most if isinstance(value, (int, float)) else 0.0
    up = isinstance(value, (int, float)) and value > 0
    left = 50.0 if up else 50 - size
    return (
        f'<td class="bar"><div><b></b><i class="{"up" if up == more_is_better else "down"}"'
        f' style="left:{left:.1f}%;width:{size:.1f}%"></i></div></td>'
    )


def _shown(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, float):
        return f"{cell:.2f}"
    return f"{cell:,}" if isinstance(cell, int) else clean(cell)


def _sentence(extreme: Extreme) -> str:
    name = extreme.sent_id or f"sentence {extreme.number}"
    pieces = [f"<section>\n<h3>{escape(clean(name))}</h3>\n<p>{escape(clean(extreme.gold.text))}</p>\n"]
    for letter, picture in pictures_of(extreme, "upos"):
        direction = ' dir="rtl"' if picture.right_to_left else ""
        notes = escape(clean("; ".join(picture.notes)))
        pieces.append(f'<p class="note"><span class="letter">{letter}</span>: {notes}</p>\n')
        drawing = draw_pictures([picture], background=False, styled=False)
        pieces.append(f'<div class="scroll"{direction}>{drawing}</div>\n')
    return "".join([*pieces, "</section>\n"])
