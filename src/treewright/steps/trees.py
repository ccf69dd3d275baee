"""The trees that a parser gives for a block, and how they are written."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from treewright.treebank.blocks.block import Block
from treewright.treebank.blocks.misc_values import with_misc_number

if TYPE_CHECKING:
    from treewright.treebank.sentences.sentence import Sentence

CONFIDENCE = b"Confidence"


class Trees(NamedTuple):
    """Heads and relations (positions in the parser's ``relations``), word by word, for all sentences of a block."""

    block: Block
    heads: array[int]
    labels: array[int]
    confidences: array[float] | None = None  # where requested; NaN where no move gave the word its head
    more_relations: tuple[str, ...] = ()  # of given arcs, unknown to the parser: labels count on from its own

    def text(self, relations: Sequence[bytes]) -> bytes:
        """Return the block's text with HEAD and DEPREL (and the confidence in MISC) replaced, all else as it was."""
        block = self.block
        more = [relation.encode("utf-8", "surrogateescape") for relation in self.more_relations]
        text = block.with_tree(self.heads, self.labels, [*relations, *more])
        if self.confidences is None:
            return text
        written = Block(text, block.layout, block.source, block.first_line)
        return with_misc_number(written, CONFIDENCE, self.confidences)


class BestTree(NamedTuple):
    """One of several trees of a sentence."""

    heads: array[int]
    labels: array[int]
    score: float  # the sum of the scores of its moves or parts
    probability: float | None  # by the temperature that training fitted, where the parser has one


class ScoredTree(NamedTuple):
    """One of several trees of a sentence, as a user gets it."""

    sentence: Sentence
    score: float
    probability: float | None


def empty_trees(block: Block, confidence: bool) -> Trees:
    """Return room for the trees of a block."""
    n = block.n_words
    heads, labels = array("i", bytes(4 * n)), array("i", bytes(4 * n))
    return Trees(block, heads, labels, array("f", bytes(4 * n)) if confidence else None)


def one_sentence(block: Block, number: int) -> Block:
    """Return a sentence of a block as a block of its own."""
    return Block(block.text_of(number), block.layout, block.source, block.line_of(number))


def k_best_text(block: Block, number: int, trees: Iterable[BestTree], relations: Sequence[bytes]) -> bytes:
    """Return a sentence as often as it has trees, with comments that show rank, score and probability.

    In formats without comments the trees of a sentence just follow each other.
    """
    alone = one_sentence(block, number)
    parts: list[bytes] = []
    for rank, tree in enumerate(trees, 1):
        text = alone.with_tree(tree.heads, tree.labels, relations)
        if block.layout.comments:
            notes = f"# k_best = {rank}\n# score = {tree.score:.4f}\n"
            if tree.probability is not None:
                notes += f"# probability = {tree.probability:.4f}\n"
            text = with_comments(text, notes.encode())
        parts.append(text)
    return b"".join(part.rstrip(b"\r\n") + b"\n\n" for part in parts or [alone.data])


def with_comments(text: bytes, notes: bytes) -> bytes:
    """Put comments behind those that a sentence has."""
    place = 0
    while text.startswith(b"#", place):
        place = text.index(b"\n", place) + 1
    return text[:place] + notes + text[place:]
