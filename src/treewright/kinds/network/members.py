"""The linear parsers of a hybrid: how they are trained, and how much their votes count."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import NamedTuple

from treewright.kinds.exact.recipe import ExactRecipe
from treewright.kinds.exact.training import ExactStrategy
from treewright.kinds.network.decoding import TreeFinder
from treewright.kinds.network.network import EncodedBatch
from treewright.kinds.network.parser import EXACT, Member, NeuralParser, Votes, batches
from treewright.kinds.network.recipe import NeuralRecipe
from treewright.kinds.network.vote_weights import PARTS, fitted_weights
from treewright.kinds.transition.parser import TransitionParser
from treewright.kinds.transition.recipe import TransitionRecipe
from treewright.kinds.transition.training import TransitionStrategy
from treewright.learners.frozen import FrozenWeights, prune
from treewright.steps.call import PLAIN
from treewright.steps.step import Step
from treewright.training.gathering import Gathered
from treewright.training.loop import Training
from treewright.training.observer import BarOnly, TrainingObserver
from treewright.treebank.blocks.block import Block

UNFITTED = 1.5  # how much all votes together count where there is no dev set to fit them on
EXACT_WEIGHTS = (0.25, 0.5, 1.0, 2.0)  # tried on dev, for the scores of an exact member
BEAM = 4  # on dev, as good beside a network and a greedy parser as 8, and faster
SMALLEST_KEPT = (2, 3, 4, 6, 8)  # quantised weights of members: smaller ones are left out, as far as dev allows
SPARED = 5000  # with each step, one in this many words of dev may become wrong


def train_members(
    recipe: NeuralRecipe,
    data: Gathered,
    dev: Gathered | None,
    observer: TrainingObserver,
    base: NeuralParser | None = None,
) -> list[Member]:
    """Train the linear parsers that a recipe names; a training that goes on keeps those of its model."""
    if base is not None:
        return list(base.members)
    names = recipe.chosen_members
    members: list[Member] = []
    for name in names:
        inner = member_recipe(name, recipe)
        observer.begun(f"member {name}", inner.iterations * data.n_sentences)
        about = {"licence": "", "description": ""}
        if isinstance(inner, ExactRecipe):
            trained: Step = Training(ExactStrategy(inner), data, dev, BarOnly(observer)).run(about)
        else:
            trained = Training(TransitionStrategy(inner), data, dev, BarOnly(observer)).run(about)
        members.append(Member(name, trained, UNFITTED / len(names), UNFITTED / len(names)))
    return members


def member_recipe(name: str, recipe: NeuralRecipe) -> TransitionRecipe | ExactRecipe:
    """Return the recipe of a member."""
    if name == "exact":
        return ExactRecipe(single_root=recipe.single_root, seed=recipe.seed, governors=recipe.governors).completed()
    width = BEAM if name == "beam" else 1
    alike = TransitionRecipe(
        single_root=recipe.single_root, seed=recipe.seed, governors=recipe.governors, rules=recipe.rules
    )
    return replace(alike, beam=width).completed()


def fitted(
    parser: NeuralParser, members: Sequence[Member], blocks: Sequence[Block], heads: array[int], labels: array[int]
) -> list[Member]:
    """Return the members with the weights that get the most words of dev right.

    An exact member comes last: it does not vote, but adds its scores.
    """
    voters = [member for member in members if member.name != EXACT]
    dev = _Dev(parser, voters, blocks, heads, labels)
    weights = fitted_weights(dev.right_by_part, 2 * len(voters), len(heads))
    best = sum(dev.right_by_part(weights))
    chosen = _weighted(voters, weights)
    for member in members:
        if member.name == EXACT:
            shares = [0.0, *EXACT_WEIGHTS]
            right_with = [best, *(dev.right_with_exact(chosen, member, weight) for weight in EXACT_WEIGHTS)]
            chosen.append(member._replace(for_heads=shares[right_with.index(max(right_with))], for_labels=0.0))
    return chosen


def lighter(members: Sequence[Member], right: Callable[[Sequence[Member]], float], words: int) -> list[Member]:
    """Return the members without their small weights, as long as hybrids with them are about as good.

    A parser that only votes needs fewer features than one that parses alone. ``right`` returns how many of the words
    of dev a hybrid with some members gets right.
    """
    kept, best = list(members), right(members)
    for least in SMALLEST_KEPT:
        tried = [without_small_weights(member, least) for member in members]
        n_right = right(tried)
        if n_right < best - words / SPARED:
            break
        kept, best = tried, n_right
    return kept


def without_small_weights(member: Member, least: int) -> Member:
    """Return a member without the features whose weights are all small; exact ones keep theirs."""
    own = member.parser
    if not isinstance(own, TransitionParser) or not isinstance(own.weights, FrozenWeights):
        return member
    return member._replace(parser=TransitionParser(own.settings, prune(own.weights, least), own.info))


def _weighted(members: Sequence[Member], weights: Sequence[float]) -> list[Member]:
    """Return members with weights for their heads, and, behind all of these, for their relations."""
    n = len(members)
    return [
        member._replace(for_heads=weights[place], for_labels=weights[n + place]) for place, member in enumerate(members)
    ]


class _Batch(NamedTuple):
    """A batch of dev: what the network and the members find, and what is right."""

    words: slice
    encoded: EncodedBatch
    arcs: memoryview
    votes: Votes
    heads: array[int]
    labels: array[int]


class _Dev:
    """What the network and the members find for all sentences of dev, found once."""

    def __init__(
        self,
        parser: NeuralParser,
        members: Sequence[Member],
        blocks: Sequence[Block],
        heads: array[int],
        labels: array[int],
    ) -> None:
        self.parser, self.members, self.finder = parser, members, TreeFinder()
        self.by_block: list[tuple[Block, list[_Batch]]] = []
        start = 0
        for block in blocks:
            votes = Votes(members, parser.relations, parser.leaves, block)
            of_block: list[_Batch] = []
            for first, last in batches(block):
                encoded = parser.encode(block, first, last)
                words = slice(block.words_of(first).start, block.words_of(last - 1).stop)
                gold = slice(start + words.start, start + words.stop)
                arcs = parser.network.arcs(encoded)
                of_block.append(_Batch(words, encoded, arcs, votes, heads[gold], labels[gold]))
            self.by_block.append((block, of_block))
            start += block.n_words

    @property
    def batches(self) -> list[_Batch]:
        """All batches of dev."""
        return [batch for _, of_block in self.by_block for batch in of_block]

    def right_by_part(self, weights: Sequence[float]) -> list[int]:
        """Return how many words get the right head and relation if votes count so much, in each part of dev.

        A sentence belongs to the part of its number in the batch.
        """
        members, parser, counts = _weighted(self.members, weights), self.parser, [0] * PARTS
        rules = parser.settings["single_root"], parser.settings["projective"]
        for batch in self.batches:
            n = len(batch.heads)
            heads, labels = array("i", bytes(4 * n)), array("i", bytes(4 * n))
            votes = batch.votes.with_members(members)
            own = votes.for_heads(batch.words), votes.leaves[batch.words]
            self.finder.find(batch.arcs, batch.encoded.lengths, *own, *rules, heads)
            parser.label(batch.encoded, memoryview(heads), votes.for_labels(batch.words), memoryview(labels))
            right, start = _both_right(heads, labels, batch), 0
            for number, length in enumerate(batch.encoded.lengths):
                counts[number % PARTS] += sum(right[start : start + length - 1])
                start += length - 1
        return counts

    def right_with_exact(self, voters: Sequence[Member], member: Member, weight: float) -> int:
        """Return how many words are right if an exact member searches, its scores times a weight."""
        searching = member._replace(for_heads=weight)
        count = 0
        for block, batches_of_block in self.by_block:
            votes = batches_of_block[0].votes.with_members(voters)
            trees = self.parser.exact_trees(block, PLAIN, votes, searching)
            for batch in batches_of_block:
                heads = trees.heads[batch.words]
                labels = array("i", bytes(4 * len(heads)))
                self.parser.label(batch.encoded, memoryview(heads), votes.for_labels(batch.words), memoryview(labels))
                count += sum(_both_right(heads, labels, batch))
        return count


def _both_right(heads: array[int], labels: array[int], batch: _Batch) -> list[bool]:
    """Return for each word of a batch whether it has the right head and relation."""
    both = zip(heads, batch.heads, labels, batch.labels, strict=True)
    return [head == gold and label == wanted for head, gold, label, wanted in both]
