"""One sentence drawn in any of the ways that there are: what ``Sentence.draw`` and notebooks ask for."""

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

    ``tags`` stand beneath the words (none, upos, xpos, lemma). ``graph`` draws DEPS too; None: if it has more than the
    tree. With ``gold``, wrong heads and relations are marked, and the arcs of gold that are missed are below.
    """
    if kind not in _DRAWERS:
        raise TreewrightError(f"there is no drawing of kind {kind!r}. There are {', '.join(_DRAWERS)}.")
    return _DRAWERS[kind](_picture(sentence, tags, graph, gold))


def tree_of(
    sentence: Sentence,
    style: str = "arcs",
    width: int | None = None,
    ascii_only: bool = False,
    tags: str = "none",
    graph: bool | None = None,
    gold: Sentence | None = None,
) -> str:
    """Return a drawing of a sentence for the terminal; see ``draw_sentence``."""
    from treewright.display.terminal import draw

    return draw(_picture(sentence, tags, graph, gold), style, width, ascii_only).rstrip("\n")


def _picture(sentence: Sentence, tags: str, graph: bool | None, gold: Sentence | None) -> Picture:
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
