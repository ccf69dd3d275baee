"""From a treebank with graphs to a graph parser."""

from __future__ import annotations

import math
import os
from collections import Counter
from dataclasses import replace
from typing import Any

from treewright.errors import CombinationError, TreebankError, TreewrightError
from treewright.features.adaptation import for_dag_shift_reduce
from treewright.features.bundled import check_addresses, load_feature_model
from treewright.features.extractor import Extractor
from treewright.features.templates import FeatureModel
from treewright.learners.batch import BatchLearner
from treewright.learners.frozen import FrozenWeights, freeze, prune
from treewright.learners.learner import Moves
from treewright.learners.perceptron import Perceptron
from treewright.parsing.dag import DagParser
from treewright.parsing.dag_greedy import GreedyGraphParser
from treewright.systems.graph_system import GraphSystem
from treewright.systems.graphs import make_graph_system
from treewright.training.dag_batch import for_all_decisions, graph_batch_learner, learn_graphs
from treewright.training.dag_online import GraphCorpus, GraphTrainer
from treewright.training.options import TrainingOptions
from treewright.treebank.block import Block
from treewright.treebank.graph import Arc, Graphs, sentence_graphs
from treewright.treebank.graph_preparation import prepare, reduce_relation
from treewright.treebank.graph_signs import NO_HEAD, SIGNS
from treewright.treebank.problems import check
from treewright.treebank.reading import read_blocks
from treewright.treebank.relation_patterns import with_patterns
from treewright.treebank.source import Source

SENTENCES_AT_ONCE = 250
SMALLEST_PRUNED = range(2, 9)  # quantised weights to try as the least to keep
RAREST = 2  # a relation that was lifted or joined must be met so often
#: bundled feature models for the pair of words that dag-arc-eager links
GRAPH_MODELS = ("dag-rich", "tokgoz-eryigit")
#: what can be chosen; the other fields of TrainingOptions are for trees
CHOICES = (
    "system",
    "policy",
    "k",
    "p",
    "features",
    "lifting",
    "iterations",
    "cutoff",
    "prune",
    "seed",
    "learner",
    "learner_options",
)


def train_dag(
    source: Source,
    dev: Source | None = None,
    *,
    options: TrainingOptions | None = None,
    init_from: object = None,
    on_error: str = "fail",
    format: str | None = None,
    observer: Any = None,
    licence: str = "",
    description: str = "",
    **choices: Any,
) -> DagParser:
    """Train a parser of dependency graphs; with a dev set, the best round on it is kept."""
    from treewright.training.trainer import TrainingObserver

    unknown = sorted(set(choices) - set(TrainingOptions.__dataclass_fields__))
    if unknown:
        raise CombinationError(f"there is no option {', '.join(unknown)}; there are: {', '.join(CHOICES)}")
    if init_from is not None or on_error != "fail":
        name = "--on-error" if init_from is None else "--init-from"
        raise CombinationError(f"graph parsers are trained from nothing, on whole treebanks: leave {name} out")
    if options is None and choices.get("learner", "perceptron") != "perceptron":
        choices.setdefault("cutoff", 1)
    training = GraphTraining(replace(options or TrainingOptions(), **choices), observer or TrainingObserver())
    training.prepare(source, dev, format)
    training.run()
    return training.result(licence, description)


