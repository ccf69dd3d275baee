"""Training a neural parser: the network in PyTorch, the linear parsers that vote beside it, and the weight of votes."""

from __future__ import annotations

import importlib
import random
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from treewright.errors import MissingExtraError
from treewright.neural.members import fitted, train_members
from treewright.neural.network import NetworkSettings, vocabulary_arrays
from treewright.neural.parser import Member, NeuralParser, NeuralSettings
from treewright.neural.tags import column_of, right_values, tag_numbers, tag_values
from treewright.neural.vocabulary import INPUTS, Vocabulary, in_order
from treewright.parsing.parse_options import ParseOptions
from treewright.parsing.parser import TypedArrays
from treewright.recipes.catalogue import known_of
from treewright.recipes.neural import NeuralRecipe
from treewright.systems.obeying import kept_leaf_tags
from treewright.training.corpus import trees_of
from treewright.training.gathering import Gathered
from treewright.training.leaves import leaves_in_trees
from treewright.training.observer import Score, TrainingObserver
from treewright.training.strategy import Advanced, Strategy, share
from treewright.treebank.block import Block
from treewright.treebank.interner import Interner

if TYPE_CHECKING:
    from treewright.neural.learning import Learning

WORDS_READ = 1_200_000  # by all rounds together, unless the recipe says how many rounds
FEWEST_ROUNDS, MOST_ROUNDS = 12, 60


