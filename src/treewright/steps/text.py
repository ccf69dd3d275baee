"""A text as the step gets it that splits it into words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from treewright.steps.call import TAGS, TEXT, Call
from treewright.steps.kinds import kind_of_model
from treewright.treebank.files.sentence_names import PLAIN_NAMES, SentenceNames
from treewright.treebank.files.source import InputStream

if TYPE_CHECKING:
    from treewright.steps.step import Step
    from treewright.treebank.blocks.block import Block

#: formats whose tokens are given: no model is needed to split them
GIVEN_TOKENS = ("horizontal", "vertical")


class GivenText(NamedTuple):
    """A text to split: what of its sentences and tokens is given (``layout``), and how its sentences are called."""

    stream: InputStream
    layout: str = "raw"
    names: SentenceNames = PLAIN_NAMES
    excerpt: Any = None  # where the stream is a stretch of a longer text: see kinds/tokenizer/excerpt.py


def split(step: Step, text: GivenText, call: Call) -> Iterator[Block]:
    """Split a text by the step that can; given tokens need none, but a model that tags them."""
    if text.layout in GIVEN_TOKENS and not {TEXT, TAGS} <= step.lacks.keys():
        return given_tokens(text, call)
    return step.blocks(text, call)


def given_tokens(text: GivenText, call: Call) -> Iterator[Block]:
    """Yield the words of a text whose tokens are given."""
    blocks: Iterator[Block] = kind_of_model("tokenizer").named("tokenizer:given_tokens")(text, call)
    return blocks
