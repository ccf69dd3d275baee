"""A transition parser that advises an exact one (Nivre & McDonald 2008): templates look at its trees.

A transition parser sees the relations it has built so far, an exact one all heads a word could have: they make
different mistakes, and the second can learn where to trust the first. It must learn from trees of sentences that the
adviser has not seen: the training set is parsed in folds, each by an adviser trained on the others. The adviser's
trees are input like tags: the search stays exact.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from treewright.errors import CombinationError
from treewright.kinds.exact.parser import with_advice
from treewright.kinds.transition.learning.corpus import trees_of
from treewright.kinds.transition.parser import TransitionParser
from treewright.kinds.transition.recipe import TransitionRecipe
from treewright.kinds.transition.training import TransitionStrategy
from treewright.training.gathering import Gathered, gather
from treewright.training.loop import Training
from treewright.training.observer import BarOnly, TrainingObserver
from treewright.treebank.blocks.block import Block
from treewright.treebank.blocks.interner import Interner

BEAM = 8  # states that an adviser with a beam follows
ROUNDS = 15  # of the adviser, the best on dev being kept
ROUNDS_IN_FOLDS = 10  # of those that parse the training set, which have no dev set


def train_adviser(
    recipe: TransitionRecipe, data: Gathered, dev: Gathered | None, observer: TrainingObserver
) -> TransitionParser:
    """Train an adviser on blocks with trees; with a dev set, its best round is kept."""
    complete = recipe.completed()
    single = complete.single_root
    return Training(
        TransitionStrategy(complete),
        gather(_text(data.blocks), data.blocks[0].layout.name, "fix", single),
        gather(_text(dev.blocks), dev.blocks[0].layout.name, "fix", False) if dev is not None and dev.blocks else None,
        BarOnly(observer),
    ).run({"licence": "", "description": ""})


def in_folds(recipe: TransitionRecipe, data: Gathered, folds: int, observer: TrainingObserver) -> list[Block]:
    """Return blocks with the trees of advisers that have not seen them in training."""
    blocks = data.blocks
    sentences = [(block, number) for block in blocks for number in range(block.n_sentences)]
    if len(sentences) < 2:
        raise CombinationError("an adviser needs at least two sentences to learn from: use --adviser none")
    texts: list[bytes] = [b""] * len(sentences)
    layout = blocks[0].layout
    for fold in range(min(folds, len(sentences))):
        held_out = range(fold, len(sentences), min(folds, len(sentences)))
        learnt = b"".join(_alone(*sentences[i]) for i in range(len(sentences)) if i not in held_out)
        adviser = train_adviser(recipe, Gathered("fold", [Block(learnt, layout, "fold", 1)]), None, observer)
        parsed = with_advice(adviser, Block(b"".join(_alone(*sentences[i]) for i in held_out), layout, "fold", 1))
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
