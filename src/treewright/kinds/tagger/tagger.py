"""A trained tagger: UPOS, XPOS, FEATS and lemmas for words that have none."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

from treewright.errors import ModelFileError
from treewright.features.word_clusters import WordClusters
from treewright.kinds.tagger.columns import with_tags
from treewright.kinds.tagger.decoder import Decoder
from treewright.kinds.tagger.lemmas.lemmatizer import Lemmatizer
from treewright.kinds.tagger.lexicon import KnownLemmas, Lexicon
from treewright.kinds.tagger.revising import RevisingDecoder
from treewright.kinds.tagger.search import SearchingDecoder
from treewright.kinds.tagger.tags import TagSet
from treewright.kinds.tagger.vocabulary import familiarity_of, lexicon_in, name_tags
from treewright.kinds.tagger.words import EncodedWords
from treewright.learners.frozen import FrozenWeights
from treewright.learners.learner import Scorer
from treewright.learners.table import LinearTable
from treewright.steps.blocks import lacks_tags
from treewright.steps.call import PLAIN, TAGS, Call, all_but
from treewright.steps.kept_arrays import array_of, cluster_arrays, clusters_in, weight_arrays, weights_in
from treewright.steps.pool import Pool
from treewright.steps.step import Step
from treewright.treebank.blocks.block import Block

if TYPE_CHECKING:
    from treewright.steps.contract import Arrays, Header, TypedArrays
    from treewright.steps.familiarity import Familiarity

DecoderParts = tuple[TagSet, Lexicon, Scorer, "array[int]", KnownLemmas, WordClusters | None]
#: ways of choosing tags one by one; others search
ONE_BY_ONE: dict[str, Callable[..., Decoder]] = {"greedy": Decoder, "twice": RevisingDecoder}
COLUMNS = ("LEMMA", "UPOS", "XPOS", "FEATS")


class Tagger(Step):
    """Tags words, from left to right, and finds their lemmas. ``columns`` are those that it fills."""

    kind: ClassVar[str] = "tagger"
    role = "tagger"
    _LACKS: ClassVar[Mapping[str, str]] = all_but(TAGS, "a tagger only finds tags and lemmas")

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
        info: dict[str, Any] | None = None,
    ) -> None:
        super().__init__({}, info or {})
        if weights.n_classes != tags.n_components:
            raise ModelFileError("the model is damaged: its weights and its tags do not fit each other")
        self.tags, self.lexicon, self.open_tags, self.weights = tags, lexicon, open_tags, weights
        self.columns, self.known, self.clusters = columns, known, clusters
        self.gives = tuple(columns)
        self.lemmatizer, self.lemma_weights = lemmatizer, lemma_weights
        self.search, self.width, self.composed = search, width, list(composed)
        self.decoder = decoder_for((tags, lexicon, LinearTable(weights), open_tags, known, clusters), search, width)
        self._scratches: Pool[EncodedWords] = Pool(EncodedWords)

    def with_weights(self, weights: FrozenWeights) -> Tagger:
        """Return the same tagger with other weights, such as fewer of them."""
        words = self.tags, self.lexicon, self.open_tags
        lemmas = self.lemmatizer, self.lemma_weights, self.known
        how = self.search, self.width, self.composed
        return Tagger(*words, weights, self.columns, *lemmas, self.clusters, *how, self.info)

    def _applies(self, block: Block, call: Call) -> bool:
        """Does a block lack tags, or is it to be tagged again?"""
        return lacks_tags(block, call.tag)

    def _familiarity(self, block: Block) -> Familiarity:
        """Return how many of the first words of a block the lexicon has."""
        return familiarity_of(block, self.lexicon, self._names, self.info)

    @cached_property
    def _names(self) -> bytes:
        return name_tags(self.tags.tags)

    def tag_block(self, block: Block) -> array[int]:
        """Return the number of every word's tag, in ``tags.tags``."""
        out = array("i", bytes(4 * block.n_words))
        with self._scratches.borrowed() as scratch:
            self.decoder.tag(block.normal, scratch, out)
        return out

    def annotate(self, block: Block, call: Call = PLAIN) -> bytes:
        """Return the text of a block with the tagger's columns filled, all else as it was."""
        return with_tags(block, self.tag_block(block), self.tags, self.lemmatizer, self.columns)

    def tagged(self, block: Block) -> Block:
        """Return the block with the tagger's columns filled."""
        return Block(self.annotate(block), block.layout, block.source, block.first_line)

    def _details(self) -> dict[str, Any]:
        """Return what `treewright info` shows besides ``info``."""
        sizes = {"tags": len(self.tags), "features": len(self.weights), "known_words": len(self.lexicon)}
        details = {"columns": self.columns, **sizes}
        return details if self.clusters is None else {**details, "clusters": self.clusters.n_clusters}

    # Files

    def to_file(self) -> tuple[Header, TypedArrays]:
        """Return what a model file keeps of the tagger: its header, and its arrays with their types."""
        return {"kind": self.kind, "settings": self._kept_settings(), "info": self.info}, self._kept_arrays()

    def _kept_settings(self) -> dict[str, Any]:
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

    def _kept_arrays(self) -> TypedArrays:
        lexicon = self.lexicon
        arrays: TypedArrays = {
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
            if self.lemmatizer.endings is not None and self.lemmatizer.times is not None:
                arrays["lemmas.endings"] = ("U64", self.lemmatizer.endings)
                arrays["lemmas.times"] = ("U16", self.lemmatizer.times)
            arrays.update(weight_arrays(self.lemma_weights, "lemmas.weights."))
        return arrays

    @classmethod
    def from_file(cls, header: Header, arrays: Arrays) -> Tagger:
        """Return the tagger that a model file holds."""
        settings = header["settings"]
        composed = settings.get("composed", [])
        tags = TagSet(settings["tags"], composed)
        lexicon = lexicon_in(arrays)
        known = KnownLemmas(array_of(arrays["known.keys"], "Q"), array_of(arrays["known.masks"], "I"))
        clusters = clusters_in(arrays, settings["clusters"]) if "clusters" in settings else None
        lemmatizer = lemma_weights = None
        lemmas = settings["lemmas"]
        if lemmas is not None:
            lemma_weights = weights_in(arrays, lemmas["weights"], "lemmas.weights.")
            lemmatizer = Lemmatizer(
                lemmas["affixes"],
                array_of(arrays["lemmas.keys"], "Q"),
                array_of(arrays["lemmas.rules"], "H"),
                LinearTable(lemma_weights),
                known,
                array_of(arrays["lemmas.endings"], "Q") if "lemmas.times" in arrays else None,
                array_of(arrays["lemmas.times"], "H") if "lemmas.times" in arrays else None,
                lexicon,
                clusters,
            )
            if lemmatizer.n_known not in (2, 3):
                raise ModelFileError("the model is damaged: its lemma rules do not fit their weights")
        weights = weights_in(arrays, settings["weights"], "weights.")
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
            header["info"],
        )


def decoder_for(parts: DecoderParts, search: str, width: int) -> Decoder:
    """Return a decoder that chooses tags one by one, or searches."""
    if search in ONE_BY_ONE:
        return ONE_BY_ONE[search](*parts)
    return SearchingDecoder(*parts, search=search, width=width)
