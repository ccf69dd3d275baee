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
from treewright.display.html import PAGE_STYLE

_DIFFERENCE = re.compile(r"^[+-]\d")
_NUMERIC = re.compile(r"^[+<-]?\s?[\d,.]+|^$")
STYLE = """\
:root{--soft:#f4f6f8}
@media (prefers-color-scheme:dark){:root{--soft:#161b22}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem;max-width:84rem}section{border:0;padding:0}
h1{font-size:1.5rem;line-height:1.25;margin:0 0 .4rem}h2{font-size:1.15rem;margin:2.2rem 0 .6rem}
p,section p{max-width:62rem;margin:.4rem 0}.state{color:var(--faint)}
nav{margin:1rem 0;padding:.5rem 0;border:solid var(--line);border-width:1px 0}
nav{display:flex;flex-wrap:wrap;gap:.2rem 1.1rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums;font-size:.9rem;margin:.4rem 0}
th,td{padding:.28rem .7rem;text-align:right;white-space:nowrap;border-bottom:1px solid var(--grid)}
th{color:var(--faint);font-weight:600;border-bottom-color:var(--line)}
th:first-child,td:first-child,.text{text-align:left}
tbody tr:hover{background:var(--soft)}td.best{font-weight:700}td.up{color:var(--s2)}td.down{color:var(--s7)}
details>summary{cursor:pointer;font-weight:600;font-size:1.15rem;margin:2rem 0 .6rem}
.panels{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,24rem),1fr));gap:1rem}
.panels.few{grid-template-columns:repeat(auto-fill,minmax(min(100%,24rem),34rem))}
"""
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
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>\n{PAGE_STYLE}{chart_style()}{STYLE}</style>\n</head>\n<body>\n"
        + "\n".join(body)
        + "\n</body>\n</html>\n"
    )


def extra_tables(results: Results) -> list[ResultTable]:
    """Return tables that only some experiments have."""
    growth = growth_table(results)
    return [*solver_tables(results), *([growth] if growth else [])]


def _contents(titles: list[str]) -> str:
    links = "".join(f'<a href="#{_anchor(title)}">{escape(_short(title))}</a>' for title in titles)
    return f"<nav>{links}</nav>"


def _short(title: str) -> str:
    return re.split(r",| on the test", title)[0]


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
