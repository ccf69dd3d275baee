"""Files in, a file out: one or several inputs are parsed as one stream."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice, zip_longest
from typing import TYPE_CHECKING, NamedTuple

from treewright.errors import TreewrightWarning
from treewright.steps.blocks import layout_after
from treewright.steps.in_order import parsed_in_order
from treewright.steps.text import blocks_in_stream
from treewright.treebank.blocks.block import Block
from treewright.treebank.checks.problems import check
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.sentence_names import SentenceNames
from treewright.treebank.files.source import Source, holds_bytes, name_of, open_input
from treewright.treebank.files.writing import write_pieces
from treewright.treebank.formats.registry import Format, format_for_path, format_named

if TYPE_CHECKING:
    from treewright.steps.call import Call
    from treewright.steps.step import Step

# Formats whose text can be copied around the columns that change.
WRITTEN_AS_READ = ("conllu", "conllx", "malt-tab")
_WITHOUT_TREES = "malt-tab"  # has room for trees even if what was read has none: it is written as it was read
_WITH_HEADER = ("conllu-plus",)  # which only the first of several files may bring along


class Counts(NamedTuple):
    """How much was parsed."""

    sentences: int
    words: int


def parse_files(
    step: Step,
    sources: Sequence[Source],
    target: str | os.PathLike[str],
    call: Call,
    *,
    format: str | None = None,
    to: str | None = None,
    id_prefix: str = "",
    names: Sequence[str] = (),
    threads: int = 1,
    progress: Callable[[int], None] | None = None,
) -> Counts:
    """Parse inputs into one file; returns how many sentences and words there were. Numbers of sentences go on.

    ``format``: of the inputs, guessed if not given; ``to``: of the output, by its name if not given, else as the input;
    ``names`` of the files, by which raw texts are called, and ``id_prefix``: what their sentences begin with.
    """
    wanted = format_named(to) if to is not None else format_for_path(os.fspath(target))
    reader = Reader(step, call, format, progress)
    blocks = reader.blocks(zip_longest(sources, names, fillvalue=""), id_prefix)
    if wanted is None and len(sources) > 1:  # the others may be in other formats
        first = list(islice(blocks, 1))
        wanted = _kept_format(first[0], call) if first else None
        blocks = chain(first, blocks)
    as_read = WRITTEN_AS_READ + _WITH_HEADER * (len(sources) == 1)
    write_pieces(parsed_pieces(step, blocks, wanted, as_read, threads, call), target, wanted)
    return Counts(reader.sentences, reader.words)


class Reader:
    """Reads inputs one after the other, checks what it reads, and counts."""

    def __init__(self, step: Step, call: Call, format: str | None, progress: Callable[[int], None] | None) -> None:
        self.step, self.call, self.format, self.progress = step, call, format, progress
        self.sentences = self.words = 0

    def blocks(self, inputs: Iterable[tuple[Source, str]], id_prefix: str) -> Iterator[Block]:
        """Yield the words of inputs, with their names; the numbers of sentences go on.

        Each is opened once, and closed in any case.
        """
        for source, name in inputs:
            before = self.sentences
            stream = open_input(source) if holds_bytes(source) else None
            names = SentenceNames(id_prefix, before=before, file=name)
            try:
                for block in (
                    read_blocks(source, self.format)
                    if stream is None
                    else blocks_in_stream(self.step, stream, self.format, self.call, names)
                ):
                    check(block)
                    self.sentences += block.n_sentences
                    self.words += block.n_words
                    yield block
                    if self.progress is not None:
                        self.progress(len(block.data))
            finally:
                if stream is not None:
                    stream.close()
            if self.sentences == before:
                warnings.warn(f"{name_of(source)}: no sentences in it", TreewrightWarning, stacklevel=3)


def _kept_format(block: Block, call: Call) -> Format:
    """Return the format of what was read, or the one that has room for trees."""
    return format_named(block.layout.name if _is_kept(block, call) else layout_after(block).name)


def _is_kept(block: Block, call: Call) -> bool:
    return block.layout.name == _WITHOUT_TREES and not (call.confidence or call.k_best)


def parsed_pieces(
    step: Step,
    blocks: Iterator[Block],
    format: Format | None,
    as_read: Sequence[str],
    threads: int,
    call: Call,
) -> Iterator[Block | bytes]:
    """Parse blocks and yield what is to be written: bytes where the format is kept, else blocks to convert."""
    name = None if format is None else format.name
    for block, text in parsed_in_order(step, blocks, threads, call):
        layout = layout_after(block)
        if name is None and _is_kept(block, call):
            yield format_named(_WITHOUT_TREES).writer().write(Block(text, layout, block.source, block.first_line))
            continue
        name = name or layout.name
        if layout.name == name and name in as_read:
            yield text
        else:
            yield Block(text, layout, block.source, block.first_line)
