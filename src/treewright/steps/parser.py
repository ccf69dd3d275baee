"""Steps that find trees or graphs; the trees that they give for a block, and how these are written."""

from __future__ import annotations

import warnings
from array import array
from collections.abc import Iterable, Sequence
from operator import methodcaller
from typing import NamedTuple

from treewright.errors import TreewrightWarning
from treewright.steps.call import Call
from treewright.steps.step import Step
from treewright.treebank.blocks.block import Block
from treewright.treebank.blocks.misc_values import with_misc_number

CONFIDENCE = b"Confidence"


class Trees(NamedTuple):
    """Heads and relations (positions in the parser's ``relations``), word by word, for all sentences of a block."""

    block: Block
    heads: array[int]
    labels: array[int]
    confidences: array[float] | None = None  # where requested; NaN where no move gave the word its head
    more_relations: tuple[str, ...] = ()  # of given arcs, unknown to the parser: labels count on from its own

    def text(self, relations: Sequence[str]) -> bytes:
        """Return the block's text with HEAD and DEPREL (and the confidence in MISC) replaced, all else as it was."""
        block = self.block
        text = block.with_tree(self.heads, self.labels, as_bytes([*relations, *self.more_relations]))
        if self.confidences is None:
            return text
        written = Block(text, block.layout, block.source, block.first_line)
        return with_misc_number(written, CONFIDENCE, self.confidences)


def warn_uncalibrated() -> None:
    """Say that confidences are no probabilities, where there was no dev set to calibrate them on."""
    warnings.warn(
        "the model was trained without a dev set to calibrate it on: its confidences rank arcs, but are not"
        " probabilities. Train with --dev",
        TreewrightWarning,
        stacklevel=7,
    )


def empty_trees(block: Block, confidence: bool) -> Trees:
    """Return room for the trees of a block."""
    n = block.n_words
    heads, labels = array("i", bytes(4 * n)), array("i", bytes(4 * n))
    return Trees(block, heads, labels, array("f", bytes(4 * n)) if confidence else None)


def one_sentence(block: Block, number: int) -> Block:
    """Return a sentence of a block as a block of its own."""
    return Block(block.text_of(number), block.layout, block.source, block.line_of(number))


def as_bytes(relations: Iterable[str]) -> list[bytes]:
    """Return relations as they are written."""
    return list(map(methodcaller("encode", "utf-8", "surrogateescape"), relations))


class Parser(Step):
    """A step that finds trees or graphs."""


class TreeParser(Parser):
    """A parser whose result is a tree for every sentence, or several."""

    gives = ("HEAD", "DEPREL")

    def annotate(self, block: Block, call: Call) -> bytes:
        """Return the text of a block with HEAD and DEPREL replaced, all else as it was."""
        if call.k_best is None:
            return self.trees(block, call).text(self.relations)
        from treewright.steps.best_trees import k_best_text

        return b"".join(
            k_best_text(block, number, self.best_trees(block, number, call), self.relations)
            for number in range(block.n_sentences)
        )
