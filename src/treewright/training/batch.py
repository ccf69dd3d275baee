"""Training with batch learners: gather instances, learn, and with DAgger gather more where the model went.

The policy ``static`` learns from the static oracle's path. ``dagger`` (Ross, Gordon & Bagnell 2011) then parses the
training data with what was learnt, adds the dynamic oracle's answers in the configurations that were visited, and
learns again from all instances so far, round by round.
"""

from __future__ import annotations

import math
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from treewright.errors import CombinationError
from treewright.features.language import parse_model
from treewright.features.templates import FeatureModel
from treewright.learners.batch import BatchLearner, LinearModel, Machine, learner_class, learner_names
from treewright.learners.decisions import ForeignScorer, decision_names, plain_kinds
from treewright.learners.frozen import FrozenWeights
from treewright.learners.learner import Moves
from treewright.learners.linear_export import freeze_matrix
from treewright.learners.problem import Problem
from treewright.learners.table import LinearTable
from treewright.parsing.greedy import GreedyParser
from treewright.parsing.machine_weights import MachineWeights
from treewright.systems import make_system
from treewright.systems.system import System
from treewright.training.instances import InstanceCollector
from treewright.training.online import accuracy
from treewright.training.options import TrainingOptions
from treewright.training.trainer import SENTENCES_AT_ONCE, RoundReport, TrainingObserver, _Training

if TYPE_CHECKING:
    from treewright.parsing.parser import Parser

BOTH = ("moves", "labels")
CONSTANT = "distance(stack[0], stack[0])"  # always 0: the feature that every configuration has


class BatchTraining(_Training):
    """One training of a batch learner."""

    def __init__(
        self, options: TrainingOptions, base: Parser | None, observer: TrainingObserver, estimator: Any = None
    ) -> None:
        if base is not None:
            raise CombinationError(
                f"{options.learner} learns from all instances at once, and cannot go on from a model: leave --init-from"
                " out, or choose --learner perceptron"
            )
        check_places(make_system(options.system), options.learner)
        self.dump_to: str | os.PathLike[str] | None = None
        self.learner = self._make_learner(options, estimator)
        super().__init__(options, base, observer)
        self.split = False
        self.rounds = 1 + (options.dagger_rounds if self.policy == "dagger" else 0)

    def _make_learner(self, options: TrainingOptions, estimator: Any) -> BatchLearner:
        if estimator is not None:
            from treewright.learners.sklearn import EstimatorLearner

            return EstimatorLearner(estimator)
        kind = learner_class(options.learner)
        if options.split_on and not kind.splits:
            raise CombinationError(
                f"{options.learner} does not split its instances: --split-on is for libsvm, whose training time it cuts"
            )
        learner = kind(options.learner_options)
        learner.seed = options.seed
        return learner

    def _feature_model(self) -> FeatureModel:
        """All templates help with all decisions: kind and relation are one to a batch learner."""
        model = super()._feature_model()
        templates = tuple(replace(template, parts=BOTH) for template in model.templates)
        if self.learner.wants_bias:
            constant = parse_model(CONSTANT, model.name).templates
            templates += tuple(template for template in constant if str(template) not in map(str, templates))
        model = replace(model, templates=templates, decision="joint")
        if self.learner.fixed_columns and has_lists(model):
            raise CombinationError(
                f"{self.learner.name} needs a fixed number of columns, and the feature model {model.name} has templates"
                " with `each`, which give any number: choose --features malt or zhang-nivre"
            )
        if self.options.split_on:
            self._split_column(model)
        self.learner.check(model)
        return model

    def _split_column(self, model: FeatureModel) -> None:
        names = [str(template) for template in in_key_order(model)]
        asked = str(parse_model(self.options.split_on, "--split-on").templates[0])
        if has_lists(model) or asked not in names:
            simple = ", ".join(name for name in names if "&" not in name)
            raise CombinationError(
                f"--split-on {self.options.split_on!r} is no template of the feature model {model.name}. Of its"
                f" templates, those of one function are: {simple}"
            )
        self.learner.column, self.learner.threshold = names.index(asked), self.options.split_threshold

    def run(self) -> None:
        """Gather, learn and judge, once or in DAgger's rounds; keep the best on dev, or the last."""
        self.problem = Problem(len(decision_names(self.system, self.moves, self.relations)))
        self.names = self._feature_names()
        parser = GreedyParser(self.system, self.extractor, self.moves, _Nothing(self.moves).scorer, False)
        try:
            for number in range(self.rounds):
                collector = InstanceCollector(parser, self.corpus, self.problem, self.names)
                walk = collector.follow_model if number else collector.follow_oracle
                for first in range(0, self.corpus.n_sentences, SENTENCES_AT_ONCE):
                    walk(first, first + SENTENCES_AT_ONCE)
                    self.observer.advanced(min(SENTENCES_AT_ONCE, self.corpus.n_sentences - first))
                parser.scorer.raise_failure()
                mistakes = collector.mistakes / max(1, collector.decisions) if number else math.nan
                weights = self._learn()
                self._judge_batch(weights, number + 1, mistakes)
                parser = self._parser(weights)
        except KeyboardInterrupt:
            if self.best.weights is None:
                raise
            self.observer.interrupted(len(self.reports))
        self._dump()
        if self.options.prune and self.dev is not None and isinstance(self.best.weights, FrozenWeights):
            self._prune()

    def _learn(self) -> FrozenWeights | MachineWeights:
        problem = self.problem.without_rare(self.options.cutoff)
        learnt = self.learner.fit(problem)
        plain = plain_kinds(self.system)
        if isinstance(learnt, LinearModel):
            return freeze_matrix(
                problem.index,
                learnt.weights,
                learnt.columns,
                plain,
                self.moves,
                len(self.system.kinds),
                learnt.bias,
                self._constant(problem) if learnt.bias is not None else 0,
            )
        assert isinstance(learnt, Machine)
        return MachineWeights(self.learner.name, learnt, problem.index, self.moves.n_classes)

    def _constant(self, problem: Problem) -> int:
        """Return the number of the feature that every configuration has."""
        names = [str(template) for template in in_key_order(self.model)]
        return problem.instance(0)[0][names.index(str(parse_model(CONSTANT, "").templates[0]))]

    def _parser(self, weights: Any) -> GreedyParser:
        scorer = LinearTable(weights) if isinstance(weights, FrozenWeights) else weights.scorer(self.system)
        return GreedyParser(self.system, self.extractor, self.moves, scorer, False, self.lifting)

    def _accuracy(self, weights: Any) -> tuple[int, int, int]:
        if self.dev is None:
            return 0, 0, 0
        parser = self._parser(weights)
        found = accuracy(parser, self.dev)
        parser.scorer.raise_failure()
        return found

    def _judge_batch(self, weights: Any, number: int, mistakes: float) -> None:
        right_heads, right, words = self._accuracy(weights)
        best = self.dev is None or right > self.best.right
        report = RoundReport(
            number,
            mistakes,
            len(weights),
            100 * right_heads / words if words else None,
            100 * right / words if words else None,
            best,
        )
        self.reports.append(report)
        if best:
            self.best = replace(self.best, weights=weights, right=right, right_heads=right_heads, report=report)
        self.observer.round_done(report)

    def _feature_names(self) -> Any:
        if not self.dump_to:
            return None
        from treewright.training.dumping import FeatureNames

        return FeatureNames(self.extractor, self.data.blocks)

    def _dump(self) -> None:
        if self.dump_to:
            from treewright.training.dumping import dump

            names = decision_names(self.system, self.moves, self.relations)
            dump(self.dump_to, self.problem, in_key_order(self.model), self.names, names)


