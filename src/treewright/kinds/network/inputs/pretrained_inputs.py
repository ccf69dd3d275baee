"""What a training brings to a network from elsewhere: word clusters, word vectors, an encoder of sentences.

A model keeps the clusters, and the projected vectors of the most frequent words and of those of the treebank, so that
it needs no other file. It names the folder of an encoder, which it needs to parse.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from treewright.errors import CombinationError
from treewright.features.word_clusters import WordClusters
from treewright.kinds.network.inputs.context import Context
from treewright.kinds.network.inputs.pretrained import PretrainedSettings, sentences_of
from treewright.kinds.network.network import CONTEXT
from treewright.kinds.network.recipe import EncoderRecipe
from treewright.lexicon.vectors import WordVectors, read_vectors
from treewright.steps.contract import TypedArrays
from treewright.training.cluster_training import clusters_of_raw_text
from treewright.training.gathering import Gathered
from treewright.training.observer import TrainingObserver
from treewright.treebank.blocks.block import Block

if TYPE_CHECKING:
    from treewright.kinds.network.learning.batches import TensorCorpus
    from treewright.kinds.network.learning.torch_network import LearningEncoder

MOST_READ = 200_000  # words of a file of vectors, from its beginning
ALWAYS_KEPT = 30_000  # of them, in a model; and those of the treebank


@dataclass(frozen=True)
class Pretrained:
    """What a recipe names, read once; nothing where it names nothing."""

    clusters: WordClusters | None = None
    vectors: WordVectors | None = None
    places: Sequence[int] = ()  # of the words kept, among those of the vectors
    words: Sequence[str] = field(default=())
    encoder: PretrainedSettings | None = None
    context: Context | None = None

    @staticmethod
    def of(recipe: EncoderRecipe, data: Gathered, observer: TrainingObserver) -> Pretrained:
        """Read what a recipe names."""
        clusters = clusters_of_raw_text(recipe.raw, recipe.clusters, observer) if recipe.raw else None
        encoder = _encoder(recipe) if recipe.encoder else None
        context = Context.of(recipe.pretrained) if recipe.pretrained else None
        if not recipe.vectors:
            return Pretrained(clusters, encoder=encoder, context=context)
        vectors = read_vectors(recipe.vectors, MOST_READ)
        seen = {
            form
            for block in data.blocks
            for words in sentences_of(block, 0, block.n_sentences)
            for word in words
            for form in (word, word.lower())
        }
        kept = [place for place, word in enumerate(vectors.words) if place < ALWAYS_KEPT or word in seen]
        kept = [place for place in kept if "\n" not in vectors.words[place]]
        return Pretrained(clusters, vectors, kept, [vectors.words[place] for place in kept], encoder, context)

    def join(
        self,
        network: LearningEncoder,
        recipe: EncoderRecipe,
        widths: Mapping[str, int],
        corpus: TensorCorpus,
        blocks: Sequence[Block],
    ) -> None:
        """Give a network that learns its pretrained inputs; vectors of a model to go on from stay as they are."""
        if self.vectors is not None:
            from treewright.kinds.network.learning.pretrained_torch import ProjectedVectors

            network.tables["vectors"] = ProjectedVectors(self.vectors, self.places, widths["vectors"])
        elif "vectors" in widths:
            network.tables["vectors"].requires_grad_(False)
        if self.encoder is not None:
            from treewright.kinds.network.learning.pretrained_torch import EncoderTable, encoder_for_training

            encoder = encoder_for_training(recipe.encoder, recipe.fine_tune)
            sentences = [words for block in blocks for words in sentences_of(block, 0, block.n_sentences)]
            sizes = recipe.encoder_layers, widths["encoder"]
            network.tables["encoder"] = EncoderTable(encoder, sentences, *sizes, recipe.fine_tune)
            corpus.number_rows("encoder")
        if self.context is not None:
            from treewright.kinds.network.learning.pretrained_torch import ContextTable

            network.tables[CONTEXT] = ContextTable(self.context.states(blocks), widths[CONTEXT])
            corpus.number_rows(CONTEXT)

    def kept(self, network: LearningEncoder, arrays: TypedArrays) -> TypedArrays:
        """Return the arrays of a model, in which pretrained inputs have the form that the model keeps."""
        for name, there in (("vectors", self.vectors), ("encoder", self.encoder)):
            if there is not None:
                from treewright.kinds.network.learning.pretrained_torch import EncoderTable, ProjectedVectors

                table = network.tables[name]
                assert isinstance(table, (EncoderTable, ProjectedVectors))
                start = f"tables.{name}."
                arrays = {key: values for key, values in arrays.items() if not key.startswith(start)}
                arrays |= table.kept(name)
        return arrays if self.context is None else {**arrays, **self.context.kept()}


def _encoder(recipe: EncoderRecipe) -> PretrainedSettings:
    """Return what a model says of the encoder; reject layers that it does not have."""
    import os

    from treewright.kinds.network.inputs.sentence_encoder import encoder_in, fingerprint

    folder = os.path.abspath(recipe.encoder)
    mark = fingerprint(folder)
    has = encoder_in(folder).n_layers
    if recipe.encoder_layers > has:
        raise CombinationError(f"encoder_layers is {recipe.encoder_layers}, but {recipe.encoder} has {has}")
    return {"folder": folder, "fingerprint": mark, "layers": recipe.encoder_layers}
