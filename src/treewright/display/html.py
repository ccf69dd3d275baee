"""A self-contained page of drawings: long sentences scroll; several sentences have a table of contents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from treewright.display.picture import Picture
from treewright.display.svg import clean, draw_pictures, style_sheet

PAGE_STYLE = """\
:root{color-scheme:light dark;--ink:#1b1f24;--ground:#fff;--faint:#57606a;--line:#d0d7de;--link:#0a58b5}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--ground:#0d1117;--faint:#a0aab5;--line:#30363d;--link:#79b8ff}}
body{margin:0;padding:1rem 1.5rem;color:var(--ink);background:var(--ground);
font:15px/1.5 system-ui,-apple-system,'Segoe UI','Helvetica Neue',Arial,'Noto Sans',sans-serif}
h1{font-size:1.3rem}h2{font-size:1rem;margin:0 0 .2rem}a{color:var(--link)}
section{border-top:1px solid var(--line);padding:1rem 0}
section p{margin:.2rem 0;max-width:60rem;unicode-bidi:plaintext}.note{color:var(--faint)}
.scroll{overflow-x:auto;overflow-y:hidden;padding-bottom:.5rem}.scroll svg{display:block}
nav ol{max-height:16rem;overflow:auto;padding:.4rem 1rem;list-style:none;border:1px solid var(--line);border-radius:6px}
nav li{unicode-bidi:plaintext;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
"""


def page(pictures: Iterable[Picture], title: str = "treewright") -> str:
    """Return an HTML page with a drawing of every sentence."""
    drawn = list(pictures)
    return "".join(_pieces(drawn, title))


def fragment(picture: Picture) -> str:
    """Return a drawing for another page, such as a notebook: full-size, in a box that scrolls."""
    style = "overflow-x:auto;max-width:100%"
    direction = ' dir="rtl"' if picture.right_to_left else ""
    return f'<div{direction} style="{style}">{draw_pictures([picture])}</div>'


def _pieces(pictures: list[Picture], title: str) -> Iterator[str]:
    name = escape(clean(title))
    yield (
        f'<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>{name}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>\n{PAGE_STYLE}{style_sheet()}\n</style>\n</head>\n<body>\n<h1>{name}</h1>\n"
    )
    if len(pictures) > 1:
        yield "<nav>\n<ol>\n"
        for k, picture in enumerate(pictures, 1):
            text = escape(clean(picture.text))
            yield f'<li><a href="#s{k}">{escape(clean(picture.title)) or k}</a> {text}</li>\n'
        yield "</ol>\n</nav>\n"
    for k, picture in enumerate(pictures, 1):
        yield _section(k, picture)
    yield "</body>\n</html>\n"


def _section(k: int, picture: Picture) -> str:
    notes = "".join(f'<p class="note">{escape(clean(note))}</p>\n' for note in picture.notes)
    direction = ' dir="rtl"' if picture.right_to_left else ""
    return (
        f'<section id="s{k}">\n<h2><a href="#s{k}">{escape(clean(picture.title)) or k}</a></h2>\n'
        f'<p>{escape(clean(picture.text))}</p>\n{notes}<div class="scroll"{direction}>'
        f"{draw_pictures([picture], background=False, styled=False)}</div>\n</section>\n"
    )
