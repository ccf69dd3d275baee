"""From treebank to parser."""

from __future__ import annotations

import os
from array import array
from dataclasses import dataclass, replace
from importlib import import_module
from itertools import pairwise
from typing import Any, NamedTuple

from treewright.errors import CombinationError, TreebankError, TreewrightError
from treewright.features.bundled import check_addresses, feature_model_for
from treewright.features.extractor import Extractor
from treewright.features.language import parse_model
from treewright.features.templates import FeatureModel
from treewright.learners.frozen import FrozenWeights, freeze, prune, thaw
from treewright.learners.learner import Moves
from treewright.learners.perceptron import Perceptron
from treewright.learners.table import LinearTable
from treewright.parsing.beam import BeamParser
from treewright.parsing.parser import Parser
from treewright.parsing.transition import TransitionParser, engine_for
from treewright.systems import make_system
from treewright.systems.system import System
from treewright.training.beam_confidence import fit_confidence, fit_margin
from treewright.training.beam_trainer import BeamTrainer
from treewright.training.corpus import Corpus, collect_classes, sentence_offsets, trees_of
from treewright.training.gathering import Gathered, gather
from treewright.training.online import OnlineTrainer, accuracy
from treewright.training.options import TrainingOptions, policy_for
from treewright.training.rare_labels import merge_rare_labels
from treewright.treebank.deprojectivizer import Deprojectivizer
from treewright.treebank.interner import Interner
from treewright.treebank.lifting import projectivize
from treewright.treebank.source import Source

SENTENCES_AT_ONCE = 250  # between two looks at the progress bar and at Ctrl-C
SMALLEST_PRUNED = range(2, 9)  # quantised weights to try as the least to keep


#: system → what trains it, where it does not build trees by moves
OTHER_TRAINERS = {
    "exact": "treewright.exact.trainer:train_exact",
    "dag-arc-eager": "treewright.training.dag_trainer:train_dag",
    "dag-crossing": "treewright.training.dag_trainer:train_dag",
    "dag-shift-reduce": "treewright.training.dag_trainer:train_dag",
}


class RoundReport(NamedTuple):
    """What a round of training gave. Scores are percentages, None without a dev set."""

    round: int
    mistakes: float  # share of the decisions that were wrong; not a number where nothing was decided
    features: int
    uas: float | None
    las: float | None
    best: bool


class TrainingObserver:
    """Is told how training goes; the command line draws it."""

    def prepared(self, sentences: int, words: int, notes: list[str]) -> None:
        """The treebank is read; ``notes`` say what was mended, left out or lifted."""

    def begun(self, step: str, sentences: int) -> None:
        """A step of a training that has several begins; it goes over so many sentences."""

    def advanced(self, sentences: int) -> None:
        """So many more sentences of the round have been learnt from."""

    def round_done(self, report: RoundReport) -> None:
        """A round is over."""

    def interrupted(self, rounds: int) -> None:
        """Ctrl-C: the best of the rounds so far is kept."""


@dataclass
class _Best:
    """The weights to keep, and what exactly these get right on dev."""

    weights: Any = None  # FrozenWeights, or what another library learnt
    right: int = -1
    right_heads: int = -1
    report: RoundReport | None = None


