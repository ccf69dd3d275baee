"""Files in, a file out: one or several inputs are parsed as one stream."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, NamedTuple

from treewright.errors import TreewrightWarning
from treewright.steps.blocks import layout_after
from treewright.steps.parse_options import text_reading
from treewright.treebank.blocks.block import Block
from treewright.treebank.checks.problems import check
from treewright.treebank.files.sentence_names import SentenceNames
from treewright.treebank.files.source import Source, name_of
from treewright.treebank.files.writing import write_pieces
from treewright.treebank.formats.registry import Format, format_for_path, format_named

if TYPE_CHECKING:
    from treewright.steps.parse_options import ParseKeywords, ParseOptions
    from treewright.steps.parser import Parser

# Formats whose text can be copied around the columns that change.
WRITTEN_AS_READ = ("conllu", "conllx", "malt-tab")
_WITHOUT_TREES = "malt-tab"  # has room for trees even if what was read has none: it is written as it was read
_WITH_HEADER = ("conllu-plus",)  # which only the first of several files may bring along


class FileOptions(NamedTuple):
    """How files are read and written: formats, names of sentences."""

    format: str | None = None  # of the input; None: guessed
    to: str | None = None  # of the output; None: by its name, else as the input
    id_prefix: str = ""
    documents: Sequence[str] = ()  # the names of the texts


class Counts(NamedTuple):
    """How much was parsed."""

    sentences: int
    words: int


def parse_files(
    parser: Parser,
    sources: Sequence[Source],
    target: str | os.PathLike[str],
    how: FileOptions,
    threads: int,
    progress: Callable[[int], None] | None,
    options: ParseKeywords,
) -> Counts:
    """Parse inputs into one file; returns how many sentences and words there were. Numbers of sentences go on."""
    format = format_named(how.to) if how.to is not None else format_for_path(os.fspath(target))
    counts = [0, 0]

    def counted() -> Iterator[Block]:
        for place, source in enumerate(sources):
            document = how.documents[place] if place < len(how.documents) else ""
            names = SentenceNames(how.id_prefix, document, counts[0])
            before = counts[0]
            for block in parser.read_blocks(source, how.format, text_reading(options, names)):
                check(block)
                counts[0] += block.n_sentences
                counts[1] += block.n_words
                yield block
                if progress is not None:
                    progress(len(block.data))
            if counts[0] == before:
                warnings.warn(f"{name_of(source)}: no sentences in it", TreewrightWarning, stacklevel=3)

    checked, blocks = parser.checked(options), counted()
    if format is None and len(sources) > 1:  # the others may be in other formats
        first = list(islice(blocks, 1))
        format = _kept_format(first[0], checked) if first else None
        blocks = chain(first, blocks)
    as_read = WRITTEN_AS_READ + _WITH_HEADER * (len(sources) == 1)
    write_pieces(parsed_pieces(parser, blocks, format, as_read, threads, checked), target, format)
    return Counts(*counts)


def _kept_format(block: Block, options: ParseOptions) -> Format:
    """Return the format of what was read, or the one that has room for trees."""
    return format_named(block.layout.name if _is_kept(block, options) else layout_after(block).name)


def _is_kept(block: Block, options: ParseOptions) -> bool:
    return block.layout.name == _WITHOUT_TREES and not (options.confidence or options.k_best)


def parsed_pieces(
    parser: Parser,
    blocks: Iterator[Block],
    format: Format | None,
    as_read: Sequence[str],
    threads: int,
    options: ParseOptions,
) -> Iterator[Block | bytes]:
    """Parse blocks and yield what is to be written: bytes where the format is kept, else blocks to convert."""
    name = None if format is None else format.name
    for block, text in parser.parsed_in_order(blocks, threads, options):
        layout = layout_after(block)
        if name is None and _is_kept(block, options):
            yield format_named(_WITHOUT_TREES).writer().write(Block(text, layout, block.source, block.first_line))
            continue
        name = name or layout.name
        if layout.name == name and name in as_read:
            yield text
        else:
            yield Block(text, layout, block.source, block.first_line)
