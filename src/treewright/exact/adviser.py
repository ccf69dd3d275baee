"""A greedy parser that advises an exact one (Nivre & McDonald 2008): its trees are looked at by templates.

A transition parser sees the relations it has built so far, an exact one all heads a word could have: they make
different mistakes, and the second can learn where the first is to be trusted. What it learns from must be trees of
sentences that the adviser has not seen: the training set is parsed in folds, each by an adviser trained on the others.
Trees of an adviser are input like tags: the search stays exact.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any

from treewright.errors import CombinationError
from treewright.parsing.parser import Parser
from treewright.parsing.transition import TransitionParser
from treewright.training.corpus import trees_of
from treewright.training.trainer import RoundReport, TrainingObserver, train
from treewright.treebank.block import Block
from treewright.treebank.interner import Interner

ROUNDS = 15  # of the adviser, the best on dev being kept
ROUNDS_IN_FOLDS = 10  # of those that parse the training set, which have no dev set


class _Steps(TrainingObserver):
    """Passes on how far the training of an adviser is, in sentences."""

    def __init__(self, advanced: Callable[[int], None]) -> None:
        self.tell = advanced

    def advanced(self, sentences: int) -> None:
        self.tell(sentences)

    def round_done(self, report: RoundReport) -> None:
        pass

    def interrupted(self, rounds: int) -> None:
        raise KeyboardInterrupt  # an adviser that is not done advises nobody


def train_adviser(
    blocks: Sequence[Block], dev: Sequence[Block], advanced: Callable[[int], None], **choices: Any
) -> TransitionParser:
    """Train an adviser on blocks with trees; with a dev set, its best round is kept."""
    parser = train(
        _text(blocks),
        _text(dev) or None,
        format=blocks[0].layout.name,
        observer=_Steps(advanced),
        on_error="fix",
        **choices,
    )
    assert isinstance(parser, TransitionParser)
    return parser


def with_adviser(adviser: Parser, block: Block) -> Block:
    """Return a block with the adviser's trees in it."""
    text = adviser.parse_text_block(block)
    return Block(text, block.layout, block.source, block.first_line)


def in_folds(blocks: Sequence[Block], folds: int, advanced: Callable[[int], None], **choices: Any) -> list[Block]:
    """Return blocks with the trees that advisers give them which have not seen them in training."""
    sentences = [(block, number) for block in blocks for number in range(block.n_sentences)]
    if len(sentences) < 2:
        raise CombinationError("an adviser needs at least two sentences to learn from: use --adviser none")
    texts: list[bytes] = [b""] * len(sentences)
    layout = blocks[0].layout
    for fold in range(min(folds, len(sentences))):
        held_out = range(fold, len(sentences), min(folds, len(sentences)))
        learnt = [_alone(*sentences[i]) for i in range(len(sentences)) if i not in held_out]
        adviser = train_adviser([Block(b"".join(learnt), layout, "fold", 1)], [], advanced, **choices)
        parsed = with_adviser(adviser, Block(b"".join(_alone(*sentences[i]) for i in held_out), layout, "fold", 1))
        for place, number in zip(held_out, range(parsed.n_sentences), strict=True):
            texts[place] = _alone(parsed, number)
    starts = [sum(block.n_sentences for block in blocks[:i]) for i in range(len(blocks) + 1)]
    return [
        Block(b"".join(texts[starts[i] : starts[i + 1]]), layout, block.source, block.first_line)
        for i, block in enumerate(blocks)
    ]


def heads_of(blocks: Sequence[Block]) -> array[int]:
    """Return the heads of all words of blocks, and one more number, so that there is always one."""
    heads, _ = trees_of(blocks, Interner())
    heads.append(0)
    return heads


def _alone(block: Block, number: int) -> bytes:
    return block.text_of(number).rstrip(b"\r\n") + b"\n\n"


def _text(blocks: Sequence[Block]) -> bytes:
    header = b""
    if blocks and blocks[0].layout.name == "conllu-plus":
        header = f"# global.columns = {' '.join(blocks[0].layout.columns)}\n".encode()
    return header + b"".join(_alone(block, number) for block in blocks for number in range(block.n_sentences))
