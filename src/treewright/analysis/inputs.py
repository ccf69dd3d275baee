"""The input of an analysis: a gold treebank with one or two parses of it, or models that parse it on the fly."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import tee
from typing import TypeAlias

from treewright.evaluation.comparison import Comparison, Names
from treewright.evaluation.side import Labels
from treewright.evaluation.stretches import Cursor, name_of, one_ends
from treewright.steps.named_models import is_model_file
from treewright.steps.step import Step
from treewright.treebank.blocks.block import Block
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.source import Source

#: a parse: a treebank, or a parser (or its file) that makes one of the gold words
Analysed: TypeAlias = "Source | Step"


@dataclass(frozen=True)
class Piece:
    """Some sentences with their gold trees and the trees of one or two parses."""

    first: Comparison
    second: Comparison | None

    @property
    def parses(self) -> list[Comparison]:
        """The comparison of each parse."""
        return [self.first] if self.second is None else [self.first, self.second]


def opened(given: Analysed) -> Analysed:
    """Load the parser if a model file was given; return anything else unchanged."""
    if isinstance(given, (str, os.PathLike)) and is_model_file(given):
        return Step.load(given)
    return given


def label_of(given: Analysed, otherwise: str) -> str:
    """Return the name of a parse in tables."""
    return otherwise if isinstance(given, Step) else name_of(given) or otherwise


def pieces(
    gold: Source, parses: Sequence[Analysed], names: Names, watch: Callable[[Block], None] | None = None
) -> Iterator[Piece]:
    """Yield sentences side by side, as a stream; ``watch`` is called with every gold block.

    All inputs must have the same sentences; the error says where they differ.
    """
    n_parsers = sum(isinstance(given, Step) for given in parses)
    own, *copies = tee(read_blocks(gold), 1 + n_parsers)  # read at one pace: tee keeps some tens of blocks, not all
    labels = Labels()
    cursors = [Cursor(_watched(own, watch), labels, multiple_roots=True)]
    cursors[0].name = name_of(gold)
    for given in parses:
        stream = given.parse_blocks(copies.pop()) if isinstance(given, Step) else given
        cursors.append(Cursor(stream, labels, multiple_roots=True))
    yield from _side_by_side(cursors, names)


def _watched(blocks: Iterable[Block], watch: Callable[[Block], None] | None) -> Iterator[Block]:
    for block in blocks:
        if watch is not None:
            watch(block)
        yield block


def _side_by_side(cursors: list[Cursor], names: Names) -> Iterator[Piece]:
    while True:
        ready = [cursor.ready() for cursor in cursors]
        sides = [side for side in ready if side is not None]
        if not sides:
            return
        if len(sides) < len(cursors):
            raise one_ends(cursors, "Give treebanks of the same sentences")
        count = min(side.block.n_sentences - cursor.sentence for side, cursor in zip(sides, cursors, strict=True))
        gold, start = sides[0].block, cursors[0].sentence
        pairs = [
            Comparison(gold, start, side.block, cursor.sentence, count, names)
            for side, cursor in zip(sides[1:], cursors[1:], strict=True)
        ]
        for cursor in cursors:
            cursor.sentence += count
        yield Piece(pairs[0], pairs[1] if len(pairs) > 1 else None)
