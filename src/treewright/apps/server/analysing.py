"""From a client's text to blocks, and through a model's steps: what all interfaces share."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from typing import IO, cast

from treewright.apps.server.messages import HttpError, Request
from treewright.apps.server.service import Service
from treewright.errors import TreewrightError
from treewright.kinds.tokenizer.tokenizer import given_tokens
from treewright.steps.parse_options import CERTIFICATE, TREES, ParseOptions
from treewright.steps.parser import Parser
from treewright.steps.pipeline import Pipeline
from treewright.treebank.blocks.block import Block
from treewright.treebank.checks.checks import is_filled
from treewright.treebank.checks.problems import check
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.source import InputStream
from treewright.treebank.files.text_reading import TextReading

GENERIC = ("generic", "generic presegmented")
SOURCE = "the data"


@dataclass(frozen=True)
class Reading:
    """How a text is read; ``ranges`` and ``newlines`` are those of ParseOptions."""

    layout: str = "conllu"
    ranges: bool = False
    newlines: str = "auto"


def steps_of(parser: Parser) -> list[str]:
    """Return the steps of a model, as UDPipe names them."""
    return parser.steps if isinstance(parser, Pipeline) else ["parser"]


def blocks_of(service: Service, request: Request, parser: Parser, text: str, reading: Reading) -> Iterator[Block]:
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
    """Reject sentences whose parse could take for ever; nothing can stop it once it has begun."""
    for number in range(block.n_sentences):
        if len(block.words_of(number)) > most:
            raise HttpError(413, f"a sentence of more than {most:,} words. Split it, or choose another kind of parser")


def _read(parser: Parser, data: bytes, reading: Reading) -> Iterator[Block]:
    # A stream that is open already: text that begins like a compressed file is still text.
    source = cast("IO[bytes]", InputStream(BytesIO(data), SOURCE))
    if reading.layout == "conllu":
        return _checked(read_blocks(source, "conllu"))
    if reading.layout in GENERIC:
        from treewright.apps.server.interfaces.generic_tokenizer import generic_blocks

        return generic_blocks(data, reading.ranges, reading.layout == GENERIC[1])
    if reading.layout in ("horizontal", "vertical"):
        return given_tokens(source, reading.layout, TextReading(reading.ranges))
    if not isinstance(parser, Pipeline) or parser.tokenizer is None:
        raise TreewrightError("the model has no tokeniser. Send CoNLL-U or tokens, or choose another model")
    return parser.read_text(source, reading.layout, TextReading(reading.ranges, reading.newlines))


def _checked(blocks: Iterator[Block]) -> Iterator[Block]:
    for block in blocks:
        check(block)
        yield block


def analysed(parser: Parser, block: Block, tag: bool, parse: bool, given: Mapping[str, object]) -> bytes:
    """Return a block's text after the wanted steps; without the tagger, its tags help the parser but are not shown."""
    if not parse:
        return tagged(parser, block).data if tag else block.data
    if not block.n_words:
        return block.data
    if tag:
        return parser.annotate(block, parser.checked({**given, "tag": True}))
    options = parser.checked(given)
    inner = parser.parser if isinstance(parser, Pipeline) else parser
    if has_tags(block) or TREES not in parser.capabilities or _needs_text(options):
        return inner.annotate(block, options)
    trees = parser.trees(block, options)
    return block.with_tree(trees.heads, trees.labels, parser.relation_bytes)


def _needs_text(options: ParseOptions) -> bool:
    return options.confidence or options.k_best is not None


def tagged(parser: Parser, block: Block) -> Block:
    """Return a block with the tagger's tags."""
    if not isinstance(parser, Pipeline) or parser.tagger is None:
        raise TreewrightError("the model has no tagger. Choose another model, or leave `tagger` out")
    return parser.tagger.tagged(block) if block.n_words else block


def has_tags(block: Block) -> bool:
    """Say whether any word of a block has a tag."""
    return any(place >= 0 and is_filled(block, place) for place in (block.layout.upos, block.layout.xpos))
