"""A trace as a page to step through: one file, no network, light and dark.

The page holds the trace as JSON beside its drawing, and the script writes it with ``textContent`` only: the browser
never reads a word of a sentence as markup. Without scripts the page shows the trace as text.
"""

from __future__ import annotations

import html
import json
from importlib.resources import files

from treewright.apps.tracing.record import Trace
from treewright.apps.tracing.trace_drawing import drawing_of
from treewright.display.html import whole_page
from treewright.display.svg import WIDTH, style_sheet

HEAD = """\
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; \
script-src 'unsafe-inline'">
"""
BODY = """\
<noscript><pre>{text}</pre></noscript>
<main id="app" hidden></main>
<div id="drawing" hidden>{drawing}</div>
<script type="application/json" id="trace">{data}</script>
<script type="module">
{script}</script>
"""


def page_of(trace: Trace, title: str | None = None) -> str:
    """Return the page."""
    folder = files("treewright.apps.tracing") / "page"
    names = ("trace-page.css", "trace.css", "trace.js", "trace-page.js")
    frame, style, view, script = ((folder / name).read_text(encoding="utf-8") for name in names)
    # With "<" as a JSON escape, nothing in a sentence can end the element or open another.
    data = json.dumps(trace.to_dict(), ensure_ascii=True, separators=(",", ":")).replace("<", "\\u003c")
    whole = f"{view.replace('export ', '')}{script}"
    body = BODY.format(
        text=html.escape(_clean(trace.to_text())), data=data, script=whole, drawing=drawing_of(trace, WIDTH)
    )
    name = html.escape(_clean(title or f"Trace: {' '.join(trace.words)}"))
    return whole_page(name, f"{frame}{style}{style_sheet('auto')}", [body], ' lang="en"', HEAD)


def _clean(text: str) -> str:
    """Replace characters that UTF-8 cannot hold."""
    return text.encode("utf-8", "replace").decode("utf-8")
