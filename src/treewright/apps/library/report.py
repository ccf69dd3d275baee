"""The page about models that were built: a table that can be sorted, and a map of scores against size."""

from __future__ import annotations

import html
from collections.abc import Mapping, Sequence
from math import log10

from treewright.apps.library.index import Entry

METRICS = ("Tokens", "Sentences", "Words", "UPOS", "UFeats", "Lemmas", "UAS", "LAS")
LEFT, TOP, DECADE, POINT = 60, 20, 130, 4  # of the map: pixels, also for ten times the words, and for a point of LAS
GRID = (40, 60, 80, 100)


def report(entries: Sequence[Entry], notes: Mapping[str, str], failures: Mapping[str, str]) -> str:
    """Return the page; a click on a heading sorts the table."""
    scores = (f"{name}, raw text" for name in METRICS)
    heads = ("Model", "Language", "Words", "MB", "Words a second", *scores, "Licence")
    failed = "".join(f"<li>{html.escape(name)}: {html.escape(text)}</li>" for name, text in sorted(failures.items()))
    return PAGE.format(
        head="".join(f'<th><button type="button">{html.escape(head)}</button></th>' for head in heads),
        rows="\n".join(_row(entry, notes.get(entry.name, "")) for entry in entries),
        map=_map(entries),
        failed=f"<h2>Failed</h2><ul>{failed}</ul>" if failed else "",
    )


def _row(entry: Entry, note: str) -> str:
    raw = entry.scores.get("raw text") or entry.scores.get("folds") or {}
    cells = [entry.name, ", ".join(entry.languages[:2]), f"{entry.words}", f"{entry.bytes / 1e6:.1f}"]
    cells += [f"{entry.words_per_second}", *(f"{raw.get(name, '')}" for name in METRICS), entry.licence]
    title = f' title="{html.escape(note)}"' if note else ""
    return f"<tr{title}>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in cells) + "</tr>"


def _map(entries: Sequence[Entry]) -> str:
    """Return a drawing: each model by its words of training and its LAS from raw text."""
    dots = [_dot(entry) for entry in entries if entry.words and "LAS" in entry.scores.get("raw text", {})]
    lines = "".join(f'<path d="M{LEFT} {_high(las)}H580"/>{_text(52, _high(las) + 4, f"{las}", "end")}' for las in GRID)
    ticks = "".join(_text(_far(10**power), 290, f"{10**power:,}", "middle") for power in range(3, 8))
    return (
        '<svg viewBox="0 0 640 310" role="img" aria-label="LAS from raw text by the words of training">'
        f'<g class="grid">{lines}{ticks}{_text(320, 306, "words of training", "middle")}</g>{"".join(dots)}</svg>'
    )


def _dot(entry: Entry) -> str:
    x, y = _far(entry.words), _high(entry.scores["raw text"]["LAS"])
    return f'<circle cx="{x}" cy="{y}" r="4"/>{_text(x + 7, y + 4, html.escape(entry.name), "start")}'


def _text(x: int, y: int, text: str, anchor: str) -> str:
    return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{text}</text>'


def _far(words: int) -> int:
    return round(LEFT + (log10(words) - 3) * DECADE)


def _high(las: float) -> int:
    return round(TOP + (100 - las) * POINT)


PAGE = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Models</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>
:root {{ color-scheme: light dark }}
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 75rem; padding: 0 1rem }}
.wide {{ overflow-x: auto }}
table {{ border-collapse: collapse }}
th, td {{ padding: .25rem .6rem; text-align: right; border-bottom: 1px solid #8885; white-space: nowrap }}
td:first-child, td:nth-child(2), td:last-child {{ text-align: left }}
th button {{ font: inherit; font-weight: 600; background: none; border: 0; color: inherit; cursor: pointer }}
svg {{ max-width: 40rem; width: 100%; font-size: 11px; fill: currentColor }}
.grid path {{ stroke: #8885 }} circle {{ fill: #2a6fdb }}
</style></head><body>
<h1>Models</h1>
<p>Scores are those of the CoNLL 2018 shared task, from raw text, on each treebank's test part.</p>
<div class="wide"><table><thead><tr>{head}</tr></thead><tbody>
{rows}
</tbody></table></div>
{map}
{failed}
<script>
document.querySelectorAll("th button").forEach((button, place) => {{
  let up = false
  button.addEventListener("click", () => {{
    const body = document.querySelector("tbody"), key = row => row.cells[place].textContent
    const value = row => {{ const n = parseFloat(key(row)); return isNaN(n) ? key(row) : n }}
    up = !up
    const rows = [...body.rows].sort((a, b) => (value(a) > value(b) ? 1 : value(a) < value(b) ? -1 : 0) * (up ? 1 : -1))
    body.append(...rows)
  }})
}})
</script></body></html>
"""