def train(
    source: Source,
    dev: Source | None = None,
    *,
    options: TrainingOptions | None = None,
    init_from: str | os.PathLike[str] | Parser | None = None,
    on_error: str = "fail",
    format: str | None = None,
    observer: TrainingObserver | None = None,
    licence: str = "",
    description: str = "",
    dump_instances: str | os.PathLike[str] | None = None,
    **choices: Any,
) -> Parser:
    """Train a parser on a treebank; with a dev set, the best round on it is kept.

    ``choices`` are fields of TrainingOptions: ``train("train.conllu", system="arc-hybrid", seed=2)``. ``learner`` may
    also be a scikit-learn classifier. ``dump_instances``: a file for the instances of a batch learner.
    With ``system="exact"``, choices are those of ``treewright.exact.options.ExactOptions``.
    """
    system = choices.get("system", options.system if options else None)
    if system in OTHER_TRAINERS:
        other: Parser = other_trainer(system)(
            source,
            dev,
            options=options,
            init_from=init_from,
            on_error=on_error,
            format=format,
            observer=observer,
            licence=licence,
            description=description,
            **choices,
        )
        return other
    estimator = None if isinstance(choices.get("learner", ""), str) else choices["learner"]
    if estimator is not None:
        choices |= {"learner": "sklearn", "learner_options": " ".join(repr(estimator).split())}
    if options is None and choices.get("learner", "perceptron") != "perceptron":
        choices.setdefault("cutoff", 1)  # of instances that show a feature: batch learners weigh rare ones themselves
    unknown = sorted(set(choices) - set(TrainingOptions.__dataclass_fields__))
    if unknown:
        known = ", ".join(TrainingOptions.__dataclass_fields__)
        raise CombinationError(f"there is no option {', '.join(unknown)}; there are: {known}")
    options = replace(options or TrainingOptions(), **choices)
    options.check()
    base = Parser.load(init_from) if isinstance(init_from, (str, os.PathLike)) else init_from
    if base is not None:
        if not isinstance(base, TransitionParser):
            raise CombinationError("only a transition parser can be trained further: leave --init-from out")
        options = _options_of(base, options)
        if not isinstance(base.weights, FrozenWeights):
            raise CombinationError("only a linear model can be trained further: leave --init-from out")
    if options.learner != "perceptron" or dump_instances:
        from treewright.training.batch import batch_training

        training: _Training = batch_training(options, base, observer or TrainingObserver(), estimator, dump_instances)
    else:
        training = _Training(options, base, observer or TrainingObserver())
    training.prepare(gather(source, format, on_error, options.single_root), dev, format, on_error)
    training.run()
    return training.result(licence, description)


def other_trainer(system: str) -> Any:
    """Return the function that trains a parser which is no transition parser; it is imported when asked for."""
    module, name = OTHER_TRAINERS[system].split(":")
    return getattr(import_module(module), name)


def _options_of(base: TransitionParser, options: TrainingOptions) -> TrainingOptions:
    """Going on from a model: what makes its weights mean what they mean stays as it is."""
    recipe = base.info.get("recipe", {})
    names = ("system", "root", "single_root", "features", "decision", "lifting")
    missing = [name for name in names if name not in recipe]
    if missing:
        raise CombinationError(f"the model to go on from does not say its {', '.join(missing)}: train a new one")
    kept = {name: recipe[name] for name in names}
    default = TrainingOptions()
    for name, value in kept.items():
        asked = getattr(options, name)
        if asked not in (getattr(default, name), value):
            raise CombinationError(
                f"the model to go on from has {name} {value!r}: it cannot become {asked!r}. Leave the option out"
            )
    return replace(options, **kept)


def trainer_for(system: System) -> type[OnlineTrainer]:
    """Return the trainer for a system: one configuration after the other, or all places of the list at once."""
    if system.has_places:
        from treewright.training.easy_first import EasyFirstTrainer

        return EasyFirstTrainer
    return OnlineTrainer


