"""A treebank for training: read whole, checked, fixed or cut as the user wants it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from treewright.errors import TreebankError
from treewright.features.word_clusters import WordClusters
from treewright.treebank.blocks.block import Block
from treewright.treebank.checks.checks import is_filled
from treewright.treebank.checks.fixing import apply_policy
from treewright.treebank.checks.graph_checks import SELF_ARC
from treewright.treebank.checks.validation import check_block
from treewright.treebank.files.reading import read_blocks
from treewright.treebank.files.source import Source
from treewright.treebank.files.treebank import Treebank
from treewright.treebank.sentences.in_memory import list_of

#: one treebank, or several that are trained on as one
Sources: TypeAlias = "Source | Sequence[Source]"


@dataclass
class Gathered:
    """The blocks of a treebank that can be trained on, and what had to be done for it."""

    name: str
    blocks: list[Block] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    #: the same words with the treebank's own tags, where ``blocks`` have those of taggers
    gold: list[Block] | None = None
    #: the treebank's own sentences with trees of parsers that have not seen them, for what follows trees
    parsed: list[Block] | None = None
    #: clusters of words that raw text or word vectors told, for features
    clusters: WordClusters | None = None

    @property
    def gold_blocks(self) -> list[Block]:
        """The words with the treebank's own tags."""
        return self.blocks if self.gold is None else self.gold

    @property
    def n_sentences(self) -> int:
        """The number of sentences."""
        return sum(block.n_sentences for block in self.blocks)

    @property
    def n_words(self) -> int:
        """The number of words."""
        return sum(block.n_words for block in self.blocks)

    @property
    def own_size(self) -> tuple[int, int]:
        """The numbers of sentences and words that are the treebank's own."""
        own = [own_part(block) for block in self.blocks]
        return sum(block.n_sentences for block in own), sum(block.n_words for block in own)

    def filled(self, columns: Iterable[str]) -> list[str]:
        """Return those of the columns that hold anything."""
        return [
            column
            for column in columns
            if any(
                (place := block.layout.index(column)) >= 0 and is_filled(block, place)
                for block in self.blocks
                if block.n_words
            )
        ]


MADE = b"Made=Yes"  # in MISC of the words of sentences that are not the treebank's own


def own_part(block: Block) -> Block:
    """Return the sentences of a block that are the treebank's own: all of them in a format without MISC."""
    place = block.layout.misc
    own = [
        number
        for number in range(block.n_sentences)
        if place < 0 or all(block.value(word, place) != MADE for word in block.words_of(number)[:1])
    ]
    if len(own) == block.n_sentences:
        return block
    return Block(b"".join(map(block.text_of, own)), block.layout, block.source)


def gather(
    sources: Sources, format: str | None = None, on_error: str = "fail", single_root: bool = True, graphs: bool = False
) -> Gathered:
    """Read one or several treebanks with trees (or ``graphs``); bad sentences are reported, left out or fixed.

    Forms and lemmas are learnt in normal form.
    """
    listed = list_of(sources)
    data = Gathered(" + ".join(name_of(source) for source in listed))
    fixed = skipped = 0
    for source in listed:
        for block in read_blocks(source, None if isinstance(source, Treebank) else format):
            problems = check_block(block, need_tree=not graphs, single_root=single_root, graphs=graphs)
            if graphs and on_error == "fail":  # an arc from a word to itself is dropped, and no reason to fail
                problems = [problem for problem in problems if problem.code != SELF_ARC]
            outcome = apply_policy(block, problems, on_error)
            fixed, skipped = fixed + outcome.fixed, skipped + outcome.skipped
            if outcome.block.n_sentences:
                data.blocks.append(outcome.block.normal)
    if fixed:
        data.notes.append(f"{fixed:,} sentences fixed")
    if skipped:
        data.notes.append(f"{skipped:,} sentences left out")
    _check_learnable(data, " + ".join(shown(source) for source in listed), graphs)
    return data


def name_of(source: Source) -> str:
    """Return what a source is called in messages and in the model."""
    if isinstance(source, (str, os.PathLike)):
        return os.path.basename(os.fspath(source))
    if isinstance(source, Treebank):
        return name_of(source.source)
    return str(getattr(source, "name", "") or "data")


def shown(source: Source) -> str:
    """Return where a source is, for messages."""
    return os.fspath(source) if isinstance(source, (str, os.PathLike)) else name_of(source)


def _check_learnable(data: Gathered, source: str, graphs: bool) -> None:
    if not any(block.n_words for block in data.blocks):
        raise TreebankError(
            "no sentences to learn from",
            source=source,
            remedy="Training needs a treebank: sentences with HEAD and DEPREL",
        )
    if graphs and not data.filled(["DEPS"]):
        raise TreebankError(
            "no graphs to learn from",
            source=source,
            remedy="A graph parser learns from heads in the column DEPS; for trees choose another system",
        )
