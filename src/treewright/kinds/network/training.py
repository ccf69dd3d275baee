"""Training a neural parser: the network in PyTorch, the linear parsers that vote beside it, and the weight of votes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from treewright.kinds.network.inputs.tags import column_of, right_values, tag_numbers, tag_values
from treewright.kinds.network.members import fitted, lighter, train_members
from treewright.kinds.network.network import NetworkSettings
from treewright.kinds.network.parser import Member, NeuralParser, NeuralSettings
from treewright.kinds.network.recipe import NeuralRecipe
from treewright.kinds.network.strategy import EncoderStrategy, tree_scores
from treewright.kinds.transition.learning.corpus import trees_of
from treewright.kinds.transition.leaves import leaves_in_trees
from treewright.learners.estimator import Estimator
from treewright.steps.call import Call
from treewright.steps.contract import TypedArrays
from treewright.steps.sentence_limit import check_sentences
from treewright.steps.step import Step
from treewright.systems.rules.learning import learn_rules
from treewright.systems.rules.rule import rows_of, rules_in
from treewright.training.gathering import Gathered
from treewright.training.observer import DevScore, TrainingObserver
from treewright.training.strategy import Strategy, going_on_from
from treewright.treebank.blocks.block import Block
from treewright.treebank.blocks.interner import Interner

if TYPE_CHECKING:
    from treewright.kinds.network.learning.torch_network import LearningNetwork


class NeuralStrategy(EncoderStrategy[NeuralParser]):
    """Learns the weights of a network, and how much linear parsers count beside it."""

    counted = "wrong heads"
    recipe: NeuralRecipe

    def __init__(self, recipe: NeuralRecipe, base: NeuralParser | None = None) -> None:
        self.start_encoder(recipe, base)
        self.single_root = recipe.single_root
        self.members: list[Member] = []
        self.dev_blocks: Sequence[Block] = ()

    def prepare(self, data: Gathered, dev: Gathered | None, observer: TrainingObserver) -> None:
        """Number the treebank, train the parsers that vote, and make the network."""
        for block in (*data.blocks, *(dev.blocks if dev is not None else ())):
            check_sentences(block)
        base = self.base
        interner = Interner(base.relations if base is not None else ())
        heads, labels = trees_of(data.blocks, interner)
        self.relations = list(interner.strings)
        base_tags = base.settings["leaf_tags"] if base is not None else None
        rule = self.recipe.governors, data, heads, labels, self.recipe.single_root, base_tags
        self.leaf_tags, self.notes = leaves_in_trees(*rule)
        known = rules_in(base.settings.get("rules", ())) if base is not None else None
        self.rules = learn_rules(data.gold_blocks, known) if self.recipe.rules == "learnt" else ()
        self.know_words(data, base.network if base is not None else None, observer)
        self.tag_values = {}
        if base is not None:
            self.tag_values = base.network.settings["tag_values"]
        elif self.recipe.retag:
            self.tag_values = tag_values(data.gold_blocks)
        self.settings = self._settings()
        self.members = train_members(self.recipe, data, dev, observer, base)
        if dev is not None:
            self.dev_blocks, self.dev_gold = dev.blocks, dev.gold_blocks
            self.dev_heads, dev_labels = trees_of(dev.blocks, interner)
            self.dev_labels = dev_labels
        tags = tag_numbers(data.gold_blocks, self.tag_values)
        given = tag_numbers(data.blocks, self.tag_values) if self._tags_vote(data) else {}
        self.tags_vote = bool(given)
        arrays = base.arrays if base is not None else None
        self.start_learning(data, self._network, heads, labels, tags, arrays, given)

    def _network(self) -> LearningNetwork:
        """Make the network that learns."""
        from treewright.kinds.network.learning.torch_network import LearningNetwork, Outputs, Sizes

        own = self.settings["network"]
        sizes = Sizes(own["widths"], own["hidden"], own["layers"], own["arcs"], own["relations"], own["tags"])
        tags = {name: len(values) for name, values in own["tag_values"].items()}
        outputs = Outputs(len(self.settings["relations"]), tags, self.tags_vote)
        rows, smoothing = self.vocabulary.sizes(), self.recipe.label_smoothing
        return LearningNetwork(rows, sizes, outputs, self.dropout(), smoothing)

    def _tags_vote(self, data: Gathered) -> bool:
        """Do the tags that words come with count? Only if they are a tagger's: gold ones would always be right."""
        return data.gold is not None and (self.base is None or bool(self.base.network.tag_votes))

    def _settings(self) -> NeuralSettings:
        recipe = self.recipe
        network: NetworkSettings = {
            **self.encoder_settings(),
            "arcs": recipe.arc_size,
            "relations": recipe.relation_size,
            "tags": recipe.tag_size,
            "tag_values": self.tag_values,
        }
        settings: NeuralSettings = {
            "network": network,
            "relations": self.relations,
            "single_root": recipe.single_root,
            "projective": recipe.projective,
            "leaf_tags": self.leaf_tags,
            "votes": [],
        }
        if self.rules:
            settings["rules"] = rows_of(self.rules)
        return settings

    def parser_with(self, weights: TypedArrays, info: dict[str, Any], members: Sequence[Member] = ()) -> NeuralParser:
        """Return a parser with weights, and with parsers that vote beside it."""
        settings = self.settings.copy()
        settings["votes"] = [(member.for_heads, member.for_labels) for member in members]
        return NeuralParser(settings, {name: values for name, (_, values) in weights.items()}, info, members)

    def score(self, weights: TypedArrays) -> DevScore:
        """Return the attachment scores on dev, of the network alone."""
        return self.scored(self.parser_with(weights, {}))

    def scored(self, parser: NeuralParser) -> DevScore:
        """Return the attachment scores of a parser on dev."""
        return tree_scores(parser, self.dev_blocks, self.dev_heads, self.dev_labels)

    def _with_useful_tags(self, weights: TypedArrays) -> TypedArrays:
        """Return the weights without those of columns that the tagger before the network knows better, on dev."""
        parser = self.parser_with(weights, {})
        retagged = [parser.trees(block, Call(tag=True)).block for block in self.dev_blocks]
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
            self.members = lighter(
                self.members,
                lambda members: self.scored(self.parser_with(weights, info, members)).value,
                len(self.dev_heads),
            )
            score = self.scored(self.parser_with(weights, info, self.members))
            info["dev"] |= {f"hybrid_{name.lower()}": round(value, 2) for name, value in score.shown.items()}
        return self.parser_with(weights, info, self.members)


def strategy(recipe: NeuralRecipe, base: Step | None = None, estimator: Estimator | None = None) -> Strategy[Any, Any]:
    """Return what trains a neural or hybrid parser by a recipe, going on from another where one is given."""
    return NeuralStrategy(recipe, going_on_from(NeuralParser, base))