class _Training:
    """One training: the parts, and the rounds over them."""

    def __init__(self, options: TrainingOptions, base: TransitionParser | None, observer: TrainingObserver) -> None:
        self.options, self.base, self.observer = options, base, observer
        self.system: System = make_system(options.system, root=options.root, single_root=options.single_root)
        self.options = options = options.complete(self.system.projective)
        if options.beam > 1 and self.system.has_places:
            raise CombinationError(f"{options.system} has no beam: its moves are not made from left to right")
        self.policy = policy_for(options.policy, options.system, self.system.oracles, options.learner)
        self.model = self._feature_model()
        decision = options.decision or ("joint" if options.beam > 1 else self.model.decision)
        self.split = decision == "split"
        self.best = _Best()
        self.reports: list[RoundReport] = []
        self.dev: Corpus | None = None

    def _feature_model(self) -> FeatureModel:
        if self.base:
            return parse_model(self.base.settings["features"], self.base.settings["feature_model"])
        model = feature_model_for(self.options.features, self.options.system)
        check_addresses(model, self.system)
        return model

    def prepare(self, data: Gathered, dev: Source | None, format: str | None, on_error: str) -> None:
        """Lift, number and encode the trees."""
        interner = Interner(self.base.settings["relations"] if self.base else ())
        heads, labels = trees_of(data.blocks, interner)
        offsets = sentence_offsets(data.blocks)
        scheme = self.options.scheme
        lifted = 0
        if self.options.lifting != "none":
            lifted = projectivize(heads, labels, offsets, interner, scheme)
        self._check_lifted(heads, offsets)
        kept = len(self.base.settings["relations"]) if self.base else 0
        labels, self.relations = merge_rare_labels(labels, list(interner.strings), scheme, kept)
        classes, self.root_labels, self.word_labels = collect_classes(offsets, heads, labels, self.system)
        if self.base:
            classes = [*classes, *(tuple(pair) for pair in self.base.settings["classes"])]
            self.root_labels = sorted({*self.root_labels, *self.base.settings["root_labels"]})
            self.word_labels = sorted({*self.word_labels, *self.base.settings["word_labels"]})
        self.moves = Moves(self.system, classes, self.root_labels, self.word_labels)
        self.extractor = Extractor(self.model, self.relations)
        self.lifting = Deprojectivizer(self.relations, scheme)
        root_last = self.system.root == "last"
        self.corpus = Corpus(data.blocks, self.extractor.encoder, root_last, heads, labels)
        self.data = data
        if lifted:
            data.notes.append(f"{lifted:,} arcs lifted ({self.options.lifting})")
        if dev is not None:
            held_out = gather(dev, format, on_error, single_root=False)
            known = Interner(self.lifting.decoded_relations)
            dev_heads, dev_labels = trees_of(held_out.blocks, known)
            self.dev = Corpus(held_out.blocks, self.extractor.encoder, root_last, dev_heads, dev_labels)
            self.dev_name = held_out.name
        self.observer.prepared(self.corpus.n_sentences, self.corpus.n_words, data.notes)

    def _check_lifted(self, heads: array[int], offsets: array[int]) -> None:
        """Lifting can lead to further roots where there were several; a single-root parser cannot learn these."""
        if not self.options.single_root:
            return
        for start, end in pairwise(offsets):
            if end > start and sum(head == 0 for head in heads[start:end]) > 1:
                raise TreebankError(
                    "a tree with several roots after lifting",
                    source=self.options.scheme,
                    remedy="Use --on-error fix, or --no-single-root",
                )

    def _learner(self) -> Perceptron:
        n_kinds = len(self.system.kinds)
        if self.base is None:
            return Perceptron(n_kinds, self.moves.n_classes, self.options.cutoff)
        weights = self.base.weights
        assert isinstance(weights, FrozenWeights)
        learner = Perceptron(n_kinds, self.moves.n_classes, self.options.cutoff, weights.n_lines)
        numbers = {tuple(pair): number for number, pair in enumerate(self.moves.classes)}
        thaw(weights, learner, array("i", [numbers[tuple(pair)] for pair in self.base.engine.moves.classes] + [0]))
        return learner

    def run(self) -> None:
        """Train round by round; keep the best on dev, or the last."""
        learner = self._learner()
        options = self.options
        parser = engine_for(self.system)(self.system, self.extractor, self.moves, learner, self.split)
        k, p, zero_cost = options.exploring()
        trainer: OnlineTrainer | BeamTrainer
        if options.beam > 1:
            p = p if options.exploration == "2013" else 1 - p  # that of going on, whichever way the paper writes it
            trainer = BeamTrainer(
                parser, learner, self.corpus, options.beam, options.update, self.policy, k, p, options.seed
            )
        else:
            trainer = trainer_for(self.system)(
                parser,
                learner,
                self.corpus,
                self.policy,
                k,
                p,
                options.seed,
                options.exploration,
                zero_cost,
                options.cost_sensitive,
            )
        try:
            for _ in range(options.iterations):
                trainer.start_round()
                for first in range(0, self.corpus.n_sentences, SENTENCES_AT_ONCE):
                    trainer.learn(first, first + SENTENCES_AT_ONCE)
                    self.observer.advanced(min(SENTENCES_AT_ONCE, self.corpus.n_sentences - first))
                self._judge(learner, trainer)
        except KeyboardInterrupt:
            if self.best.weights is None:
                self._judge(learner, trainer)
            self.observer.interrupted(len(self.reports))
        if self.options.prune and self.dev is not None:
            self._prune()

    def _parts(self, weights: FrozenWeights) -> tuple[Any, ...]:
        return self.system, self.extractor, self.moves, LinearTable(weights), self.split, self.lifting

    def _beam(self, weights: FrozenWeights) -> BeamParser:
        return BeamParser(*self._parts(weights), width=self.options.beam)

    def _accuracy(self, weights: FrozenWeights) -> tuple[int, int, int]:
        if self.dev is None:
            return 0, 0, 0
        parser = self._beam(weights) if self.options.beam > 1 else engine_for(self.system)(*self._parts(weights))
        return accuracy(parser, self.dev)

    def _judge(self, learner: Perceptron, trainer: OnlineTrainer | BeamTrainer) -> None:
        """Freeze the averaged weights, score them on dev, keep them if they are the best."""
        weights = freeze(learner)
        right_heads, right, words = self._accuracy(weights)
        best = self.dev is None or right > self.best.right
        report = RoundReport(
            trainer.round,
            trainer.mistakes / max(1, trainer.decisions),
            len(learner),
            100 * right_heads / words if words else None,
            100 * right / words if words else None,
            best,
        )
        self.reports.append(report)
        if best:
            self.best = _Best(weights, right, right_heads, report)
        self.observer.round_done(report)

    def _prune(self) -> None:
        """Leave out features with small weights, as many as dev does not miss."""
        assert self.best.weights is not None
        original = self.best.weights
        try:
            for least in SMALLEST_PRUNED:
                smaller = prune(original, least)
                right_heads, right, _ = self._accuracy(smaller)
                if right < self.best.right:
                    break
                self.best = replace(self.best, weights=smaller, right=right, right_heads=right_heads)
        except KeyboardInterrupt:  # the training is done: a model that could be smaller is better than none
            self.observer.interrupted(len(self.reports))

    def result(self, licence: str, description: str) -> Parser:
        """Return the trained parser."""
        if self.best.weights is None or self.best.report is None:
            raise TreewrightError("training ended before there was anything to keep")
        settings = {
            "system": self.system.settings(),
            "features": str(self.model),
            "feature_model": self.model.name,
            "relations": self.relations,
            "classes": [list(pair) for pair in self.moves.classes],
            "root_labels": self.root_labels,
            "word_labels": self.word_labels,
            "split": self.split,
            "lifting": self.options.scheme,
        }
        if self.options.beam > 1:
            settings["beam"] = self.options.beam
            if self.dev is not None:
                beam = self._beam(self.best.weights)
                settings["beam_margin"] = fit_margin(beam, self.dev)
                settings["beam_confidence"] = fit_confidence(beam, self.dev)
        greedy = self.options.beam == 1 and not self.system.has_places
        parser = TransitionParser(settings, self.best.weights, self._info(licence, description))
        if self.dev is not None and self.options.calibration != "none" and greedy:
            from treewright.training.calibration import calibrate_parser

            calibrate_parser(parser, self.dev, self.options.calibration)
        return parser

    def _info(self, licence: str, description: str) -> dict[str, Any]:
        from treewright import __version__

        best = self.best.report
        assert best is not None
        decision = "split" if self.split else "joint"
        recipe = {**self.options.recipe(), "policy": self.policy, "decision": decision}
        info: dict[str, Any] = {
            "version": __version__,
            "recipe": recipe,
            "columns": self.data.filled(self.model.columns),
            "training": {
                "name": self.data.name,
                "sentences": self.corpus.n_sentences,
                "words": self.corpus.n_words,
                "notes": self.data.notes,
                "rounds": len(self.reports),
            },
            "licence": licence,
            "description": description,
        }
        if self.dev is not None:
            words = max(1, self.dev.n_words)
            info["dev"] = {
                "name": self.dev_name,
                "round": best.round,
                "uas": round(100 * self.best.right_heads / words, 2),
                "las": round(100 * self.best.right / words, 2),
            }
        if self.base is not None:
            info["continued_from"] = self.base.info
        return info
