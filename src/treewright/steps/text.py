"""A text as the step gets it that splits it into words, and how an input is told to be text or a treebank."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from treewright.errors import CombinationError
from treewright.steps.call import TAGS, TEXT, Call
from treewright.steps.kinds import kind_of_model
from treewright.treebank.files.reading import blocks_in, read_blocks
from treewright.treebank.files.sentence_names import PLAIN_NAMES, SentenceNames
from treewright.treebank.files.source import InputStream, Source, holds_bytes, open_input
from treewright.treebank.files.text_format import RAW, TEXT_FORMATS, is_text
from treewright.treebank.formats.registry import SAMPLE_BYTES, Sample

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
        yield from blocks_in_stream(step, stream, format, call, names)
    finally:
        stream.close()


def blocks_in_stream(
    step: Step, stream: InputStream, format: str | None, call: Call, names: SentenceNames
) -> Iterable[Block]:
    """Return the words of an open stream, a treebank or a text, as they are read."""
    sample = None if format in TEXT_FORMATS else Sample(stream.peek(SAMPLE_BYTES), stream.source)
    if format is None and sample is not None and _is_text(step, sample):
        format = RAW
    if sample is None or format == RAW:
        return split(step, GivenText(stream, "raw" if format == RAW else str(format), names), call)
    _check_treebank(stream, call, names)
    return blocks_in(stream, sample, format)


def split(step: Step, text: GivenText, call: Call) -> Iterator[Block]:
    """Split a text by the step that can; given tokens need none, but a model that tags them."""
    if text.layout in GIVEN_TOKENS and not {TEXT, TAGS} <= step.lacks.keys():
        return given_tokens(text, call)
    return step.blocks(text, call)


def given_tokens(text: GivenText, call: Call) -> Iterator[Block]:
    """Yield the words of a text whose tokens are given."""
    found: Iterator[Block] = kind_of_model("tokenizer").named("tokenizer:given_tokens")(text, call)
    return found


def _is_text(step: Step, sample: Sample) -> bool:
    """Say whether a stream is to be split; an empty one is an empty treebank for a model that cannot."""
    if not is_text(sample, in_doubt=TEXT not in step.lacks):
        return False
    if TEXT not in step.lacks:
        return True
    if sample.raw:
        raise CombinationError(f"{sample.name}: {step.reason_against(TEXT)}")
    return False


def _check_treebank(stream: InputStream, call: Call, names: SentenceNames) -> None:
    """Reject what is asked of text where the input is a treebank: nothing is silently ignored."""
    idle = ["ranges"] * call.ranges + ["newlines"] * (call.newlines != "auto")
    if idle:
        raise CombinationError(f"{stream.source}: {idle[0]} is for raw text, and this is a treebank: leave it out")
    if names.prefix:
        raise CombinationError("--id-prefix names the sentences of raw text: a treebank keeps its own sent_ids")
