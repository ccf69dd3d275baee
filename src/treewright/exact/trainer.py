"""From treebank to exact parser."""

from __future__ import annotations

import random
from array import array
from typing import Any

from treewright.errors import CombinationError
from treewright.exact.adviser import ROUNDS, ROUNDS_IN_FOLDS, heads_of, in_folds, train_adviser, with_adviser
from treewright.exact.decoding import accuracy
from treewright.exact.learning import PartLearner
from treewright.exact.options import ExactOptions, options_from
from treewright.exact.parser import ExactParser
from treewright.exact.parts import PartProgram
from treewright.exact.templates import load_templates
from treewright.parsing.transition import TransitionParser
from treewright.training.corpus import Corpus, trees_of
from treewright.training.gathering import gather
from treewright.training.options import TrainingOptions
from treewright.training.trainer import RoundReport, TrainingObserver
from treewright.treebank.block import Block
from treewright.treebank.interner import Interner
from treewright.treebank.source import Source

SENTENCES_AT_ONCE = 50  # between two looks at the progress bar and at Ctrl-C
LOOK_AGAIN = 3  # rounds after which arcs that seemed next to impossible are looked at again
DEV_ROUNDS = 30  # of tightening bounds, where dev is looked at between rounds
SMALLEST = 1e-3  # weights below this are not kept


def train_exact(
    source: Source,
    dev: Source | None = None,
    *,
    options: TrainingOptions | None = None,
    init_from: Any = None,
    on_error: str = "fail",
    format: str | None = None,
    observer: TrainingObserver | None = None,
    licence: str = "",
    description: str = "",
    **choices: Any,
) -> ExactParser:
    """Train an exact parser; with a dev set, the best round on it is kept."""
    if init_from is not None:
        raise CombinationError("an exact parser cannot be trained further: leave --init-from out")
    chosen = options_from(choices, TrainingOptions().recipe())
    training = _Training(chosen, observer or TrainingObserver())
    training.prepare(source, dev, format, on_error)
    training.run()
    return training.result(licence, description)


