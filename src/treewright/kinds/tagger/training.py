"""Training a tagger on the columns that a treebank has filled."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from functools import cached_property
from typing import Any

from treewright.errors import CombinationError, TreebankError
from treewright.features.word_clusters import WordClusters
from treewright.kinds.tagger.composition import add_composed
from treewright.kinds.tagger.corpus import LEAST_SEEN, build_lexicon, form_counts, open_tags, read_words
from treewright.kinds.tagger.lemmas.lemma_training import known_lemmas, train_lemmatizer
from treewright.kinds.tagger.lemmas.lemmatizer import Lemmatizer
from treewright.kinds.tagger.online import RevisionTrainer, StructuredTrainer, TaggerTrainer
from treewright.kinds.tagger.recipe import TaggerRecipe
from treewright.kinds.tagger.tagger import COLUMNS, ONE_BY_ONE, Tagger, decoder_for
from treewright.kinds.tagger.tags import TagSet
from treewright.kinds.tagger.vocabulary import name_tags
from treewright.learners.estimator import Estimator
from treewright.learners.frozen import FrozenWeights, freeze, thaw
from treewright.learners.perceptron import Perceptron
from treewright.steps.step import Step
from treewright.training.cluster_training import kept_clusters
from treewright.training.gathering import MADE, Gathered, own_part
from treewright.training.loop import Training
from treewright.training.observer import BarOnly, DevScore, TrainingObserver
from treewright.training.repeated import MeanOfTrainings, RepeatedTraining, number_of_rounds, number_of_trainings
from treewright.training.strategy import Advanced, Strategy, going_on_from, in_batches, share
from treewright.treebank.blocks.block import Block

#: for ways of choosing tags one by one; others search
TRAINERS: dict[str, type[TaggerTrainer]] = {"greedy": TaggerTrainer, "twice": RevisionTrainer}
MANY = 100_000  # words; in smaller treebanks weights stay small and every feature is kept


class TaggerStrategy(MeanOfTrainings, Strategy[FrozenWeights, Tagger]):
    """Learns tags from left to right; lemmas follow when the tags are learnt."""

    step = "tagger"
    counted = "wrong tags"
    selects = False
    recipe: TaggerRecipe

    def __init__(self, recipe: TaggerRecipe, base: Tagger | None = None) -> None:
        self.recipe, self.base = recipe, base
        self.rounds = 0
        self.dev: list[Block] = []

    def prepare(self, data: Gathered, dev: Gathered | None, observer: TrainingObserver) -> None:
        """Number tags, list known words, and make what learns."""
        blocks = [block for block in data.blocks if block.n_words]
        self.filled = filled_columns(Gathered(data.name, blocks))
        self.clusters = kept_clusters(self.base, data.clusters, "tagger")
        old = self.base
        if old is not None and old.columns != self.filled:
            raise CombinationError(
                f"the tagger to go on from fills {', '.join(old.columns)}, and the treebank {', '.join(self.filled)}"
            )
        if old is not None:
            _check_search(old, self.recipe)
        self.words = read_words(blocks, old.tags.tags) if old is not None else read_words(blocks)
        self.own = read_words(map(own_part, blocks), self.words.tags)
        read = read_words((own_part(block, (MADE,)) for block in blocks), self.words.tags)
        composed = add_composed(self.words) if self.recipe.compose else range(0)
        self.composed = [*(old.composed if old is not None else ()), *composed]
        self.tags = TagSet(self.words.tags, composed=self.composed)
        self.lexicon = build_lexicon(read, old.lexicon if old is not None else None, self.recipe.closed_from)
        self.open = open_tags(self.words, [*(old.open_tags if old is not None else ()), *composed])
        self.known = known_lemmas(self.own, self.tags, old.known if old is not None else None)
        self.counts = form_counts(self.words, read)
        #: what would be unknown of a text like this one: words that the lexicon would not have without this occurrence,
        #: and names
        names = name_tags(self.words.tags)
        unseen = sum(
            count <= LEAST_SEEN or names[tag] for count, tag in zip(self.counts, self.words.tag_of, strict=True)
        )
        self.unseen = round(share(unseen, len(self.counts)), 3)
        trainings = number_of_trainings(self.recipe.seeds, data.n_words)
        self.repeated = RepeatedTraining(trainings, number_of_rounds(self.recipe.iterations, data.n_words))
        self.rounds = self.repeated.rounds
        self.begin_training(self.recipe.seed)
        self.dev = dev.blocks if dev is not None else []

    def begin_training(self, seed: int) -> None:
        """Make what learns, with nothing learnt yet but what the tagger to go on from knows."""
        old, recipe = self.base, self.recipe
        self.learner = Perceptron(
            1, self.tags.n_components, recipe.cutoff, old.weights.n_lines if old is not None else 0
        )
        if old is not None:
            thaw(old.weights, self.learner, array("i", range(old.tags.n_components + 1)))
        parts = (self.tags, self.lexicon, self.learner, self.open, self.known, self.clusters)
        self.trainer = TRAINERS.get(recipe.search, StructuredTrainer)(
            decoder_for(parts, recipe.search, recipe.width),
            self.learner,
            self.words.blocks,
            self.words.tag_of,
            seed,
            recipe.margin,
            recipe.dropout,
            self.counts,
        )

    def learn(self, number: int, advanced: Advanced) -> float:
        """Learn for one round; return the share of wrong tags."""
        if self.repeated.begins_again(number):
            self.repeated.add(self.learner)
            self.begin_training(self.recipe.seed + (number - 1) // self.repeated.rounds_of_one)
        self.trainer.start_round()
        in_batches(self.trainer.learn, self.trainer.n_sentences, self.batch_size, advanced)
        return share(self.trainer.mistakes, self.trainer.decisions)

    def kept(self, learner: Perceptron) -> FrozenWeights:
        """Return averaged weights, in large treebanks without small ones."""
        return freeze(learner, self.recipe.least if len(self.words.tag_of) >= MANY else 0.0)

    def score_under_way(self) -> DevScore:
        """DevScore the training under way on dev."""
        return self.score(self.kept(self.learner))

    def score(self, weights: FrozenWeights) -> DevScore:
        """Return the share of words whose column is right, for every column that the tagger fills."""
        shown = column_accuracy(self.finish(weights, {}), self.dev)
        return DevScore(sum(shown.values()), shown)

    def finish(self, weights: FrozenWeights, info: dict[str, Any]) -> Tagger:
        """Return the tagger, with a lemmatiser where the treebank has lemmas."""
        lemmatizer, lemma_weights = self._lemmas
        return Tagger(
            self.tags,
            self.lexicon,
            self.open,
            weights,
            self.filled,
            lemmatizer,
            lemma_weights,
            self.known,
            self.clusters,
            self.recipe.search,
            self.recipe.width,
            self.composed,
            {**info, "unseen": self.unseen},
        )

    @cached_property
    def _lemmas(self) -> tuple[Lemmatizer, FrozenWeights] | tuple[None, None]:
        """The lemmatiser, where the treebank has lemmas. It learns from gold tags, so one is enough for all rounds."""
        if "LEMMA" not in self.filled:
            return None, None
        return train_lemmatizer(
            self.own, self.tags, self.known, self.recipe.seed, self._old_lemmas(), self.lexicon, self.clusters
        )

    def _old_lemmas(self) -> tuple[Lemmatizer, FrozenWeights] | None:
        if self.base is None or self.base.lemmatizer is None or self.base.lemma_weights is None:
            return None
        return self.base.lemmatizer, self.base.lemma_weights


def _check_search(old: Tagger, recipe: TaggerRecipe) -> None:
    """Reject another search than that of the tagger to go on from: its weights were learnt for its own.

    A second pass can be learnt in addition.
    """
    searches = old.search not in ONE_BY_ONE
    goes_on = old.search == recipe.search or (old.search, recipe.search) == ("greedy", "twice")
    if not goes_on or (searches and old.width != recipe.width):
        width = f" --tagger-width {old.width}" if searches else ""
        raise CombinationError(
            f"the tagger to go on from chooses tags in its own way: give --tagger-search {old.search}{width}"
        )


def train_tagger(
    blocks: Iterable[Block],
    recipe: TaggerRecipe | None = None,
    base: Tagger | None = None,
    clusters: WordClusters | None = None,
) -> Tagger:
    """Train a tagger on the columns that a treebank has filled."""
    data = Gathered("data", list(blocks), clusters=clusters)
    return Training(TaggerStrategy(recipe or TaggerRecipe(), base), data, observer=BarOnly(TrainingObserver())).run()


def filled_columns(data: Gathered) -> list[str]:
    """Return those of LEMMA, UPOS, XPOS and FEATS that a treebank has filled."""
    if not data.n_words:
        raise TreebankError("no words to learn tags from", remedy="Give a treebank with sentences")
    found = data.filled(COLUMNS)
    if not set(found) - {"LEMMA"}:
        raise TreebankError(
            "no tags to learn from", source=data.blocks[0].source, remedy="A tagger needs UPOS, XPOS or FEATS"
        )
    return found


def column_accuracy(tagger: Tagger, blocks: Iterable[Block]) -> dict[str, float]:
    """Return the share of words, in per cent, whose column is right, for every column the tagger fills."""
    right: dict[str, int] = dict.fromkeys(tagger.columns, 0)
    words = 0
    for block in blocks:
        tagged = tagger.tagged(block)
        words += block.n_words
        for column in tagger.columns:
            place = block.layout.index(column)
            right[column] += sum(block.value(word, place) == tagged.value(word, place) for word in range(block.n_words))
    return {column: 100 * count / max(1, words) for column, count in right.items()}


def strategy(recipe: TaggerRecipe, base: Step | None = None, estimator: Estimator | None = None) -> Strategy[Any, Any]:
    """Return what trains a tagger by a recipe, going on from another where one is given."""
    return TaggerStrategy(recipe, going_on_from(Tagger, base))
