"""The drawings of the pages: those of ``treewright show``, with words and arcs that can be chosen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from treewright.apps.studio.drafts import HEAD, Draft
from treewright.apps.studio.suggesting import Suggestion
from treewright.display.drawing import picture_for
from treewright.display.from_sentence import picture_of
from treewright.display.hooked import hooked
from treewright.display.picture import Picture
from treewright.display.svg import WIDTH, draw_hooked
from treewright.errors import TreewrightError
from treewright.treebank.blocks.block import Block
from treewright.treebank.formats.conllu import CONLLU
from treewright.treebank.sentences.sentence import Sentence

LEAST_WIDTH, MOST_WIDTH = 560, 4000  # a narrower page scrolls


def drawn(draft: Draft, suggestion: Suggestion | None, width: int) -> str:
    """Return the drawing of a sentence that is being annotated, with what is suggested for it."""
    sure: dict[str, float | None] = {}
    if suggestion is not None:
        sure = {
            cells[0]: confidence
            for (_, cells), confidence in zip(draft.words(), suggestion.confidences, strict=True)
            if cells[HEAD] == "_"
        }
        draft = Draft(draft.text)
        draft.set_tree(list(suggestion.heads), suggestion.relations)
        draft.fill_tags(suggestion.tags)
    return draw_hooked(
        hooked(picture_of(sentence_of(draft.text), "upos", tree=True), sure, suggested=True), clamped(width)
    )


def drawn_from(sentence: Sentence, gold: Sentence | None, tags: str, sure: Sequence[float | None], width: int) -> str:
    """Return the drawing of a parse, or of its differences from another one."""
    try:
        picture: Picture = picture_for(sentence, tags, None, gold)
    except TreewrightError:  # other words: nothing to compare
        picture = picture_for(sentence, tags, None, None)
    known: Mapping[str, float | None] = {str(number): each for number, each in enumerate(sure, 1)}
    return draw_hooked(hooked(picture, known), clamped(width))


def sentence_of(text: str) -> Sentence:
    """Return a sentence of the project."""
    return Sentence.from_block(Block(text.encode("utf-8", "surrogateescape"), CONLLU, ""), 0)


def clamped(width: int) -> int:
    """Return a width that a drawing may have."""
    return min(max(width or WIDTH, LEAST_WIDTH), MOST_WIDTH)
