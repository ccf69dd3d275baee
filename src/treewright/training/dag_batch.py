"""Static systems for graphs with a batch learner: maximum entropy, as in Tokgöz & Eryiğit 2015."""

from __future__ import annotations

from dataclasses import replace

from treewright.errors import CombinationError
from treewright.features.extractor import Extractor
from treewright.features.templates import FeatureModel
from treewright.learners.batch import BatchLearner, LinearModel, learner_class
from treewright.learners.decisions import plain_kinds
from treewright.learners.frozen import FrozenWeights
from treewright.learners.learner import Moves
from treewright.learners.linear_export import freeze_matrix
from treewright.learners.perceptron import Perceptron
from treewright.learners.problem import Problem
from treewright.parsing.dag_greedy import GreedyGraphParser
from treewright.systems.graph_system import GraphSystem
from treewright.training.dag_online import GraphCorpus, GraphInstances
from treewright.training.options import TrainingOptions

BOTH = ("moves", "labels")


def graph_batch_learner(options: TrainingOptions, model: FeatureModel) -> BatchLearner:
    """Return the learner that the options name; refuse what graphs cannot be learnt with."""
    if options.policy not in (None, "static"):
        raise CombinationError(
            f"{options.learner} learns from all instances at once: for graphs choose --policy static, or --learner"
            " perceptron"
        )
    learner = learner_class(options.learner)(options.learner_options)
    if learner.wants_bias or learner.machine is not None or learner.fixed_columns:
        raise CombinationError(
            "graphs are learnt by the perceptron or by liblinear, without -B: its solvers 0, 6, 7 are maximum entropy"
        )
    learner.seed = options.seed
    learner.check(model)
    return learner


def for_all_decisions(model: FeatureModel) -> FeatureModel:
    """Return the model with all templates for kind and relation: to a batch learner they are one."""
    return replace(model, templates=tuple(replace(template, parts=BOTH) for template in model.templates))


def learn_graphs(
    learner: BatchLearner, system: GraphSystem, extractor: Extractor, moves: Moves, corpus: GraphCorpus, cutoff: int
) -> FrozenWeights:
    """Gather the instances of the static oracle, and learn from them."""
    nobody = Perceptron(len(system.kinds), moves.n_classes)
    plain = plain_kinds(system)
    problem = Problem(len(plain) + moves.n_classes)
    collector = GraphInstances(GreedyGraphParser(system, extractor, moves, nobody), corpus, problem)
    collector.follow_oracle(0, corpus.n_sentences)
    problem = problem.without_rare(cutoff)
    learnt = learner.fit(problem)
    if not isinstance(learnt, LinearModel):
        raise CombinationError(f"graphs need a linear learner, and {learner.name} is none: choose --learner liblinear")
    return freeze_matrix(
        problem.index, learnt.weights, learnt.columns, plain, moves, len(system.kinds), avoid_unseen=True
    )
