"""What the trainings of all networks share: the words that a network knows, and rounds of learning in PyTorch."""

from __future__ import annotations

import importlib
import random
from array import array
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeVar

from treewright.errors import CombinationError, MissingExtraError
from treewright.kinds.network.inputs.context import Context
from treewright.kinds.network.inputs.pretrained_inputs import Pretrained
from treewright.kinds.network.inputs.vocabulary import INPUTS, Vocabulary
from treewright.kinds.network.network import (
    CONTEXT,
    ENCODER,
    EncoderNetwork,
    EncoderSettings,
    Weights,
    vocabulary_arrays,
)
from treewright.kinds.network.recipe import MOST_ROUNDS, EncoderRecipe
from treewright.recipes.catalogue import known_of
from treewright.steps.contract import TypedArrays
from treewright.steps.step import Step
from treewright.training.gathering import Gathered
from treewright.training.observer import DevScore, TrainingObserver
from treewright.training.strategy import Advanced, Strategy, share
from treewright.treebank.blocks.block import Block

if TYPE_CHECKING:
    from treewright.kinds.network.learning.learning import Learning
    from treewright.kinds.network.learning.torch_network import DropoutShares, LearningEncoder

WORDS_READ = 1_200_000  # by all rounds together, unless the recipe says how many rounds
FEWEST_ROUNDS = 18
Model = TypeVar("Model", bound=Step)


class EncoderStrategy(Strategy[TypedArrays, Model]):
    """Learns the weights of a network that reads sentences."""

    recipe: EncoderRecipe
    learning: Learning
    vocabulary: Vocabulary
    pretrained = Pretrained()

    def start_encoder(self, recipe: EncoderRecipe, base: Model | None) -> None:
        """Note what the network will look at, and the model to go on from."""
        check_torch()
        self.base = base
        if base is not None:
            recipe.check_goes_on(known_of(base.info.get("recipe", {})))
        self.recipe = recipe
        self.rounds = recipe.iterations or MOST_ROUNDS
        self.widths = {name: width for name, width in recipe.widths().items() if width}
        self.columns = tuple(dict.fromkeys(INPUTS[name].column for name in self.widths))

    def know_words(self, data: Gathered, base: EncoderNetwork | None, observer: TrainingObserver) -> None:
        """Number what the treebank has, or keep the numbers of a network to go on from."""
        recipe, self.n_words = self.recipe, data.n_words
        if base is not None:
            if recipe.encoder or base.pretrained is not None:
                raise CombinationError("a network with --encoder cannot be trained further: leave --init-from out")
            if recipe.raw or recipe.vectors or recipe.pretrained:
                raise CombinationError(
                    "a training that goes on keeps the model's clusters, vectors and language model: leave them out"
                )
            self.vocabulary, self.widths = base.vocabulary, base.widths
            if base.context is not None:
                self.pretrained = Pretrained(context=Context(base.context, base.context_settings))
            return
        self.pretrained = Pretrained.of(recipe, data, observer)
        self.vocabulary = Vocabulary.of(
            data.blocks, recipe.cutoff, recipe.buckets, self.pretrained.clusters, self.pretrained.words
        )
        self.widths = self.vocabulary.filled(self.widths)

    def encoder_settings(self) -> EncoderSettings:
        """Return what a model's header says of the encoder."""
        recipe = self.recipe
        settings: EncoderSettings = {
            "widths": self.widths,
            "hidden": recipe.hidden,
            "layers": recipe.layers,
            "buckets": self.vocabulary.buckets,
        }
        if self.pretrained.encoder is not None:
            settings["encoder"] = self.pretrained.encoder
        if self.pretrained.context is not None:
            settings["context"] = self.pretrained.context.settings
        return settings

    def dropout(self) -> DropoutShares:
        """Return what is left out while learning."""
        from treewright.kinds.network.learning.torch_network import DropoutShares

        return DropoutShares(*self.recipe.left_out(self.n_words))

    def start_learning(
        self,
        data: Gathered,
        make: Callable[[], LearningEncoder],
        heads: Sequence[int],
        labels: Sequence[int],
        tags: Mapping[str, array[int]],
        base: Weights | None,
        given: Mapping[str, array[int]] | None = None,
    ) -> None:
        """Number the treebank, and make the network."""
        from treewright.kinds.network.learning.batches import TensorCorpus
        from treewright.kinds.network.learning.learning import Learning

        inputs = tuple(name for name in self.widths if name not in (ENCODER, CONTEXT))
        corpus = TensorCorpus(data.blocks, self.vocabulary, inputs, heads, labels, tags, given)
        self.rounds = self.recipe.iterations or usual_rounds(data.n_words)

        def made() -> LearningEncoder:
            network = make()
            self.pretrained.join(network, self.recipe, self.widths, corpus, data.blocks)
            return network

        self.learning = Learning(self.recipe, made, corpus, self.rounds, base)
        self.order = random.Random(self.recipe.seed)

    def learn(self, number: int, advanced: Advanced) -> float:
        """Learn for one round; return the share of wrong words."""
        wrong, words = self.learning.round(self.order, advanced)
        self.rounds = self.learning.planned_rounds()
        return share(wrong, words)

    @property
    def n_features(self) -> int:
        """How many weights the network has."""
        return self.learning.n_weights

    @property
    def has_learnt(self) -> bool:
        """Has there been a step?"""
        return hasattr(self, "learning") and self.learning.steps > 0

    def weights(self) -> TypedArrays:
        """Return the averaged weights as a model keeps them."""
        arrays = self.pretrained.kept(self.learning.average, self.learning.arrays())
        return {**arrays, **vocabulary_arrays(self.vocabulary)}


def tree_scores(parser: Step, blocks: Sequence[Block], gold_heads: array[int], gold_labels: array[int]) -> DevScore:
    """Return the attachment scores of a parser."""
    heads, labels = array("i"), array("i")
    for block in blocks:
        trees = parser.trees(block)
        heads += trees.heads
        labels += trees.labels
    right = [head == gold for head, gold in zip(heads, gold_heads, strict=True)]
    both = sum(map(lambda one, label, gold: one and label == gold, right, labels, gold_labels))
    words = max(1, len(heads))
    return DevScore(both, {"UAS": 100 * sum(right) / words, "LAS": 100 * both / words})


def usual_rounds(n_words: int) -> int:
    """Return how many rounds over a treebank there are, unless the recipe says so."""
    return min(MOST_ROUNDS, max(FEWEST_ROUNDS, WORDS_READ // max(1, n_words)))


def check_torch() -> None:
    """Reject a training without PyTorch, with what to install."""
    try:
        importlib.import_module("torch")
    except ImportError:
        raise MissingExtraError("training a network", "PyTorch", "neural") from None
