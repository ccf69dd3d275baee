"""Training a transition parser with the perceptron: greedily, or with a beam."""

from __future__ import annotations

from array import array
from dataclasses import replace
from itertools import pairwise
from typing import Any

from treewright.errors import CombinationError, TreebankError
from treewright.features.bundled import feature_model_for
from treewright.features.extractor import Extractor
from treewright.features.fitting import check_addresses
from treewright.features.templates import FeatureModel
from treewright.kinds.transition.derivable import keep_derivable
from treewright.kinds.transition.engines.beam import BeamParser
from treewright.kinds.transition.engines.greedy import GreedyParser
from treewright.kinds.transition.learning.beam_trainer import BeamTrainer
from treewright.kinds.transition.learning.confidence import fit_confidence, fit_margin
from treewright.kinds.transition.learning.corpus import Corpus, collect_classes, sentence_offsets, trees_of
from treewright.kinds.transition.learning.online import OnlineTrainer, accuracy
from treewright.kinds.transition.learning.rare_labels import merge_rare_labels
from treewright.kinds.transition.learning.rounds import Rounds
from treewright.kinds.transition.learning.rounds_policy import RoundsPolicy
from treewright.kinds.transition.leaves import leaves_in_trees
from treewright.kinds.transition.linear import LearntWeights, scorer_of
from treewright.kinds.transition.parser import TransitionParser, engine_for
from treewright.kinds.transition.perceptron import PerceptronStrategy, for_all_decisions
from treewright.kinds.transition.recipe import TransitionRecipe, weights_in
from treewright.kinds.transition.settings import LinearSettings
from treewright.learners.estimator import Estimator
from treewright.steps.step import Step
from treewright.systems import make_system
from treewright.systems.rules.learning import learn_rules
from treewright.systems.rules.table import RuleTable
from treewright.systems.system import System
from treewright.training.gathering import Gathered
from treewright.training.observer import DevScore, TrainingObserver
from treewright.training.repeated import RepeatedTraining
from treewright.training.strategy import Advanced, Strategy, going_on_from
from treewright.treebank.blocks.interner import Interner
from treewright.treebank.lifting.deprojectivizer import Deprojectivizer
from treewright.treebank.lifting.lifted_labels import decode
from treewright.treebank.lifting.lifting import projectivize


