"""Draw one sentence in any output format, for ``Sentence.draw`` and notebooks."""

from __future__ import annotations

from collections.abc import Callable

from treewright.display.from_sentence import picture_of
from treewright.display.picture import Picture
from treewright.errors import TreewrightError
from treewright.treebank.sentence import Sentence


def draw_sentence(
    sentence: Sentence, kind: str = "svg", tags: str = "upos", graph: bool | None = None, gold: Sentence | None = None
) -> str:
    """Return a drawing of a sentence as ``svg``, ``html`` (a page), ``fragment`` (of a page) or ``tikz``.

    ``tags`` are shown below the words (none, upos, xpos, lemma). ``graph`` also draws DEPS; None draws it if it has
    more arcs than the tree. With ``gold``, wrong heads and relations are marked, and missed gold arcs are drawn below.
    """
    if kind not in _DRAWERS:
        raise TreewrightError(f"unknown kind of drawing {kind!r}; choose from {', '.join(_DRAWERS)}.")
    return _DRAWERS[kind](picture_for(sentence, tags, graph, gold))


def draw_tree(picture: Picture, style: str, width: int | None, ascii_only: bool) -> str:
    """Return a drawing of a picture for the terminal."""
    from treewright.display.terminal import draw

    return draw(picture, style, width, ascii_only).rstrip("\n")


def picture_for(sentence: Sentence, tags: str, graph: bool | None, gold: Sentence | None) -> Picture:
    """Return the picture of a sentence, or of its differences from ``gold``."""
    if gold is None:
        return picture_of(sentence, tags, graph)
    from treewright.display.compared import Pair

    return Pair(gold, sentence).picture(tags, graph is not False)


def _svg(picture: Picture) -> str:
    from treewright.display.svg import draw_pictures

    return draw_pictures([picture])


def _html(picture: Picture) -> str:
    from treewright.display.html import page

    return page([picture], picture.title or "treewright")


def _fragment(picture: Picture) -> str:
    from treewright.display.html import fragment

    return fragment(picture)


def _tikz(picture: Picture) -> str:
    from treewright.display import tikz

    return tikz.draw(picture)


_DRAWERS: dict[str, Callable[[Picture], str]] = {"svg": _svg, "html": _html, "fragment": _fragment, "tikz": _tikz}
