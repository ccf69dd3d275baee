"""report.html: tables and figures of an experiment in one self-contained file."""

from __future__ import annotations

import re
from html import escape

from treewright.apps.experiments.figures import Figure, figures_of
from treewright.apps.experiments.groups import Results
from treewright.apps.experiments.growth import growth_figures, growth_table
from treewright.apps.experiments.solving import solver_tables
from treewright.apps.experiments.tables import SETTINGS, ResultTable, state_of, tables_of
from treewright.display.charts.style import chart_style
from treewright.display.html import PAGE_STYLE, whole_page
from treewright.display.style_files import style_file

_DIFFERENCE = re.compile(r"^[+-]\d")
_NUMERIC = re.compile(r"^[+<-]?\s?[\d,.]+|^$")
STYLE = style_file(__file__, "report")
FOLDED = ("All scores", "Cost, mean over seeds", SETTINGS)


def html_report(results: Results) -> str:
    """Return the page."""
    plan = results.plan
    tables = [*tables_of(results), *extra_tables(results)]
    open_tables = [table for table in tables if table.title not in FOLDED]
    folded = [table for table in tables if table.title in FOLDED]
    figures = [*growth_figures(results), *figures_of(results)]
    title = escape(plan.title)
    body = [
        f"<h1>{title}</h1>",
        *(f"<p>{escape(text)}</p>" for text in plan.description.split("\n\n") if text),
        f'<p class="state">{escape(state_of(results))}</p>',
        _contents([*(table.title for table in open_tables), *(f.title for f in figures), *(t.title for t in folded)]),
        *(_section(table.title, _table(table)) for table in open_tables),
        *(_figure(figure) for figure in figures),
        *(
            f'<details id="{_anchor(table.title)}"><summary>{escape(table.title)}</summary>{_table(table)}</details>'
            for table in folded
        ),
        _failures(results),
    ]
    style = f"{PAGE_STYLE}{chart_style()}{STYLE}"
    return whole_page(title, style, ["\n".join(body), "\n"], ' lang="en"')


def extra_tables(results: Results) -> list[ResultTable]:
    """Return tables that only some experiments have."""
    growth = growth_table(results)
    return [*solver_tables(results), *([growth] if growth else [])]


def _contents(titles: list[str]) -> str:
    short = ((title, re.split(r",| on the test", title)[0]) for title in titles)
    links = "".join(f'<a href="#{_anchor(title)}">{escape(name)}</a>' for title, name in short)
    return f"<nav>{links}</nav>"


def _anchor(title: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")


def _section(title: str, body: str) -> str:
    return f'<section id="{_anchor(title)}"><h2>{escape(title)}</h2>{body}</section>'


def _figure(figure: Figure) -> str:
    few = " few" if len(figure.panels) < 3 else ""
    panels = "".join(f"<div>{panel}</div>" for panel in figure.panels)
    note = f'<p class="note">{escape(figure.text)}</p>'
    return _section(figure.title, f'{note}{figure.legend}<div class="panels{few}">{panels}</div>')


def _table(table: ResultTable) -> str:
    text = [
        all(not _NUMERIC.match(row[place]) for row in table.rows if row[place]) for place in range(len(table.header))
    ]
    head = "".join(f"<th{_class('text' if text[k] else '')}>{escape(name)}</th>" for k, name in enumerate(table.header))
    rows = []
    for number, row in enumerate(table.rows):
        cells = []
        for place, cell in enumerate(row):
            names = ["text"] if text[place] else []
            names += ["best"] if (number, place) in table.best else []
            if "difference" in table.title and _DIFFERENCE.match(cell) and "*" in cell:
                names.append("up" if cell.startswith("+") else "down")
            cells.append(f"<td{_class(' '.join(names))}>{escape(_unescaped(cell))}</td>")
        rows.append(f"<tr>{''.join(cells)}</tr>")
    note = f'<p class="note">{escape(_unescaped(table.note))}</p>' if table.note else ""
    return (
        f'<div class="scroll"><table><thead><tr>{head}</tr></thead><tbody>{"".join(rows)}</tbody></table></div>{note}'
    )


def _class(names: str) -> str:
    return f' class="{names}"' if names else ""


def _unescaped(text: str) -> str:
    """Undo the escapes for Markdown."""
    return text.replace("\\*", "*").replace("-", "−") if _DIFFERENCE.match(text) else text.replace("\\*", "*")


def _failures(results: Results) -> str:
    if not results.failures:
        return ""
    items = "".join(f"<li>{escape(name)}: {escape(error)}</li>" for name, error in results.failures)
    return f'<section id="failed"><h2>Failed</h2><ul>{items}</ul></section>'