class TransitionStrategy(PerceptronStrategy[TransitionParser]):
    """Lifts, numbers and encodes trees, and learns the moves that build them."""

    recipe: TransitionRecipe

    def __init__(self, recipe: TransitionRecipe, base: TransitionParser | None = None) -> None:
        self.recipe, self.seed = recipe, recipe.seed
        self.start_from(base)
        self.system = make_system(recipe.system, root=recipe.root, single_root=recipe.single_root, costs=recipe.costs)
        self.single_root = recipe.single_root
        self.model = self.feature_model()
        if recipe.beam > 1:
            self.counted = "wrong sentences"
        decision = recipe.decision or ("joint" if recipe.beam > 1 else self.model.decision)
        self.split = decision == "split"
        self.recipe = replace(recipe, decision=decision)
        self.rounds, self.repeated = recipe.iterations, RepeatedTraining(1, recipe.iterations)
        self.columns = self.model.columns
        self.dev: Corpus | None = None

    def feature_model(self) -> FeatureModel:
        """Return the feature model that the recipe names, or that of the parser to go on from."""
        model = self.base_model or feature_model_for(self.recipe.features, self.recipe.system)
        check_addresses(model, self.system)
        return model if self.recipe.kind_weights else for_all_decisions(model)

    def prepare(self, data: Gathered, dev: Gathered | None, observer: TrainingObserver) -> None:
        """Lift, number and encode the trees."""
        self.data = data
        self.take_clusters(data)
        interner = Interner(self.base_relations)
        heads, labels = trees_of(data.blocks, interner)
        self.leaf_tags, notes = leaves_in_trees(
            self.recipe.governors, data, heads, labels, self.recipe.single_root, self.base_leaf_tags
        )
        offsets = sentence_offsets(data.blocks)
        scheme = self.recipe.scheme
        if self.recipe.lifting != "none":
            lifted = projectivize(heads, labels, offsets, interner, scheme)
            notes += [f"{lifted:,} arcs lifted ({self.recipe.lifting})"] if lifted else []
        self.notes = notes
        self._check_lifted(heads, offsets)
        labels, self.relations = merge_rare_labels(labels, list(interner.strings), scheme, len(self.base_relations))
        self.number_moves(*collect_classes(offsets, heads, labels, self.system))
        self.lifting = Deprojectivizer(self.relations, scheme)
        self.rules = learn_rules(data.gold_blocks, self.base_rules) if self.recipe.rules == "learnt" else ()
        table = RuleTable(self.rules, self.lifting.decoded_relations, scheme) if self.rules else None
        self.extractor = Extractor(self.model, self.relations, self.leaf_tags, self.clusters, table)
        root_last = self.system.root == "last"
        self.corpus = Corpus(data.blocks, self.extractor.encoder, root_last, heads, labels)
        if self.recipe.policy == "static":
            self.notes = [*self.notes, *keep_derivable(self.corpus, self.system, "tree")]
        if dev is not None:
            dev_heads, dev_labels = trees_of(dev.blocks, Interner(self.lifting.decoded_relations))
            self.dev = Corpus(dev.blocks, self.extractor.encoder, root_last, dev_heads, dev_labels)
        if not self.recipe.is_batch:
            self.repeated = RepeatedTraining(self.recipe.trainings, self.recipe.iterations)
            self.rounds = self.repeated.rounds
        self.start()

    def learn(self, number: int, advanced: Advanced) -> float:
        """Learn for one round; where there are several trainings, the next one begins with another seed."""
        if self.repeated.begins_again(number):
            self.repeated.add(self.learner)
            self.seed = self.recipe.seed + (number - 1) // self.repeated.rounds_of_one
            self.start()
        return super().learn(number, advanced)

    def weights(self) -> LearntWeights:
        """Return the averaged weights, of all trainings."""
        return self.kept_weights(self.repeated.mean(self.learner))

    def score_under_way(self) -> DevScore:
        """DevScore the training under way on dev."""
        return self.score(self.kept_weights(self.learner))

    @property
    def trainings(self) -> int:
        """How many trainings there are, of which the mean is kept."""
        return self.repeated.trainings

    @property
    def selects(self) -> bool:
        """Is the best round on dev kept? Several trainings are kept as their mean."""
        return super().selects and self.trainings == 1

    def _check_lifted(self, heads: array[int], offsets: array[int]) -> None:
        """Lifting can lead to more roots where there were several; a single-root parser cannot learn these."""
        if not self.recipe.single_root:
            return
        for start, end in pairwise(offsets):
            if sum(head == 0 for head in heads[start:end]) > 1:
                raise TreebankError(
                    "a tree with several roots after lifting",
                    source=self.recipe.scheme,
                    remedy="Use --on-error fix, or --no-single-root",
                )

    def start(self) -> None:
        """Make the learner and what runs it over the corpus."""
        self.make_learner()
        parser = engine_for(self.system)(self.system, self.extractor, self.moves, self.learner, self.split)
        self.trainer = self._trainer(parser)

    def _trainer(self, parser: GreedyParser) -> Rounds:
        recipe = self.recipe
        k, p, zero_cost = recipe.exploring()
        policy = recipe.policy or "explore"
        if recipe.beam > 1:
            p = p if recipe.exploration == "2013" else 1 - p  # that of going on, whichever way the paper writes it
            rounds = RoundsPolicy(policy, k, p, self.seed)
            return BeamTrainer(parser, self.learner, self.corpus, recipe.beam, recipe.update, rounds)
        return trainer_for(self.system)(
            parser,
            self.learner,
            self.corpus,
            RoundsPolicy(policy, k, p, self.seed, recipe.exploration, zero_cost),
            recipe.cost_sensitive,
            recipe.passive_aggressive,
            recipe.aggressiveness,
            self._arc_weights(),
        )

    def _arc_weights(self) -> list[int] | None:
        """Return the weight of every relation, or None if all arcs weigh the same; subtypes go with their relation."""
        weights = weights_in(self.recipe.arc_weights)
        if not weights:
            return None
        plain = [decode(name, self.recipe.scheme).base for name in self.relations]
        unused = sorted(set(weights) - {form for name in plain for form in (name, name.partition(":")[0])})
        if unused:
            raise CombinationError(f"arc_weights: no arc of the treebank has the relation {unused[0]}")
        return [weights.get(name, weights.get(name.partition(":")[0], 1)) for name in plain]

    @property
    def n_sentences(self) -> int:
        """How many sentences there are to learn from."""
        return self.corpus.n_sentences

    def engine(self, weights: LearntWeights) -> GreedyParser:
        """Return what parses with some weights."""
        scorer = scorer_of(weights, self.system)
        parts = self.system, self.extractor, self.moves, scorer, self.split, self.lifting
        engine = engine_for(self.system)(*parts)
        return engine if self.recipe.beam == 1 else BeamParser(engine, self.recipe.beam)

    def score(self, weights: LearntWeights) -> DevScore:
        """Return the attachment scores on dev."""
        assert self.dev is not None
        engine = self.engine(weights)
        heads, right, words = accuracy(engine, self.dev)
        engine.scorer.raise_failure()
        return DevScore(right, {"UAS": 100 * heads / max(1, words), "LAS": 100 * right / max(1, words)})

    def settings(self) -> LinearSettings:
        """Return what a model file keeps beside the weights."""
        settings = self.linear_settings(self.system.settings(), self.relations)
        settings["split"], settings["lifting"] = self.split, self.recipe.scheme
        return settings

    def finish(self, weights: LearntWeights, info: dict[str, Any]) -> TransitionParser:
        """Return the parser, its confidences fitted on dev."""
        settings = self.settings()
        if self.recipe.beam > 1:
            settings["beam"] = self.recipe.beam
        if self.dev is not None and self.recipe.beam > 1:
            beam = self.engine(weights)
            assert isinstance(beam, BeamParser)
            settings["beam_margin"] = fit_margin(beam, self.dev)
            settings["beam_confidence"] = fit_confidence(beam, self.dev)
        elif self.dev is not None and self.recipe.calibration != "none":
            from treewright.kinds.transition.calibration import calibrate

            parser = TransitionParser(settings, weights, info)
            settings["confidence"], info["calibration"] = calibrate(parser.engine, self.dev, self.recipe.calibration)
        return TransitionParser(settings, weights, info)


def trainer_for(system: System) -> type[OnlineTrainer]:
    """Return the trainer for a system: one configuration after the other, or all places of the list at once."""
    if system.has_places:
        from treewright.kinds.transition.learning.easy_first import EasyFirstTrainer

        return EasyFirstTrainer
    return OnlineTrainer


def strategy(
    recipe: TransitionRecipe, base: Step | None = None, estimator: Estimator | None = None
) -> Strategy[Any, Any]:
    """Return what trains a transition parser by a recipe, going on from another where one is given."""
    old = going_on_from(TransitionParser, base)
    if not recipe.is_batch:
        return TransitionStrategy(recipe, old)
    from treewright.kinds.transition.batch import BatchStrategy

    return BatchStrategy(recipe, old, estimator)
