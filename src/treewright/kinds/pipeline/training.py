"""From treebank to pipeline: tokeniser, tagger, and a parser that has seen the tagger's mistakes.

*Jack-knifing* (Goldberg & Nivre 2012): a parser trained on gold tags trusts them too much. The treebank is cut into k
parts; each is tagged by a tagger trained on the others, and the parser is trained on these tags.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import Any

from treewright.errors import CombinationError
from treewright.features.word_clusters import WordClusters
from treewright.kinds.pipeline.recipe import PipelineRecipe, TaggerRecipe
from treewright.kinds.pipeline.short_sentences import with_short_sentences
from treewright.kinds.tagger.tagger import Tagger
from treewright.kinds.tagger.training import TaggerStrategy, train_tagger
from treewright.kinds.tokenizer.training import TokenizerStrategy
from treewright.options.recipe import Recipe
from treewright.steps.parser import Parser
from treewright.steps.pipeline import Pipeline
from treewright.training.cluster_training import learn_clusters
from treewright.training.gathering import Gathered
from treewright.training.loop import Training
from treewright.training.observer import TrainingObserver
from treewright.treebank.blocks.block import Block

JACKKNIFE_ROUNDS = 5  # of the taggers that tag the training set, at most

#: trains a parser with a recipe, on data, judged on dev
TrainParser = Callable[[Recipe, Gathered, "Gathered | None"], Parser]


def train_pipeline(
    recipe: PipelineRecipe,
    data: Gathered,
    dev: Gathered | None,
    observer: TrainingObserver,
    train_parser: TrainParser,
    about: Mapping[str, Any],
    base: Pipeline | None = None,
) -> Pipeline:
    """Train all steps on a treebank, each going on from that of ``base``; with a dev set, each is scored on it."""
    if recipe.jackknife:
        _check_parts(data, recipe.jackknife)
    old_tagger = base.tagger if base is not None else None
    old_tokenizer = base.tokenizer if base is not None else None
    clusters = learn_clusters(recipe, observer)
    tokenizing = Training(TokenizerStrategy(recipe.tokenizer, old_tokenizer, clusters), data, dev, observer)
    tokenizer = tokenizing.run()
    data = with_short_sentences(data, recipe.short_sentences, recipe.tagger.seed)
    tagging = Training(TaggerStrategy(recipe.tagger, old_tagger, clusters), data, dev, observer)
    tagger = tagging.run()
    tagged = replace(data, clusters=clusters)
    if recipe.jackknife:
        blocks = jackknifed(data, recipe.jackknife, recipe.tagger, observer, old_tagger, clusters)
        tagged = replace(tagged, blocks=blocks, gold=data.blocks)
    parser = train_parser(recipe.parser, tagged, _tagged(dev, tagger) if dev is not None else None)
    parts = replace(recipe, parser=recipe.parser)
    info = {**parser.info, **about, "recipe": {**parts.to_dict(), **parser.info["recipe"]}}
    if dev is not None:
        info["dev"] = {**info["dev"], "tokenizer": tokenizing.dev_scores(), "tagger": tagging.dev_scores()}
    return Pipeline(tokenizer, tagger, parser, info)


def _tagged(data: Gathered, tagger: Tagger) -> Gathered:
    return replace(data, blocks=[tagger.tagged(block) for block in data.blocks], gold=data.blocks)


def jackknifed(
    data: Gathered,
    parts: int,
    recipe: TaggerRecipe,
    observer: TrainingObserver | None = None,
    base: Tagger | None = None,
    clusters: WordClusters | None = None,
) -> list[Block]:
    """Return the treebank with tags of taggers that have not seen them, part by part."""
    _check_parts(data, parts)
    pieces = [Block(text, block.layout, block.source) for block in data.blocks for text in _cut(block, parts)]
    groups = [pieces[number::parts] for number in range(parts)]
    shorter = replace(recipe, iterations=min(recipe.iterations or JACKKNIFE_ROUNDS, JACKKNIFE_ROUNDS), seeds=1)
    if observer is not None:
        observer.begun("jack-knife", data.n_sentences)
    done: dict[int, Block] = {}
    for number, group in enumerate(groups):
        tagger = train_tagger(
            [block for other, blocks in enumerate(groups) if other != number for block in blocks],
            shorter,
            base,
            clusters,
        )
        for block in group:
            done[id(block)] = tagger.tagged(block)
        if observer is not None:
            observer.advanced(sum(block.n_sentences for block in group))
    return [done[id(block)] for block in pieces]


def _check_parts(data: Gathered, parts: int) -> None:
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
