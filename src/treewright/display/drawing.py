"""Draw one sentence in any output format, for ``Sentence.draw`` and notebooks."""

from __future__ import annotations

from collections.abc import Callable

from treewright.display import tikz
from treewright.display.difference import Pair
from treewright.display.from_sentence import picture_of
from treewright.display.html import fragment, page
from treewright.display.picture import Picture
from treewright.display.svg import WIDTH, draw_pictures
from treewright.errors import TreewrightError, unknown
from treewright.treebank.sentences.sentence import Sentence


def draw_picture(picture: Picture, kind: str, width: int | None = None, theme: str | None = None) -> str:
    """Return a drawing as ``svg``, ``html`` (a page), ``fragment`` (of a page) or ``tikz``.

    ``width`` is that of a row in pixels (default 1000; 0: one row), ``theme`` auto (default), light, dark or print.
    """
    if kind not in _DRAWERS:
        raise TreewrightError(unknown("kind of drawing", kind, _DRAWERS))
    if kind == "tikz" and (width is not None or theme not in (None, "print")):
        raise TreewrightError("LaTeX sets the width, and knows only the theme print: leave the others out")
    return _DRAWERS[kind](picture, WIDTH if width is None else width, theme or "auto")


def render_sentence(
    sentence: Sentence,
    kind: str = "png",
    *,
    gold: Sentence | None = None,
    tags: str = "upos",
    width: int | None = None,
    theme: str = "light",
) -> bytes:
    """Return a picture of a sentence as the bytes of a ``png`` or ``pdf`` file; see ``Sentence.draw``."""
    from treewright.display.rendering import render_pictures

    return render_pictures([picture_for(sentence, tags, None, gold)], kind, WIDTH if width is None else width, theme)


def picture_for(sentence: Sentence, tags: str, graph: bool | None, gold: Sentence | None) -> Picture:
    """Return the picture of a sentence, or of its differences from ``gold``."""
    if gold is None:
        return picture_of(sentence, tags, graph)
    return Pair(gold, sentence).picture(tags, graph is not False)


_DRAWERS: dict[str, Callable[[Picture, int, str], str]] = {
    "svg": lambda picture, width, theme: draw_pictures([picture], width=width, theme=theme),
    "html": lambda picture, width, theme: page([picture], picture.title or "treewright", width, theme),
    "fragment": fragment,
    "tikz": lambda picture, width, theme: tikz.draw(picture, coloured=theme != "print"),
}
