"""Jack-knifing: what the steps of a pipeline learn from has the errors of the steps before them.

A parser trained on gold tags trusts them too much (Goldberg & Nivre 2012), and so do graphs that are trained on gold
trees. The treebank is cut into parts; each is tagged, or parsed, by a step trained on the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise

from treewright.errors import CombinationError
from treewright.kinds.tagger.recipe import TaggerRecipe
from treewright.kinds.tagger.tagger import Tagger
from treewright.kinds.tagger.training import train_tagger
from treewright.kinds.transition.recipe import TransitionRecipe
from treewright.options.recipe import Recipe
from treewright.steps.step import Step
from treewright.training.gathering import Gathered, own_part
from treewright.training.observer import TrainingObserver
from treewright.training.strategy import going_on_from
from treewright.training.trainer import trainer_for
from treewright.treebank.blocks.block import Block

ROUNDS = 5  # of the taggers and parsers, at most
PARTS = 2  # to be parsed: more parts take longer, and graphs gain little (chosen on the dev set of cs_cltt)
Blocks = Sequence[Block]


def jackknifed(
    data: Gathered,
    parts: int,
    recipe: Recipe,
    observer: TrainingObserver | None = None,
    base: Step | None = None,
) -> list[Block]:
    """Return the treebank with tags of taggers that have not seen them, part by part."""
    check_parts(data, parts)
    assert isinstance(recipe, TaggerRecipe)
    shorter = replace(recipe, iterations=min(recipe.iterations or ROUNDS, ROUNDS), seeds=1)

    def tags(others: Blocks) -> Callable[[Block], Block]:
        return train_tagger(others, shorter, going_on_from(Tagger, base), data.clusters).tagged

    return _by_parts(data, parts, tags, observer or TrainingObserver(), "jack-knife")


def parsed_apart(data: Gathered, seed: int, observer: TrainingObserver) -> list[Block]:
    """Return the treebank's own sentences with trees of greedy parsers that have not seen them, part by part."""
    recipe = TransitionRecipe(iterations=ROUNDS, seeds=1, seed=seed).completed()

    def trees(others: Blocks) -> Callable[[Block], Block]:
        silent = TrainingObserver()
        parser = trainer_for(recipe).run(Gathered(data.name, [*others]), None, silent, {})
        return lambda block: parser.parse_block(own_part(block))

    return _by_parts(data, PARTS, trees, observer, "jack-knife of trees")


def _by_parts(
    data: Gathered,
    parts: int,
    trained: Callable[[Blocks], Callable[[Block], Block]],
    observer: TrainingObserver,
    title: str,
) -> list[Block]:
    """Return the blocks of a treebank, cut into parts, as what was trained on the other parts gives them."""
    pieces = [Block(text, block.layout, block.source) for block in data.blocks for text in _cut(block, parts)]
    groups = [pieces[number::parts] for number in range(parts)]
    observer.begun(title, data.n_sentences)
    done: dict[int, Block] = {}
    for number, group in enumerate(groups):
        step = trained([block for other, blocks in enumerate(groups) if other != number for block in blocks])
        for block in group:
            done[id(block)] = step(block)
        observer.advanced(sum(block.n_sentences for block in group))
    return [done[id(block)] for block in pieces]


def check_parts(data: Gathered, parts: int) -> None:
    """Reject a treebank that leaves a part empty, before anything is trained."""
    filled = {
        number for block in data.blocks for number, (start, end) in enumerate(_edges(block, parts)) if start < end
    }
    if len(filled) < parts:
        raise CombinationError(f"the treebank is too small to be cut into {parts} parts: use --jackknife 0")


def _edges(block: Block, parts: int) -> list[tuple[int, int]]:
    """Return the first sentences and the ends of stretches of about equal size."""
    return list(pairwise(block.n_sentences * number // parts for number in range(parts + 1)))


def _cut(block: Block, parts: int) -> list[bytes]:
    """Cut the sentences of a block into stretches of about equal size."""
    return [b"".join(block.text_of(number) for number in range(*stretch)) for stretch in _edges(block, parts)]
