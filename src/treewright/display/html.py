"""A self-contained page of drawings: long sentences have several rows, several sentences a table of contents."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from html import escape

from treewright.display.picture import Picture
from treewright.display.style_files import style_file
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
_SHAPES = style_file(__file__, "page")
PAGE_STYLE = _COLOURS["auto"] + _SHAPES


def page(pictures: Iterable[Picture], title: str = "treewright", width: int = WIDTH, theme: str = "auto") -> str:
    """Return an HTML page with a drawing of every sentence, in rows of ``width`` pixels."""
    drawn = list(pictures)
    style = style_sheet(theme)  # first: it knows the themes
    name = escape(clean(title))
    return whole_page(name, f"{_COLOURS[theme]}{_SHAPES}{style}\n", [f"<h1>{name}</h1>\n", *_pieces(drawn, width)])


def whole_page(title: str, style: str, body: Iterable[str], attributes: str = "", head: str = "") -> str:
    """Return a self-contained page of HTML pieces, with its style sheet; ``attributes`` are of the document."""
    return (
        f'<!DOCTYPE html>\n<html{attributes}>\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"{head}<style>\n{style}</style>\n</head>\n<body>\n{''.join(body)}</body>\n</html>\n"
    )


def fragment(picture: Picture, width: int = WIDTH, theme: str = "auto") -> str:
    """Return a drawing for another page, such as a notebook: full-size, in a box that scrolls if it is too narrow."""
    style = "overflow-x:auto;max-width:100%"
    direction = ' dir="rtl"' if picture.right_to_left else ""
    return f'<div{direction} style="{style}">{draw_pictures([picture], width=width, theme=theme)}</div>'


def _pieces(pictures: list[Picture], width: int) -> Iterator[str]:
    if len(pictures) > 1:
        yield "<nav>\n<ol>\n"
        for k, picture in enumerate(pictures, 1):
            text = escape(clean(picture.text))
            yield f'<li><a href="#s{k}">{escape(clean(picture.title)) or k}</a> {text}</li>\n'
        yield "</ol>\n</nav>\n"
    for k, picture in enumerate(pictures, 1):
        yield _section(k, picture, width)


def _section(k: int, picture: Picture, width: int) -> str:
    notes = "".join(f'<p class="note">{escape(clean(note))}</p>\n' for note in picture.notes)
    direction = ' dir="rtl"' if picture.right_to_left else ""
    return (
        f'<section id="s{k}">\n<h2><a href="#s{k}">{escape(clean(picture.title)) or k}</a></h2>\n'
        f'<p>{escape(clean(picture.text))}</p>\n{notes}<div class="scroll"{direction}>'
        f"{draw_pictures([picture], background=False, styled=False, width=width)}</div>\n</section>\n"
    )