def batch_training(
    options: TrainingOptions,
    base: Parser | None,
    observer: TrainingObserver,
    estimator: Any,
    dump_to: str | os.PathLike[str] | None,
) -> BatchTraining:
    """Return the training of a batch learner."""
    if options.learner == "perceptron":
        raise CombinationError(
            "the perceptron learns move by move, from no fixed instances: for --dump-instances choose --learner"
            f" {', '.join(learner_names())}"
        )
    if options.learner == "sklearn" and estimator is None:
        raise CombinationError(
            "a scikit-learn classifier is given as an object, from Python: train(…, learner=SGDClassifier())"
        )
    training = BatchTraining(options, base, observer, estimator)
    if dump_to is not None:
        from treewright.training.dumping import check_dump

        check_dump(dump_to, training.model)
        training.dump_to = dump_to
    return training


def check_places(system: System, learner: str) -> None:
    """Refuse systems whose decision is among moves at many places."""
    if system.has_places and learner != "perceptron":
        raise CombinationError(
            f"{system.name} chooses among moves at many places, and batch learners among the moves at one:"
            " choose --system arc-eager, or --learner perceptron"
        )


class _Nothing(Machine):
    """Scores nothing: the static oracle's path asks nobody."""

    def __init__(self, moves: Moves) -> None:
        from treewright.learners.feature_index import FeatureIndex

        self.scorer: Any = ForeignScorer(FeatureIndex(), [], moves.n_classes, self)


def has_lists(model: FeatureModel) -> bool:
    """Do some templates give any number of features?"""
    return any(("each", 0) in getattr(f, "mappings", ()) for t in model.templates for f in t.functions)


def in_key_order(model: FeatureModel) -> list[Any]:
    """Return the templates in the order of the keys that the extractor gives, all parts being the same."""

    def shape(template: Any) -> int:
        lists = any(("each", 0) in getattr(f, "mappings", ()) for f in template.functions)
        return 5 if lists else len(template.functions)

    return sorted(model.templates, key=shape)
