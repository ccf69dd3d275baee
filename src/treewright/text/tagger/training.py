"""From treebank to tagger."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from treewright.errors import TreebankError
from treewright.learners.frozen import freeze
from treewright.learners.perceptron import Perceptron
from treewright.text.tagger.corpus import build_lexicon, open_tags, read_words
from treewright.text.tagger.decoder import Decoder
from treewright.text.tagger.lemma_training import train_lemmatizer
from treewright.text.tagger.online import TaggerTrainer
from treewright.text.tagger.tagger import COLUMNS, Tagger
from treewright.text.tagger.tags import TagSet
from treewright.treebank.block import Block
from treewright.treebank.checks import is_filled


@dataclass(frozen=True)
class TaggerOptions:
    """The recipe of a tagger."""

    rounds: int = 8
    cutoff: int = 2
    margin: float = 100.0
    seed: int = 1
    least: float = 2.0  # weight that a feature needs to be kept, where there are many
    many: int = 20_000  # words; in smaller treebanks weights stay small and every feature is kept


def train_tagger(
    blocks: Iterable[Block], *, options: TaggerOptions | None = None, tell: Callable[[str], None] | None = None
) -> Tagger:
    """Train a tagger on the columns that a treebank has filled."""
    options = options or TaggerOptions()
    blocks = [block for block in blocks if block.n_words]
    columns = filled_columns(blocks)
    words = read_words(blocks)
    tags, lexicon, others = TagSet(words.tags), build_lexicon(words), open_tags(words)
    learner = Perceptron(1, tags.n_components, options.cutoff)
    trainer = TaggerTrainer(
        Decoder(tags, lexicon, learner, others), learner, blocks, words.tag_of, options.seed, options.margin
    )
    for number in range(1, options.rounds + 1):
        trainer.start_round()
        trainer.learn(0, trainer.n_sentences)
        if tell is not None:
            wrong = 100 * trainer.mistakes / max(1, trainer.decisions)
            tell(f"tagger {number:3d}/{options.rounds}  wrong tags {wrong:5.2f} %")
    weights = freeze(learner, options.least if len(words.tag_of) >= options.many else 0.0)
    lemmatizer = lemma_weights = None
    if "LEMMA" in columns:
        lemmatizer, lemma_weights = train_lemmatizer(words, tags, options.seed)
    return Tagger(tags, lexicon, others, weights, columns, lemmatizer, lemma_weights)


def filled_columns(blocks: list[Block]) -> list[str]:
    """Return those of LEMMA, UPOS, XPOS and FEATS that a treebank has filled."""
    if not blocks:
        raise TreebankError("no words to learn tags from", remedy="Give a treebank with sentences")
    found = [
        column
        for column in COLUMNS
        if any((place := block.layout.index(column)) >= 0 and is_filled(block, place) for block in blocks)
    ]
    if not set(found) - {"LEMMA"}:
        raise TreebankError(
            "no tags to learn from", source=blocks[0].source, remedy="A tagger needs UPOS, XPOS or FEATS"
        )
    return found
