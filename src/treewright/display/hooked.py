"""Pictures whose words and arcs can be chosen: what a page has to know of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from treewright.display.picture import Arc, ArcHook, Picture, Word, WordHook

NOT_SURE: Mapping[str, float | None] = {}


def hooked(picture: Picture, sure: Mapping[str, float | None] = NOT_SURE, suggested: bool = False) -> Picture:
    """Return a picture with hooks and numbers.

    ``sure`` has, by number of the word, how sure its arc is; ``suggested``: these arcs are not decided yet.
    """
    names = ["0", *(word.number for word in picture.words)]

    def with_hook(arc: Arc) -> Arc:
        dependent = names[arc.dependent]
        known = dependent in sure and not arc.below
        return replace(
            arc, hook=ArcHook(names[arc.head], dependent, known and suggested, sure[dependent] if known else None)
        )

    above = {arc.dependent: arc for arc in picture.arcs if not arc.below}
    words = [
        replace(word, hook=_word_hook(word, above.get(place), picture, sure, suggested))
        for place, word in enumerate(picture.words, 1)
    ]
    return replace(picture, words=words, arcs=[with_hook(arc) for arc in picture.arcs], numbered=True)


def _word_hook(
    word: Word, arc: Arc | None, picture: Picture, sure: Mapping[str, float | None], suggested: bool
) -> WordHook:
    told = ["empty node" if word.is_empty else word.number, word.text]
    parts = [" ".join(told), word.tag]
    if arc is not None:
        parts.append(f"{arc.label or 'depends'} of {picture.words[arc.head - 1].text if arc.head else 'the root'}")
    elif not word.is_empty:
        parts.append("no head")
    known = sure.get(word.number)
    if word.number in sure and arc is not None:
        parts += ["suggested"] * suggested + ([] if known is None else [f"{round(100 * known)} % sure"])
    return WordHook(", ".join(part for part in parts if part), 0.0 if known is None else 1 - known)