class GraphTraining:
    """One training of a graph parser: the parts, and the rounds over them."""

    def __init__(self, options: TrainingOptions, observer: Any) -> None:
        _refuse_tree_options(options)
        self.options, self.observer = options, observer
        self.system = make_graph_system(options.system)
        self.model = graph_feature_model(options.features, options.system)
        check_addresses(self.model, self.system)
        self.batch: BatchLearner | None = None
        if options.learner != "perceptron":
            self.batch = graph_batch_learner(options, self.model)
            self.model = for_all_decisions(self.model)
        follows_oracle = self.batch is not None or "dynamic" not in self.system.oracles
        self.policy = options.policy or ("static" if follows_oracle else "explore")
        self.reports: list[Any] = []
        self.best: FrozenWeights | None = None
        self.best_scores: tuple[float, float, int] = (-1.0, -1.0, 0)
        self.dev: list[tuple[Block, list[list[list[Arc]]]]] = []
        self.dev_name = ""

    def prepare(self, source: Source, dev: Source | None, format: str | None) -> None:
        """Read, lift, number and encode the graphs."""
        self.name = _name(source)
        self.blocks = _blocks_with_graphs(source, format)
        graphs = [graph for block in self.blocks for graph in sentence_graphs(block)]
        _check_relations(graphs, self.name)
        graphs = [_with_heads(graph) for graph in with_patterns(self.blocks, graphs)]
        if self.options.lifting != "none":
            prepared = [prepare(graph, crossing=self.system.name == "dag-crossing") for graph in graphs]
        else:
            prepared = [[[arc for arc in arcs if arc[0] != w] for w, arcs in enumerate(g, 1)] for g in graphs]
        changed = sum(sorted(map(sorted, a)) != sorted(map(sorted, b)) for a, b in zip(graphs, prepared, strict=True))
        counts = Counter(relation for graph in prepared for arcs in graph for _, relation in arcs)
        numbers: dict[str, int] = {}
        arcs_of_words = [
            [(head, numbers.setdefault(_usual(relation, counts), len(numbers))) for head, relation in arcs]
            for graph in prepared
            for arcs in graph
        ]
        flat = Graphs(arcs_of_words)
        self.relations = list(numbers)
        classes, self.root_labels, self.word_labels = _classes(self.system, prepared, arcs_of_words)
        self.moves = Moves(self.system, classes, self.root_labels, self.word_labels)
        self.extractor = Extractor(self.model, self.relations)
        self.corpus = GraphCorpus(self.blocks, self.extractor.encoder, flat, self.system.root == "last")
        self.notes = [f"{len(flat) - self.corpus.n_words:,} arcs more than words"]
        if changed:
            self.notes.append(f"{changed:,} graphs lifted or joined")
        if dev is not None:
            self.dev = [(block, list(sentence_graphs(block))) for block in _blocks_with_graphs(dev, format)]
            self.dev_name = _name(dev)
        self.observer.prepared(self.corpus.n_sentences, self.corpus.n_words, self.notes)

    def run(self) -> None:
        """Train round by round; keep the best on dev (labelled F1), or the last."""
        options = self.options
        if self.batch is not None:
            self._run_batch(self.batch)
            return
        learner = Perceptron(len(self.system.kinds), self.moves.n_classes, options.cutoff)
        parser = GreedyGraphParser(self.system, self.extractor, self.moves, learner)
        k, p, _ = options.exploring()
        trainer = GraphTrainer(parser, learner, self.corpus, self.policy, k, p, options.seed)
        try:
            for _ in range(options.iterations):
                trainer.start_round()
                for first in range(0, self.corpus.n_sentences, SENTENCES_AT_ONCE):
                    trainer.learn(first, first + SENTENCES_AT_ONCE)
                    self.observer.advanced(min(SENTENCES_AT_ONCE, self.corpus.n_sentences - first))
                self._judge(learner, trainer)
            if options.prune and self.dev:
                self._prune()
        except KeyboardInterrupt:
            if self.best is None:
                self._judge(learner, trainer)
            self.observer.interrupted(len(self.reports))

    def _run_batch(self, learner: BatchLearner) -> None:
        from treewright.training.trainer import RoundReport

        weights = learn_graphs(learner, self.system, self.extractor, self.moves, self.corpus, self.options.cutoff)
        self.observer.advanced(self.corpus.n_sentences)
        unlabelled, labelled = self._f1(weights)
        self.best, self.best_scores = weights, (unlabelled, labelled, 1)
        uas, las = (unlabelled, labelled) if self.dev else (None, None)
        self.reports.append(RoundReport(1, math.nan, len(weights), uas, las, True))
        self.observer.round_done(self.reports[0])
        if self.options.prune and self.dev:
            self._prune()

    def _judge(self, learner: Perceptron, trainer: GraphTrainer) -> None:
        from treewright.training.trainer import RoundReport

        if not self.dev and trainer.round < self.options.iterations:
            weights, unlabelled, labelled = None, 0.0, 0.0
        else:
            weights = freeze(learner)
            unlabelled, labelled = self._f1(weights)
        best = weights is not None and (not self.dev or labelled > self.best_scores[1])
        report = RoundReport(
            trainer.round,
            trainer.mistakes / max(1, trainer.decisions),
            len(learner),
            unlabelled if self.dev else None,
            labelled if self.dev else None,
            best,
        )
        self.reports.append(report)
        if best:
            self.best, self.best_scores = weights, (unlabelled, labelled, trainer.round)
        self.observer.round_done(report)

    def _prune(self) -> None:
        """Leave out features with small weights, as many as dev does not miss."""
        assert self.best is not None
        original = self.best
        for least in SMALLEST_PRUNED:
            smaller = prune(original, least)
            unlabelled, labelled = self._f1(smaller)
            if labelled < self.best_scores[1]:
                break
            self.best, self.best_scores = smaller, (unlabelled, labelled, self.best_scores[2])

    def _f1(self, weights: FrozenWeights) -> tuple[float, float]:
        """Return unlabelled and labelled F1 over all arcs of dev."""
        if not self.dev:
            return 0.0, 0.0
        parser = DagParser(self._settings(), weights, {})
        right = right_heads = total = 0
        for block, gold in self.dev:
            for ours, theirs in zip(parser.parse_graphs(block), gold, strict=True):
                for mine, wanted in zip(ours, theirs, strict=True):
                    right += len(set(mine) & set(wanted))
                    right_heads += len({head for head, _ in mine} & {head for head, _ in wanted})
                    total += len(mine) + len(wanted)
        return 200 * right_heads / max(1, total), 200 * right / max(1, total)

    def _settings(self) -> dict[str, Any]:
        return {
            "system": self.system.name,
            "features": str(self.model),
            "feature_model": self.model.name,
            "relations": self.relations,
            "classes": [list(pair) for pair in self.moves.classes],
            "root_labels": self.root_labels,
            "word_labels": self.word_labels,
        }

    def result(self, licence: str, description: str) -> DagParser:
        """Return the trained parser."""
        from treewright import __version__

        if self.best is None:
            raise TreewrightError("training ended before there was anything to keep")
        options = self.options
        recipe = {
            "system": self.system.name,
            "policy": self.policy,
            "features": self.model.name,
            "lifting": options.lifting or "head",
            "iterations": options.iterations,
            "cutoff": options.cutoff,
            "seed": options.seed,
            "learner": options.learner,
        }
        if self.policy == "explore":
            recipe["k"], recipe["p"], _ = options.exploring()
        columns = [column for column in self.model.columns if any(_is_filled(block, column) for block in self.blocks)]
        info: dict[str, Any] = {
            "version": __version__,
            "recipe": recipe,
            "columns": columns,
            "training": {
                "name": self.name,
                "sentences": self.corpus.n_sentences,
                "words": self.corpus.n_words,
                "notes": self.notes,
                "rounds": len(self.reports),
            },
            "licence": licence,
            "description": description,
        }
        if self.dev:
            unlabelled, labelled, best = self.best_scores
            info["dev"] = {
                "name": self.dev_name,
                "round": best,
                "uas": round(unlabelled, 2),
                "las": round(labelled, 2),
                "measure": "F1 over all arcs of the graphs",
            }
        return DagParser(self._settings(), self.best, info)


