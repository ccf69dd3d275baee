"""Training enhanced graphs: which paths of a tree lead to heads, and what decides where a path leaves a choice."""

from __future__ import annotations

import random
from array import array
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from treewright.errors import CombinationError, TreebankError
from treewright.features.encoder import Encoder
from treewright.kinds.enhanced.examples import ArcExamples
from treewright.kinds.enhanced.finding import ATTRIBUTES, KINDS, ArcFinder
from treewright.kinds.enhanced.parser import EnhancedParser, EnhancedSettings, Path
from treewright.kinds.enhanced.recipe import EnhancedRecipe
from treewright.kinds.enhanced.tree_paths import TreePaths
from treewright.kinds.graph.training import checked_graphs, graph_scores, numbered_arcs
from treewright.kinds.transition.learning.corpus import sentence_offsets, trees_of
from treewright.learners.estimator import Estimator
from treewright.learners.frozen import FrozenWeights, freeze
from treewright.learners.perceptron import Perceptron
from treewright.steps.step import Step
from treewright.training.gathering import Gathered, own_part
from treewright.training.observer import DevScore, TrainingObserver
from treewright.training.strategy import Advanced, Strategy, share
from treewright.treebank.blocks.block import Block
from treewright.treebank.blocks.interner import Interner
from treewright.treebank.checks.checks import is_filled
from treewright.treebank.graphs.empty_nodes import copied_relations
from treewright.treebank.graphs.graph import Graph, Graphs, sentence_graphs
from treewright.treebank.graphs.graph_preparation import prepare
from treewright.treebank.graphs.graph_properties import properties_of
from treewright.treebank.graphs.graph_signs import FILLED, FILLED_END, PATH
from treewright.treebank.graphs.relation_patterns import cases_of_markers, with_patterns

NO_ARC = -1
FEWEST = 2  # arcs at the end of a path that is kept
LEAST = 0.02  # of the ends of a path, the share that has an arc
RARE = 0.001  # a choice that is made less often where a path leads is an error or an exception
Steps = tuple[tuple[bool, int], ...]