class _Training:
    """One training: the parts, and the rounds over them."""

    def __init__(self, options: ExactOptions, observer: TrainingObserver) -> None:
        self.options, self.observer = options, observer
        self.model = load_templates(options.features)
        if options.adviser == "none":
            self.model = self.model.without(adviser=True)
        if options.order == 1:
            self.model = self.model.without("grandparent")
        elif not self.model.of("grandparent"):
            raise CombinationError(f"{self.model.name}: no templates under [grandparent]: add some, or --order 1")
        self.program = PartProgram(self.model)
        self.reports: list[RoundReport] = []
        self.best: tuple[dict[str, Any], float] | None = None
        self.best_report: RoundReport | None = None
        self.right = -1
        self.dev: Corpus | None = None
        self.adviser: TransitionParser | None = None

    def prepare(self, source: Source, dev: Source | None, format: str | None, on_error: str) -> None:
        """Read, number and encode the trees, and find their features."""
        options = self.options
        self.data = gather(source, format, on_error, options.single_root)
        interner = Interner()
        heads, labels = trees_of(self.data.blocks, interner)
        self.relations = list(interner.strings)
        pairs = {(head == 0, label) for head, label in zip(heads, labels, strict=True)}
        root, word = (sorted(label for at_root, label in pairs if at_root == wanted) for wanted in (True, False))
        self.labels = {"relations": self.relations, "root_labels": root, "word_labels": word or root}
        held_out = gather(dev, format, on_error, single_root=False) if dev is not None else None
        blocks, dev_blocks = self.data.blocks, held_out.blocks if held_out is not None else []
        self.observer.prepared(sum(block.n_sentences for block in blocks), len(heads), self.data.notes)
        if self.program.advised:
            blocks, dev_blocks = self._advised(blocks, dev_blocks)
        self.corpus = Corpus(blocks, self.program.encoder, False, heads, labels)
        self.tree_of_adviser, self.dev_tree_of_adviser = heads_of(blocks), heads_of(dev_blocks)
        if held_out is not None:
            dev_heads, dev_labels = trees_of(held_out.blocks, interner)
            self.dev = Corpus(dev_blocks, self.program.encoder, False, dev_heads, dev_labels)
            self.dev_name = held_out.name
            arcs = sum((len(block.words_of(i)) + 1) ** 2 for block in dev_blocks for i in range(block.n_sentences))
            self.dev_likely = bytearray(arcs + 1)
        settings = {
            "learner": options.learning,
            "single_root": options.single_root,
            "projective": options.projective,
            "rate": options.rate,
            "decay": 0.0,
            "second_decay": 0.0,
            "aggressiveness": 0.1,
            "least": 1e-3,
            "ignored": 4e-3,
            "messages": options.messages,
            "dropout": options.dropout,
            "second_order_from": options.first_order_rounds + 1,
            "cutoff": options.cutoff,
        }
        self.observer.begun("round 1", self.corpus.n_sentences * (options.iterations + 1))
        self.learner = PartLearner(self.program, self.corpus, self.tree_of_adviser, self.labels, settings)
        self.random = random.Random(options.seed)

    def _advised(self, blocks: list[Block], dev_blocks: list[Block]) -> tuple[list[Block], list[Block]]:
        """Train the adviser; return the blocks with its trees, those to learn from parsed in folds."""
        options = self.options
        sentences = sum(block.n_sentences for block in blocks)
        self.observer.begun("adviser", (ROUNDS + (options.folds - 1) * ROUNDS_IN_FOLDS) * sentences)
        choices = {"single_root": options.single_root, "seed": options.seed}
        self.adviser = train_adviser(blocks, dev_blocks, self.observer.advanced, iterations=ROUNDS, **choices)
        parsed = in_folds(blocks, options.folds, self.observer.advanced, iterations=ROUNDS_IN_FOLDS, **choices)
        return parsed, [with_adviser(self.adviser, block) for block in dev_blocks]

    def run(self) -> None:
        """Round after round; Ctrl-C keeps the best so far."""
        try:
            if self.options.learning == "sgd":
                # A round in first order, to learn which wrong arcs are likely: their features get weights, too.
                self._round(0, True)
                self.learner.extend(self.options.cutoff)
            for number in range(1, self.options.iterations + 1):
                self._round(number, number % LOOK_AGAIN == 1)
                self._judge(number)
        except KeyboardInterrupt:
            if self.best is None:
                self._judge(len(self.reports) + 1)
            self.observer.interrupted(len(self.reports))

    def _round(self, number: int, all_arcs: bool) -> None:
        order = array("q", range(self.corpus.n_sentences))
        self.random.shuffle(order)
        self.learner.start_round(number, order, all_arcs)
        for first in range(0, self.corpus.n_sentences, SENTENCES_AT_ONCE):
            self.learner.learn(first, first + SENTENCES_AT_ONCE)
            self.observer.advanced(min(SENTENCES_AT_ONCE, self.corpus.n_sentences - first))

    def _judge(self, number: int) -> None:
        """Score the averaged weights on dev, keep them if they are the best."""
        options = self.options
        second = options.order == 2 and number > options.first_order_rounds
        right_heads = right = words = 0
        if self.dev is not None:
            scorer = self.learner.averaged_scorer()
            right_heads, right, words = accuracy(
                scorer,
                self.dev,
                self.dev_tree_of_adviser,
                self.dev_likely,
                number % LOOK_AGAIN == 1,
                options.single_root,
                options.projective,
                second,
                DEV_ROUNDS,
            )
        best = self.dev is None or right > self.right
        report = RoundReport(
            number,
            self.learner.wrong / max(1, self.learner.words),
            self.learner.n_features,
            100 * right_heads / words if words else None,
            100 * right / words if words else None,
            best,
        )
        self.reports.append(report)
        if best and (self.dev is not None or number == options.iterations or self.best is None):
            self.best, self.best_report, self.right = self.learner.frozen(SMALLEST), report, right
        self.observer.round_done(report)

    def result(self, licence: str, description: str) -> ExactParser:
        """Return the trained parser."""
        from treewright import __version__

        assert self.best is not None
        assert self.best_report is not None
        options = self.options
        settings = {
            "features": str(self.model),
            "feature_model": self.model.name,
            "order": options.order,
            "projective": options.projective,
            "single_root": options.single_root,
            **self.labels,
        }
        info: dict[str, Any] = {
            "version": __version__,
            "recipe": options.recipe(),
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
            report = self.best_report
            info["dev"] = {
                "name": self.dev_name,
                "round": report.round,
                "uas": round(report.uas or 0.0, 2),
                "las": round(report.las or 0.0, 2),
            }
        arrays, scale = self.best
        return ExactParser(settings, arrays, scale, info, self.adviser)