class NeuralStrategy(Strategy[TypedArrays, NeuralParser]):
    """Learns the weights of a network, and how much linear parsers count beside it."""

    counted = "wrong heads"
    recipe: NeuralRecipe
    learning: Learning

    def __init__(self, recipe: NeuralRecipe, base: NeuralParser | None = None) -> None:
        check_torch()
        self.recipe, self.base = recipe, base
        if base is not None:
            recipe.check_goes_on(known_of(base.info.get("recipe", {})))
        self.single_root = recipe.single_root
        self.rounds = recipe.iterations or MOST_ROUNDS
        self.widths = {name: width for name, width in recipe.widths().items() if width}
        self.columns = tuple(dict.fromkeys(INPUTS[name].column for name in self.widths))
        self.members: list[Member] = []
        self.dev_blocks: Sequence[Block] = ()

    def prepare(self, data: Gathered, dev: Gathered | None, observer: TrainingObserver) -> None:
        """Number the treebank, train the parsers that vote, and make the network."""
        from treewright.neural.batches import TensorCorpus
        from treewright.neural.learning import Learning

        base = self.base
        interner = Interner(base.relations if base is not None else ())
        heads, labels = trees_of(data.blocks, interner)
        self.relations = list(interner.strings)
        base_tags = kept_leaf_tags(base.settings) if base is not None else None
        rule = self.recipe.governors, data, heads, labels, self.recipe.single_root, base_tags
        self.leaf_tags, self.notes = leaves_in_trees(*rule)
        if base is None:
            self.tag_values = tag_values(data.gold_blocks) if self.recipe.retag else {}
            self.vocabulary = Vocabulary.of(data.blocks, self.recipe.cutoff, self.recipe.buckets)
            self.widths = {name: self.widths[name] for name in self.widths if self._is_filled(name)}
        else:
            self.vocabulary, self.widths = base.network.vocabulary, in_order(base.network.settings["widths"])
            self.tag_values = base.network.settings["tag_values"]
        self.settings = self._settings()
        corpus = TensorCorpus(
            data.blocks,
            self.vocabulary,
            tuple(self.widths),
            heads,
            labels,
            tag_numbers(data.gold_blocks, self.tag_values),
            tag_numbers(data.blocks, self.tag_values) if self._tags_vote(data) else None,
        )
        self.rounds = self.recipe.iterations or min(MOST_ROUNDS, max(FEWEST_ROUNDS, WORDS_READ // max(1, data.n_words)))
        self.members = train_members(self.recipe, data, dev, observer, base)
        if dev is not None:
            self.dev_blocks, self.dev_gold = dev.blocks, dev.gold_blocks
            self.dev_heads, dev_labels = trees_of(dev.blocks, interner)
            self.dev_labels = dev_labels
        self.learning = Learning(self.recipe, self.settings, self.vocabulary.sizes(), corpus, self.rounds, base)
        self.order = random.Random(self.recipe.seed)

    def _tags_vote(self, data: Gathered) -> bool:
        """Do the tags that words come with count? Only if they are a tagger's: gold ones would always be right."""
        return data.gold is not None and (self.base is None or bool(self.base.network.tag_votes))

    def _is_filled(self, name: str) -> bool:
        """Does the treebank have anything to look at in an input's column?"""
        return name not in self.vocabulary.lists or bool(self.vocabulary.lists[name])

    def _settings(self) -> NeuralSettings:
        recipe = self.recipe
        network: NetworkSettings = {
            "widths": self.widths,
            "hidden": recipe.hidden,
            "layers": recipe.layers,
            "arcs": recipe.arc_size,
            "relations": recipe.relation_size,
            "tags": recipe.tag_size,
            "buckets": self.vocabulary.buckets,
            "tag_values": self.tag_values,
        }
        return {
            "network": network,
            "relations": self.relations,
            "single_root": recipe.single_root,
            "projective": recipe.projective,
            "leaf_tags": self.leaf_tags,
            "votes": [],
        }

    def learn(self, number: int, advanced: Advanced) -> float:
        """Learn for one round; return the share of wrong heads."""
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
        return {**self.learning.arrays(), **vocabulary_arrays(self.vocabulary)}

    def parser_with(self, weights: TypedArrays, info: dict[str, Any], members: Sequence[Member] = ()) -> NeuralParser:
        """Return a parser with weights, and with parsers that vote beside it."""
        settings = self.settings.copy()
        settings["votes"] = [(member.for_heads, member.for_labels) for member in members]
        return NeuralParser(settings, {name: values for name, (_, values) in weights.items()}, info, members)

    def score(self, weights: TypedArrays) -> Score:
        """Return the attachment scores on dev, of the network alone."""
        return self.scored(self.parser_with(weights, {}))

    def scored(self, parser: NeuralParser) -> Score:
        """Return the attachment scores of a parser on dev."""
        heads, labels = array("i"), array("i")
        for block in self.dev_blocks:
            trees = parser.trees(block)
            heads += trees.heads
            labels += trees.labels
        right = [head == gold for head, gold in zip(heads, self.dev_heads, strict=True)]
        both = sum(map(lambda one, label, gold: one and label == gold, right, labels, self.dev_labels))
        words = max(1, len(heads))
        return Score(both, {"UAS": 100 * sum(right) / words, "LAS": 100 * both / words})

    def _with_useful_tags(self, weights: TypedArrays) -> TypedArrays:
        """Return the weights without those of columns that the tagger before the network knows better, on dev."""
        parser = self.parser_with(weights, {})
        retagged = [parser.trees(block, ParseOptions(tag=True)).block for block in self.dev_blocks]
        before, after = (right_values(blocks, self.dev_gold) for blocks in (self.dev_blocks, retagged))
        kept = {
            name: values for name, values in self.tag_values.items() if after[column_of(name)] > before[column_of(name)]
        }
        self.settings["network"]["tag_values"] = kept
        dropped = [name for name in self.tag_values if name not in kept]
        scores, votes = tuple(f"tag_scores.{name}." for name in dropped), {f"tag_votes.{name}" for name in dropped}
        return {name: values for name, values in weights.items() if not name.startswith(scores) and name not in votes}

    def finish(self, weights: TypedArrays, info: dict[str, Any]) -> NeuralParser:
        """Return the trained parser; how much its members count is fitted on dev."""
        if self.tag_values and self.dev_blocks:
            weights = self._with_useful_tags(weights)
        if self.members and self.dev_blocks:
            alone = self.parser_with(weights, info)
            self.members = fitted(alone, self.members, self.dev_blocks, self.dev_heads, self.dev_labels)
            score = self.scored(self.parser_with(weights, info, self.members))
            info["dev"] |= {f"hybrid_{name.lower()}": round(value, 2) for name, value in score.shown.items()}
        return self.parser_with(weights, info, self.members)


def check_torch() -> None:
    """Reject a training without PyTorch, with what to install."""
    try:
        importlib.import_module("torch")
    except ImportError:
        raise MissingExtraError("training a network", "PyTorch", "neural") from None