class EnhancedStrategy(Strategy[FrozenWeights, EnhancedParser]):
    """Lists the paths of a treebank and learns to decide at their ends."""

    step = "graph"
    counted = "wrong arcs"
    recipe: EnhancedRecipe
    columns = ("LEMMA", "UPOS", "FEATS")

    def __init__(self, recipe: EnhancedRecipe) -> None:
        self.recipe, self.rounds = recipe, recipe.iterations
        self.dev: list[tuple[Block, list[Graph]]] = []

    def prepare(self, data: Gathered, dev: Gathered | None, observer: TrainingObserver) -> None:
        """List the paths, and what there is to learn from at their ends."""
        blocks = [own_part(block) for block in data.blocks]
        gold = checked_graphs(replace(data, blocks=blocks))
        self.cases = cases_of_markers(blocks, gold)
        graphs = [prepare(graph, crossing=True) for graph in with_patterns(blocks, gold, self.cases)]
        known = Interner()
        self.trees = [trees_of([block], known) for block in blocks]
        self.tree_relations = list(known.strings)
        arcs, relations = numbered_arcs(graphs, [])
        self.relations = list(dict.fromkeys([*relations, *self.tree_relations]))
        self.connected = properties_of(graphs)["connected"]
        self.graphs = Graphs(arcs)
        self._look_beyond(blocks)
        steps = _paths_in(blocks, self.trees, self.graphs)
        finder, seen = self._examples(blocks, [([*path], [NO_ARC]) for path in steps])
        of_gaps = {number for number, name in enumerate(self.relations) if PATH in name}
        self.paths = _with_choices(dict(zip(finder.paths.ends, steps, strict=True)), seen.counts, of_gaps)
        self.finder, self.examples = self._examples(blocks, self.paths)
        if data.parsed is not None:
            self._learn_from_errors(data.parsed)
        self.n_sentences = sum(block.n_sentences for block in blocks)
        self.learner = Perceptron(KINDS, len(self.relations), self.recipe.cutoff)
        self.notes = [f"{len(self.graphs) - data.n_words:,} arcs more than words", f"{len(self.paths)} paths to heads"]
        if dev is not None:
            gold_dev = [list(sentence_graphs(block)) for block in dev.gold_blocks]
            self.dev = list(zip(dev.blocks, gold_dev, strict=True))

    def _look_beyond(self, blocks: Sequence[Block]) -> None:
        """Note which relations of trees tell of other arcs, name parts of other relations, or tell of empty nodes."""
        numbers = {name: number for number, name in enumerate(self.tree_relations)}
        heads = [head for found, _ in self.trees for head in found]
        beyond = {
            self.relations[self.graphs.labels[arc]].split(":")[0]
            for word, head in enumerate(heads)
            for arc in range(self.graphs.first[word], self.graphs.first[word + 1])
            if self.graphs.heads[arc] != head
        }
        self.wanted = [number for name, number in numbers.items() if name.split(":")[0] in beyond]
        parts = {part.strip(FILLED + FILLED_END + "…") for name in self.relations for part in name.split(":")[1:]}
        self.markers = [number for name, number in numbers.items() if name in parts]
        self.gaps = self._gaps(blocks)
        self.copied = copied_relations(blocks)

    def _gaps(self, blocks: Sequence[Block]) -> list[int]:
        """Return the relations of trees that are mostly those of words below one with an arc from an empty node."""
        graphs = self.graphs
        through = array("b", [PATH in self.relations[label] for label in graphs.labels])
        stands = [any(through[first:end]) for first, end in pairwise(graphs.first)]
        below: Counter[int] = Counter()
        before = 0
        for block, (heads, labels) in zip(blocks, self.trees, strict=True):
            for first, end in pairwise(sentence_offsets([block])):
                for word in range(first, end):
                    if heads[word] > 0 and stands[before + first + heads[word] - 1]:
                        below[labels[word]] += 1
            before += block.n_words
        every = Counter(label for _, labels in self.trees for label in labels)
        return sorted(label for label, count in below.items() if 2 * count >= every[label])

    def _examples(self, blocks: Sequence[Block], paths: Sequence[Path]) -> tuple[ArcFinder, ArcExamples]:
        """Return what there is at the ends of some paths, in the whole treebank."""
        trie = TreePaths(paths, len(self.tree_relations), len(self.relations))
        finder = ArcFinder(trie, Encoder(ATTRIBUTES, False), None, self.wanted, self.markers, self.gaps)
        examples, before = ArcExamples(finder), 0
        for block, (heads, labels) in zip(blocks, self.trees, strict=True):
            examples.add(block, heads, labels, self.graphs, before)
            before += block.n_words
        return finder, examples

    def _learn_from_errors(self, parsed: Sequence[Block]) -> None:
        """Add what there is at the ends of paths through the trees of a parser: they are not always right."""
        before, known = 0, Interner(self.tree_relations)
        for block in parsed:
            self.examples.add(block, *trees_of([block], known), self.graphs, before, True)
            before += block.n_words

    @property
    def n_features(self) -> int:
        """How many features have a weight."""
        return len(self.learner)

    def learn(self, number: int, advanced: Advanced) -> float:
        """Learn for one round; return the share of wrong decisions."""
        order = array("i", range(len(self.examples)))
        random.Random(self.recipe.seed * 1000 + number).shuffle(order)
        wrong = self.examples.learn(self.learner, order)
        advanced(self.n_sentences)
        return share(wrong, len(order))

    def weights(self) -> FrozenWeights:
        """Return the averaged weights."""
        return freeze(self.learner)

    def score(self, weights: FrozenWeights) -> DevScore:
        """Return unlabelled and labelled F1 over all arcs of dev."""
        return graph_scores(self.finish(weights, {}), self.dev)

    def finish(self, weights: FrozenWeights, info: dict[str, Any]) -> EnhancedParser:
        """Return the trained step."""
        settings: EnhancedSettings = {
            "relations": self.relations,
            "tree_relations": self.tree_relations,
            "paths": self.paths,
            "wanted": self.wanted,
            "markers": self.markers,
            "connected": self.connected,
            "gaps": self.gaps,
            "empty_nodes": self.recipe.empty_nodes,
            "copied": self.copied,
            "cases": self.cases,
        }
        return EnhancedParser(settings, weights, info)


