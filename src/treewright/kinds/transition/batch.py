"""Training with batch learners: gather instances, learn, and with DAgger gather more where the model went.

The policy ``static`` learns from the static oracle's path. ``dagger`` (Ross, Gordon & Bagnell 2011) then parses the
training data with what was learnt, adds the dynamic oracle's answers in the configurations that it visited, and
learns again from all instances so far, round by round.
"""

from __future__ import annotations

import math
import os
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from treewright.errors import CombinationError
from treewright.features.language import parse_model
from treewright.features.program import in_key_order
from treewright.features.templates import FeatureModel
from treewright.kinds.transition.engines.greedy import GreedyParser
from treewright.kinds.transition.learning.instances import InstanceCollector
from treewright.kinds.transition.linear import LearntWeights
from treewright.kinds.transition.machine_weights import MachineWeights
from treewright.kinds.transition.parser import TransitionParser
from treewright.kinds.transition.perceptron import for_all_decisions
from treewright.kinds.transition.recipe import TransitionRecipe
from treewright.kinds.transition.training import TransitionStrategy
from treewright.learners.batch import BatchLearner, LinearModel, Machine, learner_class
from treewright.learners.decisions import ForeignScorer, decision_names, plain_kinds
from treewright.learners.learner import Moves
from treewright.learners.linear_export import freeze_matrix
from treewright.learners.problem import Problem
from treewright.training.strategy import Advanced, in_batches, share

if TYPE_CHECKING:
    from treewright.kinds.transition.dumping import FeatureNames
    from treewright.learners.estimator import Estimator

CONSTANT = "distance(stack[0], stack[0])"  # always 0: the feature that every configuration has


class KeepsWhatWasLearnt:
    """What the strategies of batch learners share, of trees and of graphs: there is nothing before the first fit."""

    _learnt: LearntWeights | None = None

    @property
    def has_learnt(self) -> bool:
        """Is there anything to keep if training ends now?"""
        return self._learnt is not None

    @property
    def n_features(self) -> int:
        """How many features the learner knows."""
        return len(self._learnt) if self._learnt is not None else 0

    def weights(self) -> LearntWeights:
        """Return what was learnt last."""
        assert self._learnt is not None
        return self._learnt