def _refuse_tree_options(options: TrainingOptions) -> None:
    default = TrainingOptions()
    for name in TrainingOptions.__dataclass_fields__:
        if name not in CHOICES and getattr(options, name) != getattr(default, name):
            raise CombinationError(f"{options.system} has no choice of {name}: it is for trees. Leave the option out")
    options.check()
    if options.system == "dag-shift-reduce" and options.policy not in (None, "static"):
        raise CombinationError(f"{options.system} has a static oracle only, so no policy {options.policy}")
    if options.policy not in (None, "static", "ambiguity", "explore"):
        raise CombinationError(f"{options.system} has the policies static, ambiguity and explore, not {options.policy}")
    if options.lifting not in (None, "none", "head"):
        raise CombinationError(f"graphs are lifted with the scheme head or not at all, not {options.lifting}")


def _check_relations(graphs: list[list[list[Arc]]], name: str) -> None:
    for relation in {relation for graph in graphs for arcs in graph for _, relation in arcs}:
        if any(sign in relation for sign in SIGNS):
            raise TreebankError(
                f"the relation {relation!r} contains a sign that lifting needs ({' '.join(SIGNS)})",
                source=name,
                remedy="Write it otherwise",
            )


def _with_heads(graph: list[list[Arc]]) -> list[list[Arc]]:
    """Hang words without any head on a neighbour: every word must have one to leave the stack. Writing undoes it."""
    n = len(graph)
    if not any(graph):
        return graph
    return [arcs or [(word + 1 if word < n else n - 1, NO_HEAD)] for word, arcs in enumerate(graph, 1)]


def _usual(relation: str, counts: Counter[str]) -> str:
    return relation if counts[relation] >= RAREST else reduce_relation(relation)


def _name(source: Source) -> str:
    return os.path.basename(os.fspath(source)) if isinstance(source, (str, os.PathLike)) else "data"


def _is_filled(block: Block, column: str) -> bool:
    from treewright.treebank.checks import is_filled

    place = block.layout.index(column)
    return bool(place >= 0 and block.n_words and is_filled(block, place))


def _blocks_with_graphs(source: Source, format: str | None) -> list[Block]:
    blocks = []
    for block in read_blocks(source, format):
        check(block)
        if block.n_words:
            blocks.append(block)
    if not any(_is_filled(block, "DEPS") for block in blocks):
        raise TreebankError(
            "no graphs to learn from",
            source=_name(source),
            remedy="Training a graph parser needs heads in the column DEPS; for trees choose another system",
        )
    return blocks


def _classes(
    system: GraphSystem, graphs: list[list[list[Arc]]], arcs_of_words: list[list[tuple[int, int]]]
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


def graph_feature_model(name: str, system: str) -> FeatureModel:
    """Return the feature model of that name for a system of graphs; ``rich`` stands for the one that is for graphs."""
    if name == "rich":
        name = "dag-crossing" if system == "dag-crossing" else "dag-rich"
    model = load_feature_model(name)
    return for_dag_shift_reduce(model) if system == "dag-shift-reduce" and name in GRAPH_MODELS else model