def _paths_in(blocks: Sequence[Block], trees: Sequence[tuple[array[int], array[int]]], graphs: Graphs) -> list[Steps]:
    """Return the paths from words to their heads in graphs that occur often enough, or one step upwards."""
    counts: Counter[Steps] = Counter()
    before = 0
    for block, (heads, labels) in zip(blocks, trees, strict=True):
        edges = sentence_offsets([block])
        for first, end in pairwise(edges):
            above, names = [-1, *heads[first:end]], [-1, *labels[first:end]]
            for word in range(1, end - first + 1):
                place = before + first + word - 1
                for head in graphs.heads[graphs.first[place] : graphs.first[place + 1]]:
                    path = path_between(word, head, above, names)
                    if path is not None:
                        counts[path] += 1
        before += block.n_words
    return [path for path, count in counts.items() if count >= FEWEST or (len(path) == 1 and path[0][0])]


def path_between(word: int, head: int, above: Sequence[int], names: Sequence[int], longest: int = 3) -> Steps | None:
    """Return the path through a tree from a word to another node, up and then down; None if it is too long.

    ``above``: the heads of all nodes; ``names``: the relations of their arcs.
    """
    down: list[tuple[int, int]] = [(head, -1)]  # the node and those above it, each with the relation passed
    while len(down) <= longest and down[-1][0] > 0:
        node = down[-1][0]
        down.append((above[node], names[node]))
    nodes = [node for node, _ in down]
    up: list[tuple[bool, int]] = []
    node = word
    while len(up) <= longest and node >= 0:
        if node in nodes:
            way = nodes.index(node)
            if not 0 < len(up) + way <= longest or (node == 0 and way):
                return None
            return (*up, *((False, name) for _, name in reversed(down[1 : way + 1])))
        if node == 0:
            return None
        up.append((True, names[node]))
        node = above[node]
    return None


def _with_choices(paths: dict[int, Steps], counts: dict[tuple[int, int], int], of_gaps: Collection[int]) -> list[Path]:
    """Return the paths that lead to arcs often enough, each with the choices that it leaves; they are known by ends.

    ``of_gaps``: relations that lead through empty nodes, rare among conjuncts but not for that wrong.
    """
    found: dict[int, Counter[int]] = {end: Counter() for end in paths}
    for (end, relation), count in counts.items():
        found[end][relation] += count
    kept: list[Path] = []
    for end, choices in found.items():
        if choices.total() - choices[NO_ARC] >= LEAST * choices.total() > 0:
            least = RARE * choices.total()
            often = [
                choice for choice, count in choices.items() if count >= least or (choice in of_gaps and count >= FEWEST)
            ]
            kept.append(([*paths[end]], sorted(often)))
    return kept


def check_learnable(data: Gathered) -> None:
    """Reject a treebank without graphs, or with arcs that no graph can hold."""
    if not data.filled(["DEPS"]):
        raise TreebankError(
            "no graphs to learn from",
            source=data.name,
            remedy="Enhanced graphs are learnt from the column DEPS: give --enhanced copy or none",
        )
    for block in data.gold_blocks:
        for _ in sentence_graphs(block):
            pass


def says_more_than_trees(blocks: Sequence[Block]) -> bool:
    """Does DEPS hold anything but the arcs of the trees, or less?"""
    for block in blocks:
        head, deprel, deps = block.layout.head, block.layout.deprel, block.layout.deps
        if deps < 0 or not block.n_words or not is_filled(block, deps):
            continue
        if any(
            block.value(w, deps) != block.value(w, head) + b":" + block.value(w, deprel) for w in range(block.n_words)
        ):
            return True
    return False


def copier_of_trees(data: Gathered) -> EnhancedParser:
    """Return a step whose graphs are copies of the trees: no path leads to another head."""
    known = Interner()
    trees_of(data.blocks, known)
    relations = list(known.strings)
    settings: EnhancedSettings = {
        "relations": relations,
        "tree_relations": relations,
        "paths": [],
        "wanted": [],
        "markers": [],
        "connected": False,
        "gaps": [],
        "empty_nodes": "words",
        "copied": [],
        "cases": {},
    }
    return EnhancedParser(settings, freeze(Perceptron(KINDS, len(relations))), {})


def strategy(
    recipe: EnhancedRecipe, base: Step | None = None, estimator: Estimator | None = None
) -> Strategy[Any, Any]:
    """Return what trains enhanced graphs by a recipe."""
    if base is not None:
        raise CombinationError("enhanced graphs do not go on from a model: leave --init-from out")
    return EnhancedStrategy(recipe)
