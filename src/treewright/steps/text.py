"""A text as the step gets it that splits it into words, and how an input is told to be text or a treebank."""

from __future__ import annotations

from collections.abc import Iterator
from typing import IO, TYPE_CHECKING, Any, NamedTuple, cast

from treewright.errors import CombinationError
from treewright.steps.call import TAGS, TEXT, Call
from treewright.steps.kinds import kind_of_model
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.sentence_names import PLAIN_NAMES, SentenceNames
from treewright.treebank.files.source import InputStream, Source, holds_bytes, open_input
from treewright.treebank.files.text_format import RAW, TEXT_FORMATS, is_text

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


def blocks_of(
    step: Step, source: Source, format: str | None, call: Call, names: SentenceNames = PLAIN_NAMES
) -> Iterator[Block]:
    """Yield the words of an input, a treebank or a text. It is opened once, and closed in any case."""
    if not holds_bytes(source):
        yield from read_blocks(source, format)
        return
    stream = open_input(source)
    try:
        if format is None and _is_text(step, stream):
            format = RAW
        if format in TEXT_FORMATS:
            yield from split(step, GivenText(stream, "raw" if format == RAW else format, names), call)
            return
        _check_treebank(stream, call, names)
        yield from read_blocks(cast("IO[bytes]", stream), format)
    finally:
        stream.close()


def split(step: Step, text: GivenText, call: Call) -> Iterator[Block]:
    """Split a text by the step that can; given tokens need none, but a model that tags them."""
    if text.layout in GIVEN_TOKENS and not {TEXT, TAGS} <= step.lacks.keys():
        return given_tokens(text, call)
    if TEXT in step.lacks:
        raise CombinationError(step.reason_against(TEXT))
    return step.blocks(text, call)


def split_text(step: Step, text: str, call: Call, names: SentenceNames) -> tuple[bytes, int]:
    """Return the words of a text in CoNLL-U, and the number of its sentences."""
    if TEXT in step.lacks:
        raise CombinationError(step.reason_against(TEXT))
    return step.split(text, call, names)


def given_tokens(text: GivenText, call: Call) -> Iterator[Block]:
    """Yield the words of a text whose tokens are given."""
    found: Iterator[Block] = kind_of_model("tokenizer").named("tokenizer:given_tokens")(text, call)
    return found


def _is_text(step: Step, stream: InputStream) -> bool:
    """Say whether a stream is to be split; an empty one is an empty treebank for a model that cannot."""
    if not is_text(stream, in_doubt=TEXT not in step.lacks) or (TEXT in step.lacks and not stream.peek(1)):
        return False
    if TEXT in step.lacks:
        raise CombinationError(f"{stream.source}: {step.reason_against(TEXT)}")
    return True


def _check_treebank(stream: InputStream, call: Call, names: SentenceNames) -> None:
    """Reject what is asked of text where the input is a treebank: nothing is silently ignored."""
    idle = ["ranges"] * call.ranges + ["newlines"] * (call.newlines != "auto")
    if idle:
        raise CombinationError(f"{stream.source}: {idle[0]} is for raw text, and this is a treebank: leave it out")
    if names.prefix:
        raise CombinationError("--id-prefix names the sentences of raw text: a treebank keeps its own sent_ids")
