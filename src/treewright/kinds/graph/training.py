"""Training a parser of dependency graphs, with the perceptron or with a linear batch learner."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from treewright.errors import CombinationError, TreebankError
from treewright.features.adaptation import for_dag_shift_reduce
from treewright.features.bundled import load_feature_model
from treewright.features.extractor import Extractor
from treewright.features.fitting import check_addresses
from treewright.features.templates import FeatureModel
from treewright.kinds.graph.dag_greedy import GreedyGraphParser
from treewright.kinds.graph.parser import GraphParser
from treewright.kinds.graph.recipe import GraphRecipe
from treewright.kinds.graph.writing import GraphWritingParser
from treewright.kinds.transition.batch import KeepsWhatWasLearnt
from treewright.kinds.transition.derivable import keep_derivable
from treewright.kinds.transition.learning.corpus import GraphCorpus
from treewright.kinds.transition.learning.instances import InstanceCollector
from treewright.kinds.transition.learning.online import OnlineTrainer
from treewright.kinds.transition.learning.rounds_policy import RoundsPolicy
from treewright.kinds.transition.leaves import leaves_in_graphs
from treewright.kinds.transition.linear import LearntWeights
from treewright.kinds.transition.perceptron import PerceptronStrategy, for_all_decisions
from treewright.kinds.transition.settings import LinearSettings
from treewright.learners.batch import BatchLearner, LinearModel, learner_class
from treewright.learners.decisions import plain_kinds
from treewright.learners.estimator import Estimator
from treewright.learners.linear_export import freeze_matrix
from treewright.learners.perceptron import Perceptron
from treewright.learners.problem import Problem
from treewright.steps.step import Step
from treewright.systems.graphs import make_graph_system
from treewright.systems.graphs.graph_system import GraphSystem
from treewright.training.gathering import Gathered
from treewright.training.observer import DevScore, TrainingObserver
from treewright.training.strategy import Advanced, Strategy, going_on_from, in_batches
from treewright.treebank.blocks.block import Block
from treewright.treebank.graphs.graph import Graph, Graphs, sentence_graphs
from treewright.treebank.graphs.graph_preparation import prepare, reduce_relation, with_heads
from treewright.treebank.graphs.graph_signs import SIGNS
from treewright.treebank.graphs.relation_patterns import with_patterns

RAREST = 2  # a relation that was lifted or joined must be met so often
#: bundled feature models for the pair of words that dag-arc-eager links
GRAPH_MODELS = ("dag-rich", "tokgoz-eryigit")


class GraphStrategy(PerceptronStrategy[GraphParser]):
    """Lifts, numbers and encodes graphs, and learns the moves that build them."""

    reads_graphs = True
    recipe: GraphRecipe
    system: GraphSystem

    def __init__(self, recipe: GraphRecipe, base: GraphParser | None = None) -> None:
        self.recipe = recipe
        self.start_from(base)
        self.system = make_graph_system(recipe.system, recipe.costs)
        self.model = self.base_model or graph_feature_model(recipe.features, recipe.system)
        check_addresses(self.model, self.system)
        if not recipe.kind_weights:
            self.model = for_all_decisions(self.model)
        self.columns = self.model.columns
        self.rounds = recipe.iterations
        self.dev: list[tuple[Block, list[Graph]]] = []

    def prepare(self, data: Gathered, dev: Gathered | None, observer: TrainingObserver) -> None:
        """Lift, number and encode the graphs."""
        blocks = data.blocks
        self.take_clusters(data)
        graphs = [with_heads(graph) for graph in with_patterns(data.blocks, checked_graphs(data))]
        self.leaf_tags, graphs = leaves_in_graphs(self.recipe.governors, data, graphs, self.base_leaf_tags)
        prepared = [self._prepared(graph) for graph in graphs]
        changed = sum(sorted(map(sorted, a)) != sorted(map(sorted, b)) for a, b in zip(graphs, prepared, strict=True))
        arcs_of_words, self.relations = numbered_arcs(prepared, self.base_relations)
        flat = Graphs(arcs_of_words)
        self.number_moves(*_classes(self.system, prepared, arcs_of_words))
        self.extractor = Extractor(self.model, self.relations, self.leaf_tags, self.clusters)
        self.corpus = GraphCorpus(blocks, self.extractor.encoder, flat, self.system.root == "last")
        self.notes = [f"{len(flat) - self.corpus.n_words:,} arcs more than words"]
        if changed:
            self.notes.append(f"{changed:,} graphs lifted or joined")
        if self.recipe.policy == "static":
            self.notes += keep_derivable(self.corpus, self.system, "graph")
        if dev is not None:
            self.dev = [(block, list(sentence_graphs(block))) for block in dev.blocks]
        self.start()

    def _prepared(self, graph: Graph) -> Graph:
        """Return a graph that the system can build."""
        if self.recipe.lifting == "none":
            return [[arc for arc in arcs if arc[0] != word] for word, arcs in enumerate(graph, 1)]
        # A word may lose its heads when arcs are lifted or reversed.
        return with_heads(prepare(graph, self.recipe.cycles, crossing=self.system.name == "dag-crossing"))

    def start(self) -> None:
        """Make the learner and what runs it over the corpus."""
        recipe = self.recipe
        self.make_learner()
        parser = GreedyGraphParser(self.system, self.extractor, self.moves, self.learner)
        policy = RoundsPolicy(recipe.policy or "explore", recipe.k, recipe.p, recipe.seed, zero_cost=recipe.zero_cost)
        self.trainer = OnlineTrainer(parser, self.learner, self.corpus, policy)

    @property
    def n_sentences(self) -> int:
        """How many sentences there are to learn from."""
        return self.corpus.n_sentences

    def score(self, weights: LearntWeights) -> DevScore:
        """Return unlabelled and labelled F1 over all arcs of dev."""
        parser = GraphParser(self.settings(), weights, {})
        return graph_scores(parser, self.dev)

    def settings(self) -> LinearSettings:
        """Return what a model file keeps beside the weights."""
        return self.linear_settings(self.system.name, self.relations)

    def finish(self, weights: LearntWeights, info: dict[str, Any]) -> GraphParser:
        """Return the trained parser."""
        return GraphParser(self.settings(), weights, info)


class GraphBatchStrategy(KeepsWhatWasLearnt, GraphStrategy):
    """Static systems with a linear batch learner: maximum entropy, as in Tokgöz & Eryiğit 2015."""

    def __init__(self, recipe: GraphRecipe, base: GraphParser | None = None) -> None:
        if base is not None:
            raise CombinationError(f"{recipe.learner} cannot go on from a model: leave --init-from out")
        super().__init__(recipe)
        self.batch_learner = self._make_learner()
        self.model = replace(for_all_decisions(self.model), decision=self.model.decision)
        self.rounds = 1

    def _make_learner(self) -> BatchLearner:
        learner = learner_class(self.recipe.learner)(self.recipe.learner_options)
        if learner.wants_bias or learner.machine is not None or learner.fixed_columns:
            raise CombinationError(
                "graphs are learnt by the perceptron or by liblinear, without -B: its solvers 0, 6, 7 are maximum"
                " entropy"
            )
        learner.seed = self.recipe.seed
        learner.check(self.model)
        return learner

    def start(self) -> None:
        """Make the problem that instances are gathered in."""
        plain = plain_kinds(self.system)
        self.problem = Problem(len(plain) + self.moves.n_classes)
        nobody = Perceptron(len(self.system.kinds), self.moves.n_classes)
        engine = GreedyGraphParser(self.system, self.extractor, self.moves, nobody)
        self.collector = InstanceCollector(engine, self.corpus, self.problem)

    def learn(self, number: int, advanced: Advanced) -> float:
        """Gather the instances of the static oracle, and learn from them."""
        in_batches(self.collector.follow_oracle, self.n_sentences, self.batch_size, advanced)
        problem = self.problem.without_rare(self.recipe.needed)
        learnt = self.batch_learner.fit(problem)
        if not isinstance(learnt, LinearModel):
            raise CombinationError(
                f"graphs need a linear learner, which {self.recipe.learner} is not: choose --learner liblinear"
            )
        plain, n_kinds = plain_kinds(self.system), len(self.system.kinds)
        self._learnt = freeze_matrix(
            problem.index, learnt.weights, learnt.columns, plain, self.moves, n_kinds, avoid_unseen=True
        )
        return math.nan


def graph_scores(parser: GraphWritingParser, dev: Sequence[tuple[Block, list[Graph]]]) -> DevScore:
    """Return unlabelled and labelled F1 over all arcs."""
    right, total, right_heads, total_heads = 0, 0, 0, 0
    for block, gold in dev:
        for ours, theirs in zip(parser.parse_graphs(block), gold, strict=True):
            for found, wanted in zip(map(set, ours), map(set, theirs), strict=True):
                heads, wanted_heads = {head for head, _ in found}, {head for head, _ in wanted}
                right += len(found & wanted)
                total += len(found) + len(wanted)
                right_heads += len(heads & wanted_heads)
                total_heads += len(heads) + len(wanted_heads)
    unlabelled, labelled = 200 * right_heads / max(1, total_heads), 200 * right / max(1, total)
    return DevScore(labelled, {"unlabelled F1": unlabelled, "labelled F1": labelled})


def graph_feature_model(name: str, system: str) -> FeatureModel:
    """Return the feature model of that name for a system of graphs; ``rich`` stands for the one made for graphs."""
    if name == "rich":
        name = "dag-crossing" if system == "dag-crossing" else "dag-rich"
    model = load_feature_model(name)
    return for_dag_shift_reduce(model) if system == "dag-shift-reduce" and name in GRAPH_MODELS else model


def checked_graphs(data: Gathered) -> list[Graph]:
    """Return the graphs of a treebank."""
    graphs = [graph for block in data.blocks for graph in sentence_graphs(block)]
    _check_relations(graphs, data.name)
    return graphs


def numbered_arcs(graphs: list[Graph], known: Sequence[str]) -> tuple[list[list[tuple[int, int]]], list[str]]:
    """Return the arcs of all words with numbers for relations, and the relations; known ones keep their numbers."""
    counts = Counter(relation for graph in graphs for arcs in graph for _, relation in arcs)
    numbers = {relation: number for number, relation in enumerate(known)}
    arcs_of_words = [
        [(head, numbers.setdefault(_usual(relation, counts), len(numbers))) for head, relation in arcs]
        for graph in graphs
        for arcs in graph
    ]
    return arcs_of_words, list(numbers)


def _check_relations(graphs: list[Graph], name: str) -> None:
    for relation in {relation for graph in graphs for arcs in graph for _, relation in arcs}:
        if any(sign in relation for sign in SIGNS):
            raise TreebankError(
                f"the relation {relation!r} contains a sign that lifting needs ({' '.join(SIGNS)})",
                source=name,
                remedy="Rename the relation",
            )


def _usual(relation: str, counts: Counter[str]) -> str:
    return relation if counts[relation] >= RAREST else reduce_relation(relation)


def _classes(
    system: GraphSystem, graphs: list[Graph], arcs_of_words: list[list[tuple[int, int]]]
) -> tuple[list[tuple[int, int]], list[int], list[int]]:
    """Return the moves that graphs need: (kind, relation) pairs, relations of the root, relations of words."""
    left = [kind for kind, name in enumerate(system.kinds) if name.startswith("LEFT")]
    right = [kind for kind, name in enumerate(system.kinds) if name.startswith("RIGHT")]
    root_last = system.root == "last"
    seen: set[tuple[int, int]] = set()
    roots: Counter[int] = Counter()
    words: Counter[int] = Counter()
    places = (place for graph in graphs for place in range(1, len(graph) + 1))
    for word, arcs in zip(places, arcs_of_words, strict=True):
        for head, label in arcs:
            (words if head else roots)[label] += 1
            goes_left = word < head if head else root_last
            seen.update((kind, label) for kind in (left if goes_left else right))
    # No legal move may be without a relation to choose.
    usual_word = max(words or roots, key=lambda label: ((words or roots)[label], -label))
    usual_root = max(roots or words, key=lambda label: ((roots or words)[label], -label))
    seen.update((kind, label) for kind in left + right for label in (usual_word, usual_root))
    return sorted(seen), sorted({*roots, usual_root}), sorted({*words, usual_word})


def strategy(recipe: GraphRecipe, base: Step | None = None, estimator: Estimator | None = None) -> Strategy[Any, Any]:
    """Return what trains a parser of graphs by a recipe, going on from another where one is given."""
    return (GraphBatchStrategy if recipe.is_batch else GraphStrategy)(recipe, going_on_from(GraphParser, base))
