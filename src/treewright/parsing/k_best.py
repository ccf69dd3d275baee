"""Several trees for a sentence, best first, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from treewright.treebank.block import Block

if TYPE_CHECKING:
    from treewright.parsing.beam import BeamParser, BeamScratch
    from treewright.treebank.sentence import Sentence


class ScoredTree(NamedTuple):
    """One of several trees of a sentence."""

    sentence: Sentence
    score: float  # sum of the scores of its moves, in the unit of the weights
    probability: float  # by the temperature that training fitted; those of all trees add up to what is in the beam


class TreeText(NamedTuple):
    """The text of a sentence with one of its trees."""

    text: bytes
    score: float
    probability: float


def best_texts(
    engine: BeamParser,
    block: Block,
    number: int,
    k: int,
    relations: Sequence[bytes],
    scratch: BeamScratch | None = None,
) -> Iterator[TreeText]:
    """Yield the text of a sentence with each of its k best trees."""
    scale = getattr(engine.scorer, "scale", 1.0)
    alone = Block(block.text_of(number), block.layout, block.source, block.line_of(number))
    for score, probability, heads, labels in engine.best_trees(block, number, k, scratch):
        yield TreeText(alone.with_tree(heads, labels, relations), score / scale, probability)


def k_best_text(engine: BeamParser, block: Block, k: int, relations: Sequence[bytes]) -> bytes:
    """Return the sentences of a block, each as often as it has trees, with comments that tell rank and score.

    In formats without comments the trees of a sentence just follow each other.
    """
    scratch = engine.new_scratch()
    parts: list[bytes] = []
    for number in range(block.n_sentences):
        rank = 0
        for rank, (text, score, probability) in enumerate(best_texts(engine, block, number, k, relations, scratch), 1):
            notes = f"# k_best = {rank}\n# score = {score:.4f}\n# probability = {probability:.4f}\n".encode()
            parts.append(with_comments(text, notes) if block.layout.comments else text)
        if rank == 0:
            parts.append(block.text_of(number))
    return b"".join(part.rstrip(b"\r\n") + b"\n\n" for part in parts)


def with_comments(text: bytes, notes: bytes) -> bytes:
    """Put comments behind those that a sentence has."""
    place = 0
    while text.startswith(b"#", place):
        place = text.index(b"\n", place) + 1
    return text[:place] + notes + text[place:]