class BatchStrategy(KeepsWhatWasLearnt, TransitionStrategy):
    """Learns the moves that build trees with a learner of another library."""

    def __init__(
        self, recipe: TransitionRecipe, base: TransitionParser | None = None, estimator: Estimator | None = None
    ) -> None:
        if base is not None:
            raise CombinationError(
                f"{recipe.learner} learns from all instances at once and cannot go on from a model: leave --init-from"
                " out, or choose --learner perceptron"
            )
        self.recipe = recipe
        self.batch_learner = self._make_learner(estimator)
        self._dump_path: str | os.PathLike[str] | None = None
        super().__init__(recipe)
        self.rounds = 1 + (recipe.dagger_rounds if recipe.policy == "dagger" else 0)

    def _make_learner(self, estimator: Estimator | None) -> BatchLearner:
        recipe = self.recipe
        if recipe.learner == "sklearn":
            if estimator is None:
                raise CombinationError(
                    "a scikit-learn classifier is given as an object, from Python: train(…, learner=SGDClassifier())"
                )
            from treewright.learners.sklearn import EstimatorLearner

            return EstimatorLearner(estimator)
        kind = learner_class(recipe.learner)
        if recipe.split_on and not kind.splits:
            raise CombinationError(
                f"{recipe.learner} does not split its instances: --split-on is for libsvm, whose training time it cuts"
            )
        learner = kind(recipe.learner_options)
        learner.seed = recipe.seed
        return learner

    def feature_model(self) -> FeatureModel:
        """Return the feature model with all templates for all decisions: to a batch learner they are one."""
        model = for_all_decisions(super().feature_model())
        learner = self.batch_learner
        if learner.wants_bias:
            constant = parse_model(CONSTANT, model.name).templates
            known = {str(template) for template in model.templates}
            extra = tuple(template for template in constant if str(template) not in known)
            model = replace(model, templates=(*model.templates, *extra))
        if learner.fixed_columns and model.has_lists:
            raise CombinationError(
                f"{learner.name} needs a fixed number of columns, but the feature model {model.name} has templates"
                " with `each`, which give any number: choose --features malt or zhang-nivre"
            )
        if self.recipe.split_on:
            self._split_column(model)
        learner.check(model)
        return model

    def _split_column(self, model: FeatureModel) -> None:
        names = [str(template) for template in in_key_order(model)]
        asked = str(parse_model(self.recipe.split_on, "--split-on").templates[0])
        if model.has_lists or asked not in names:
            simple = ", ".join(name for name in names if "&" not in name)
            raise CombinationError(
                f"--split-on {self.recipe.split_on!r} is not a template of the feature model {model.name}. Its"
                f" templates with one function are: {simple}"
            )
        self.batch_learner.column, self.batch_learner.threshold = names.index(asked), self.recipe.split_threshold

    def dump_to(self, path: str | os.PathLike[str]) -> None:
        """Write the instances to a file as well."""
        from treewright.kinds.transition.dumping import check_dump

        check_dump(path, self.model)
        self._dump_path = path

    def start(self) -> None:
        """Make the problem that instances are gathered in."""
        self.problem = Problem(len(decision_names(self.system, self.moves, self.relations)))
        self.names = self._feature_names()
        self.parser = GreedyParser(self.system, self.extractor, self.moves, _Nothing(self.moves).scorer, False)

    def learn(self, number: int, advanced: Advanced) -> float:
        """Gather instances, on the oracle's path or on the model's, and learn from all so far."""
        if self._learnt is not None:
            self.parser = self.engine(self._learnt)
        collector = InstanceCollector(self.parser, self.corpus, self.problem, self.names)
        walk = collector.follow_model if number > 1 else collector.follow_oracle
        in_batches(walk, self.n_sentences, self.batch_size, advanced)
        self.parser.scorer.raise_failure()
        self._learnt = self._fit()
        return share(collector.mistakes, collector.decisions) if number > 1 else math.nan

    def _fit(self) -> LearntWeights:
        problem = self.problem.without_rare(self.recipe.needed)
        if self.names is not None:
            self.batch_learner.texts = self.names.in_order(problem)
        learnt = self.batch_learner.fit(problem)
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
        return MachineWeights(self.batch_learner.name, learnt, problem.index, self.moves.n_classes)

    def _constant(self, problem: Problem) -> int:
        """Return the number of the feature that every configuration has."""
        names = [str(template) for template in in_key_order(self.model)]
        return problem.instance(0)[0][names.index(str(parse_model(CONSTANT, "").templates[0]))]

    def finish(self, weights: LearntWeights, info: dict[str, Any]) -> TransitionParser:
        """Write the instances if they are wanted; return the parser."""
        if self._dump_path is not None and self.names is not None:
            from treewright.kinds.transition.dumping import dump

            decisions = decision_names(self.system, self.moves, self.relations)
            dump(self._dump_path, self.problem, in_key_order(self.model), self.names, decisions)
        return super().finish(weights, info)

    def _feature_names(self) -> FeatureNames | None:
        if self._dump_path is None and not self.batch_learner.wants_texts:
            return None
        from treewright.kinds.transition.dumping import FeatureNames

        return FeatureNames(self.extractor, self.data.blocks)


class _Nothing(Machine):
    """Scores nothing: the static oracle's path asks nobody."""

    def __init__(self, moves: Moves) -> None:
        from treewright.learners.feature_index import FeatureIndex

        self.scorer: Any = ForeignScorer(FeatureIndex(), [], moves.n_classes, self)
