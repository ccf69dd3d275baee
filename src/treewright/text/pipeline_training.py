"""From treebank to pipeline: tokeniser, tagger, and a parser that has seen the tagger's mistakes.

*Jack-knifing* (Goldberg & Nivre 2012): a parser trained on gold tags trusts them too much. The treebank is cut into k
parts; each is tagged by a tagger trained on the others, and the parser is trained on these tags.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from typing import Any

from treewright.errors import CombinationError
from treewright.text.pipeline import Pipeline
from treewright.text.tagger.tagger import Tagger
from treewright.text.tagger.training import TaggerOptions, train_tagger
from treewright.text.tokenizer.training import train_tokenizer
from treewright.training.gathering import Gathered, gather
from treewright.training.options import TrainingOptions
from treewright.training.trainer import TrainingObserver, train
from treewright.treebank.block import Block
from treewright.treebank.source import Source

JACKKNIFE = 4


def train_pipeline(
    source: Source,
    dev: Source | None = None,
    *,
    options: TrainingOptions | None = None,
    jackknife: int = JACKKNIFE,
    tagger_options: TaggerOptions | None = None,
    on_error: str = "fail",
    format: str | None = None,
    observer: TrainingObserver | None = None,
    tell: Callable[[str], None] | None = None,
    licence: str = "",
    description: str = "",
    **choices: Any,
) -> Pipeline:
    """Train tokeniser, tagger and parser on a treebank; with a dev set, the parser's best round on it is kept.

    ``jackknife``: parts of the treebank that are tagged by taggers which have not seen them, for the parser to learn
    from; 0: it learns from gold tags. ``choices`` are fields of TrainingOptions, as for ``train``.
    """
    if jackknife == 1 or jackknife < 0:
        raise CombinationError(f"jack-knifing needs two parts at least, or 0 for gold tags, not {jackknife}")
    tell = tell or _silence
    single_root = bool(choices.get("single_root", options.single_root if options else True))
    data = gather(source, format, on_error, single_root)
    held_out = gather(dev, format, on_error, False) if dev is not None else None
    tagger_options = tagger_options or TaggerOptions()
    tokenizer = train_tokenizer(data.blocks, tell=tell)
    tagger = train_tagger(data.blocks, options=tagger_options, tell=tell)
    tagged = jackknifed(data, jackknife, tagger_options, tell) if jackknife else data.blocks
    parser = train(
        _Named(data.name, tagged),
        _Named(held_out.name, [tagger.tagged(block) for block in held_out.blocks]) if held_out is not None else None,
        options=options,
        on_error=on_error,
        observer=observer,
        licence=licence,
        description=description,
        **choices,
    )
    info = {**parser.info, "jackknife": jackknife}
    info["training"]["name"] = data.name
    if held_out is not None:
        info["dev"]["name"] = held_out.name
    return Pipeline(tokenizer, tagger, parser, info)


def jackknifed(
    data: Gathered, parts: int, options: TaggerOptions, tell: Callable[[str], None] | None = None
) -> list[Block]:
    """Return the treebank with tags of taggers that have not seen them, part by part."""
    pieces = [Block(text, block.layout, block.source) for block in data.blocks for text in _cut(block, parts)]
    groups = [pieces[number::parts] for number in range(parts)]
    if any(not any(block.n_words for block in group) for group in groups):
        raise CombinationError(f"the treebank is too small to be cut into {parts} parts: use --jackknife 0")
    done: dict[int, Block] = {}
    for number, group in enumerate(groups):
        rest = [block for other, blocks in enumerate(groups) if other != number for block in blocks]
        tagger = train_tagger(rest, options=replace(options, rounds=min(options.rounds, 5)))
        for block in group:
            done[id(block)] = tagger.tagged(block)
        if tell is not None:
            tell(f"jack-knife {number + 1}/{parts}")
    return [done[id(block)] for block in pieces]


def _cut(block: Block, parts: int) -> list[bytes]:
    """Cut the sentences of a block into so many stretches of about equal size."""
    edges = [block.n_sentences * number // parts for number in range(parts + 1)]
    return [b"".join(block.text_of(number) for number in range(start, end)) for start, end in pairwise(edges)]


class _Named(io.BytesIO):
    """Blocks as a file object with a name: what `train` reads."""

    def __init__(self, name: str, blocks: list[Block]) -> None:
        super().__init__(b"".join(block.data for block in blocks))
        self.name = name


def _silence(message: str) -> None:
    """Say nothing."""


def accuracy_of(tagger: Tagger, blocks: list[Block]) -> dict[str, float]:
    """Return the share of words, in per cent, whose column is right, for every column the tagger fills."""
    right: dict[str, int] = dict.fromkeys(tagger.columns, 0)
    words = 0
    for block in blocks:
        tagged = tagger.tagged(block)
        words += block.n_words
        for column in tagger.columns:
            place = block.layout.index(column)
            right[column] += sum(block.value(word, place) == tagged.value(word, place) for word in range(block.n_words))
    return {column: round(100 * count / max(1, words), 2) for column, count in right.items()}
