"""From a client's text to blocks, and through a model's steps: what all interfaces share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import IO, cast

from treewright.apps.server.messages import HttpError, Request
from treewright.apps.server.service import Service
from treewright.errors import TreewrightError
from treewright.steps.call import CERTIFICATE, TEXT, TREES, Call
from treewright.steps.pipeline import Pipeline
from treewright.steps.step import Step
from treewright.steps.text import GIVEN_TOKENS, GivenText, given_tokens
from treewright.treebank.blocks.block import Block
from treewright.treebank.checks.checks import is_filled
from treewright.treebank.checks.problems import checked
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.source import InputStream

GENERIC = ("generic", "generic presegmented")
SOURCE = "the data"


@dataclass(frozen=True)
class Reading:
    """How a text is read; ``ranges`` and ``newlines`` are those of Call."""

    layout: str = "conllu"
    ranges: bool = False
    newlines: str = "auto"


def blocks_of(service: Service, request: Request, parser: Step, text: str, reading: Reading) -> Iterator[Block]:
    """Yield a text as blocks of words; stops when there are too many, or when the request's time is over."""
    left = service.limits.words
    long_is_slow = CERTIFICATE in parser.capabilities  # an exact search
    for block in _read(parser, text.encode(), reading):
        request.check_time()
        left -= block.n_words
        if left < 0:
            raise HttpError(413, f"more than {service.limits.words:,} words. Send them in smaller pieces")
        if long_is_slow:
            check_sentences(block, service.limits.sentence_words)
        service.metrics.add("words", block.n_words)
        service.metrics.add("sentences", block.n_sentences)
        yield block


def check_sentences(block: Block, most: int) -> None:
    """Reject sentences whose parse could take for ever: once begun, it cannot be stopped."""
    for number in range(block.n_sentences):
        if len(block.words_of(number)) > most:
            raise HttpError(413, f"a sentence of more than {most:,} words. Split it, or choose another kind of parser")


def _read(parser: Step, data: bytes, reading: Reading) -> Iterator[Block]:
    # A stream that is open already: text that begins like a compressed file is still text.
    stream = InputStream(BytesIO(data), SOURCE)
    if reading.layout == "conllu":
        return map(checked, read_blocks(cast("IO[bytes]", stream), "conllu"))
    if reading.layout in GENERIC:
        from treewright.apps.server.interfaces.generic_tokenizer import generic_blocks

        return generic_blocks(data, reading.ranges, reading.layout == GENERIC[1])
    given, call = GivenText(stream, reading.layout), Call(ranges=reading.ranges, newlines=reading.newlines)
    if reading.layout in GIVEN_TOKENS:
        return given_tokens(given, call)
    if TEXT in parser.lacks:
        raise TreewrightError("the model has no tokeniser. Send CoNLL-U or tokens, or choose another model")
    return parser.blocks(given, call)


def analysed(parser: Step, block: Block, tag: bool, parse: bool, given: Mapping[str, object]) -> bytes:
    """Return a block's text after the wanted steps; without the tagger, its tags help the parser but are not shown."""
    if not parse:
        return tagged(parser, block).data if tag else block.data
    if not block.n_words:
        return block.data
    if tag:
        return parser.annotate(block, parser._checked({**given, "tag": True}))
    call = parser._checked(given)
    if has_tags(block) or TREES not in parser.capabilities or call.confidence or call.k_best is not None:
        finder = parser.without(["tagger"]) if isinstance(parser, Pipeline) else parser
        return finder.annotate(block, call)
    trees = parser.trees(block, call)
    return trees._replace(block=block).text(parser.relations)


def tagged(parser: Step, block: Block) -> Block:
    """Return a block with the tagger's tags."""
    tagger = parser.steps.get("tagger")
    if tagger is None:
        raise TreewrightError("the model has no tagger. Choose another model, or leave `tagger` out")
    return tagger.parse_block(block) if block.n_words else block


def has_tags(block: Block) -> bool:
    """Say whether any word of a block has a tag."""
    return any(place >= 0 and is_filled(block, place) for place in (block.layout.upos, block.layout.xpos))
