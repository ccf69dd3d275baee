"""How much of a text a tagger knows: its lexicon tells. A tagger that has nothing to do need not be made for it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from treewright.kinds.tagger.lexicon import Lexicon
from treewright.kinds.tagger.words import unknown_words
from treewright.steps.familiarity import USUAL, Familiarity
from treewright.steps.kept_arrays import array_of

if TYPE_CHECKING:
    from treewright.steps.contract import Arrays, Header
    from treewright.treebank.blocks.block import Block

NAMES = frozenset({"PROPN", "X"})
LOOKED_AT = 2000  # words of a block, to see whether the tagger knows them


def lexicon_in(arrays: Arrays) -> Lexicon:
    """Return the lexicon that a model file holds."""
    return Lexicon(
        array_of(arrays["lexicon.keys"], "Q"),
        array_of(arrays["lexicon.classes"], "H"),
        array_of(arrays["lexicon.class_start"], "i"),
        array_of(arrays["lexicon.class_tags"], "i"),
        array_of(arrays["lexicon.class_codes"], "Q"),
        bytes(arrays["lexicon.closed"]),
    )


def name_tags(tags: Iterable[Sequence[str]]) -> bytes:
    """Return 1 for tags of names and of foreign words, which say nothing of a text's language, 0 for others."""
    return bytes([tag[0] in NAMES for tag in tags])


def familiarity_of(block: Block, lexicon: Lexicon, names: bytes, info: dict[str, Any]) -> Familiarity:
    """Return how many of the first words of a block a lexicon has as more than names."""
    words, unknown, small = unknown_words(block.normal, lexicon, names, LOOKED_AT)
    return Familiarity(words, unknown, small, info.get("unseen", USUAL))


def known_words(header: Header, arrays: Arrays, block: Block) -> Familiarity:
    """Return how many of the first words of a block the tagger of a model file knows."""
    return familiarity_of(block, lexicon_in(arrays), name_tags(header["settings"]["tags"]), header["info"])
