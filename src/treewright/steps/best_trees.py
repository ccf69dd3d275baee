"""Several trees of a sentence, best first, and how they are written."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple

from treewright.steps.parser import as_bytes, one_sentence
from treewright.treebank.blocks.block import Block

if TYPE_CHECKING:
    from treewright.steps.call import Call
    from treewright.steps.step import Step
    from treewright.treebank.sentences.sentence import Sentence


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


def scored_trees(step: Step, block: Block, call: Call) -> list[ScoredTree]:
    """Return the k best trees of a block's first sentence, best first."""
    from treewright.treebank.sentences.sentence import Sentence

    block, call = step._prepared(block, call)
    alone, relations = one_sentence(block, 0), as_bytes(step.relations)
    return [
        ScoredTree(
            Sentence.from_conllu(alone.with_tree(tree.heads, tree.labels, relations)), tree.score, tree.probability
        )
        for tree in step.best_trees(block, 0, call)
    ]


def k_best_text(block: Block, number: int, trees: Iterable[BestTree], relations: Sequence[str]) -> bytes:
    """Return a sentence as often as it has trees, with comments that show rank, score and probability.

    In formats without comments the trees of a sentence just follow each other.
    """
    alone, known = one_sentence(block, number), as_bytes(relations)
    parts: list[bytes] = []
    for rank, tree in enumerate(trees, 1):
        text = alone.with_tree(tree.heads, tree.labels, known)
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
