"""A trained tagger: UPOS, XPOS, FEATS and lemmas for words that have none."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any

from treewright.errors import ModelFileError
from treewright.features.word_clusters import WordClusters
from treewright.kinds.tagger.columns import with_tags
from treewright.kinds.tagger.decoder import Decoder
from treewright.kinds.tagger.lemmas.lemmatizer import Lemmatizer
from treewright.kinds.tagger.lexicon import KnownLemmas, Lexicon
from treewright.kinds.tagger.revising import RevisingDecoder
from treewright.kinds.tagger.search import SearchingDecoder
from treewright.kinds.tagger.tags import TagSet
from treewright.kinds.tagger.words import EncodedWords
from treewright.kinds.transition.linear import weight_arrays, weight_part
from treewright.learners.frozen import FrozenWeights
from treewright.learners.learner import Scorer
from treewright.learners.table import LinearTable
from treewright.steps.cluster_arrays import array_of, cluster_arrays, clusters_in
from treewright.steps.pool import Pool
from treewright.treebank.blocks.block import Block

DecoderParts = tuple[TagSet, Lexicon, Scorer, "array[int]", KnownLemmas, WordClusters | None]
#: ways of choosing tags one by one; others search
ONE_BY_ONE: dict[str, Callable[..., Decoder]] = {"greedy": Decoder, "twice": RevisingDecoder}
COLUMNS = ("LEMMA", "UPOS", "XPOS", "FEATS")


class Tagger:
    """Tags words, from left to right, and finds their lemmas.

    Nothing in it changes while it works: any number of threads may share one. ``columns`` are those that it fills.
    """

    def __init__(
        self,
        tags: TagSet,
        lexicon: Lexicon,
        open_tags: array[int],
        weights: FrozenWeights,
        columns: list[str],
        lemmatizer: Lemmatizer | None,
        lemma_weights: FrozenWeights | None,
        known: KnownLemmas,
        clusters: WordClusters | None = None,
        search: str = "greedy",
        width: int = 0,
        composed: Sequence[int] = (),
    ) -> None:
        if weights.n_classes != tags.n_components:
            raise ModelFileError("the model is damaged: its weights and its tags do not fit each other")
        self.tags, self.lexicon, self.open_tags, self.weights = tags, lexicon, open_tags, weights
        self.columns, self.known, self.clusters = columns, known, clusters
        self.lemmatizer, self.lemma_weights = lemmatizer, lemma_weights
        self.search, self.width, self.composed = search, width, list(composed)
        self.decoder = decoder_for((tags, lexicon, LinearTable(weights), open_tags, known, clusters), search, width)
        self._scratches: Pool[EncodedWords] = Pool(EncodedWords)

    def with_weights(self, weights: FrozenWeights) -> Tagger:
        """Return the same tagger with other weights, such as fewer of them."""
        words = self.tags, self.lexicon, self.open_tags
        lemmas = self.lemmatizer, self.lemma_weights, self.known
        return Tagger(*words, weights, self.columns, *lemmas, self.clusters, self.search, self.width, self.composed)

    def tag_block(self, block: Block) -> array[int]:
        """Return the number of every word's tag, in ``tags.tags``."""
        out = array("i", bytes(4 * block.n_words))
        with self._scratches.borrowed() as scratch:
            self.decoder.tag(block, scratch, out)
        return out

    def tag_text_block(self, block: Block) -> bytes:
        """Return the text of a block with the tagger's columns filled, all else as it was."""
        return with_tags(block, self.tag_block(block), self.tags, self.lemmatizer, self.columns)

    def tagged(self, block: Block) -> Block:
        """Return the block with the tagger's columns filled."""
        return Block(self.tag_text_block(block), block.layout, block.source, block.first_line)

    def settings(self) -> dict[str, Any]:
        """Return what a model file keeps beside the arrays."""
        settings: dict[str, Any] = {
            "columns": self.columns,
            "tags": self.tags.tags,
            "weights": self.weights.settings,
            "lemmas": None,
        }
        if self.clusters is not None:
            settings["clusters"] = self.clusters.source
        if self.search != "greedy":
            settings["search"], settings["width"] = self.search, self.width
        if self.composed:
            settings["composed"] = self.composed
        if self.lemmatizer is not None and self.lemma_weights is not None:
            settings["lemmas"] = {"affixes": self.lemmatizer.affixes, "weights": self.lemma_weights.settings}
        return settings

    def arrays(self) -> dict[str, tuple[str, Any]]:
        """Return the arrays of a model file, each with its type."""
        lexicon = self.lexicon
        arrays: dict[str, tuple[str, Any]] = {
            "open_tags": ("I32", self.open_tags),
            "lexicon.keys": ("U64", lexicon.keys),
            "lexicon.classes": ("U16", lexicon.classes),
            "lexicon.class_start": ("I32", lexicon.class_start),
            "lexicon.class_tags": ("I32", lexicon.class_tags),
            "lexicon.class_codes": ("U64", lexicon.class_codes),
            "lexicon.closed": ("U8", lexicon.closed),
            "known.keys": ("U64", self.known.keys),
            "known.masks": ("U32", self.known.masks),
            **weight_arrays(self.weights, "weights."),
        }
        if self.clusters is not None:
            arrays.update(cluster_arrays(self.clusters))
        if self.lemmatizer is not None and self.lemma_weights is not None:
            arrays["lemmas.keys"] = ("U64", self.lemmatizer.keys)
            arrays["lemmas.rules"] = ("U16", self.lemmatizer.rules)
            arrays.update(weight_arrays(self.lemma_weights, "lemmas.weights."))
        return arrays

    @classmethod
    def restore(cls, settings: dict[str, Any], arrays: dict[str, memoryview]) -> Tagger:
        """Make a tagger from what ``settings`` and ``arrays`` gave."""
        composed = settings.get("composed", [])
        tags = TagSet(settings["tags"], composed)
        lexicon = Lexicon(
            array_of(arrays["lexicon.keys"], "Q"),
            array_of(arrays["lexicon.classes"], "H"),
            array_of(arrays["lexicon.class_start"], "i"),
            array_of(arrays["lexicon.class_tags"], "i"),
            array_of(arrays["lexicon.class_codes"], "Q"),
            bytes(arrays["lexicon.closed"]),
        )
        known = KnownLemmas(array_of(arrays["known.keys"], "Q"), array_of(arrays["known.masks"], "I"))
        lemmatizer = lemma_weights = None
        lemmas = settings["lemmas"]
        if lemmas is not None:
            lemma_weights = FrozenWeights(weight_part("lemmas.weights.", arrays), lemmas["weights"])
            lemmatizer = Lemmatizer(
                lemmas["affixes"],
                array_of(arrays["lemmas.keys"], "Q"),
                array_of(arrays["lemmas.rules"], "H"),
                LinearTable(lemma_weights),
                known,
            )
            if lemma_weights.n_classes != lemmatizer.n_guessed + 6:
                raise ModelFileError("the model is damaged: its lemma rules do not fit their weights")
        weights = FrozenWeights(weight_part("weights.", arrays), settings["weights"])
        clusters = clusters_in(arrays, settings["clusters"]) if "clusters" in settings else None
        open_tags = array_of(arrays["open_tags"], "i")
        return cls(
            tags,
            lexicon,
            open_tags,
            weights,
            settings["columns"],
            lemmatizer,
            lemma_weights,
            known,
            clusters,
            settings.get("search", "greedy"),
            settings.get("width", 0),
            composed,
        )


def decoder_for(parts: DecoderParts, search: str, width: int) -> Decoder:
    """Return a decoder that chooses tags one by one, or searches."""
    if search in ONE_BY_ONE:
        return ONE_BY_ONE[search](*parts)
    return SearchingDecoder(*parts, search=search, width=width)
