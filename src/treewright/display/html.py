"""A self-contained page of drawings: long sentences have several rows, several sentences a table of contents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from treewright.display.picture import Picture
from treewright.display.svg import WIDTH, clean, draw_pictures, style_sheet

_LIGHT = "--ink:#1b1f24;--ground:#fff;--faint:#57606a;--line:#d0d7de;--link:#0a58b5"
_DARK = "--ink:#e6edf3;--ground:#0d1117;--faint:#a0aab5;--line:#30363d;--link:#79b8ff"
_PRINT = "--ink:#000;--ground:#fff;--faint:#000;--line:#000;--link:#000"
_COLOURS = {
    "auto": f":root{{color-scheme:light dark;{_LIGHT}}}\n@media (prefers-color-scheme:dark){{:root{{{_DARK}}}}}\n",
    "light": f":root{{color-scheme:light;{_LIGHT}}}\n",
    "dark": f":root{{color-scheme:dark;{_DARK}}}\n",
    "print": f":root{{color-scheme:light;{_PRINT}}}\n",
}
_PAGE_SHAPES = """\
body{margin:0;padding:1rem 1.5rem;color:var(--ink);background:var(--ground);
font:15px/1.5 system-ui,-apple-system,'Segoe UI','Helvetica Neue',Arial,'Noto Sans',sans-serif}
h1{font-size:1.3rem}h2{font-size:1rem;margin:0 0 .2rem}a{color:var(--link)}
section{border-top:1px solid var(--line);padding:1rem 0}
section p{margin:.2rem 0;max-width:60rem;unicode-bidi:plaintext}.note{color:var(--faint)}
.scroll{overflow-x:auto;overflow-y:hidden;padding-bottom:.5rem}.scroll svg{display:block}
nav ol{max-height:16rem;overflow:auto;padding:.4rem 1rem;list-style:none;border:1px solid var(--line);border-radius:6px}
nav li{unicode-bidi:plaintext;white-space:nowrap;overflow:hidden;text-overflow:ellipsis}
@media print{nav{display:none}section{break-inside:avoid}.scroll svg{max-width:100%;height:auto}}
"""
PAGE_STYLE = _COLOURS["auto"] + _PAGE_SHAPES


def page(pictures: Iterable[Picture], title: str = "treewright", width: int = WIDTH, theme: str = "auto") -> str:
    """Return an HTML page with a drawing of every sentence, in rows of ``width`` pixels."""
    drawn = list(pictures)
    return "".join(_pieces(drawn, title, width, theme))


def fragment(picture: Picture, width: int = WIDTH, theme: str = "auto") -> str:
    """Return a drawing for another page, such as a notebook: full-size, in a box that scrolls if it is too narrow."""
    style = "overflow-x:auto;max-width:100%"
    direction = ' dir="rtl"' if picture.right_to_left else ""
    return f'<div{direction} style="{style}">{draw_pictures([picture], width=width, theme=theme)}</div>'


def _pieces(pictures: list[Picture], title: str, width: int, theme: str) -> Iterator[str]:
    style = style_sheet(theme)  # first: it knows the themes
    name = escape(clean(title))
    yield (
        f'<!DOCTYPE html>\n<html>\n<head>\n<meta charset="utf-8">\n<title>{name}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<style>\n{_COLOURS[theme]}{_PAGE_SHAPES}{style}\n</style>\n</head>\n<body>\n<h1>{name}</h1>\n"
    )
    if len(pictures) > 1:
        yield "<nav>\n<ol>\n"
        for k, picture in enumerate(pictures, 1):
            text = escape(clean(picture.text))
            yield f'<li><a href="#s{k}">{escape(clean(picture.title)) or k}</a> {text}</li>\n'
        yield "</ol>\n</nav>\n"
    for k, picture in enumerate(pictures, 1):
        yield _section(k, picture, width)
    yield "</body>\n</html>\n"


def _section(k: int, picture: Picture, width: int) -> str:
    notes = "".join(f'<p class="note">{escape(clean(note))}</p>\n' for note in picture.notes)
    direction = ' dir="rtl"' if picture.right_to_left else ""
    return (
        f'<section id="s{k}">\n<h2><a href="#s{k}">{escape(clean(picture.title)) or k}</a></h2>\n'
        f'<p>{escape(clean(picture.text))}</p>\n{notes}<div class="scroll"{direction}>'
        f"{draw_pictures([picture], background=False, styled=False, width=width)}</div>\n</section>\n"
    )
