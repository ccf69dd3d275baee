"""A treebank to try things on: every trial trains a parser and scores it on dev, sentence by sentence.

Trials are deterministic, so a store remembers them: a search that was interrupted goes on where it was.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import Any

from treewright.apps.experiments.cell import key_of
from treewright.apps.experiments.measuring import sentence_scores
from treewright.apps.experiments.store import DONE, Store
from treewright.errors import TreewrightError
from treewright.options.option import OptionValue
from treewright.recipes.catalogue import recipe_from
from treewright.steps.step import Step
from treewright.training.gathering import Gathered
from treewright.training.observer import BarOnly, TrainingObserver
from treewright.training.trainer import trainer_for

FORMAT = 1  # of stored outcomes


@dataclass(frozen=True)
class Trial:
    """Options to train with on the treebank of a bench."""

    data: str  # a digest of train and dev
    options: Mapping[str, OptionValue]

    @cached_property
    def content(self) -> dict[str, Any]:
        """All that the outcome follows from, as plain data."""
        from treewright import __version__

        return {"format": FORMAT, "version": __version__, "data": self.data, "options": dict(self.options)}

    @cached_property
    def key(self) -> str:
        """The name of the trial's file in a store."""
        return key_of(self.content)


@dataclass(frozen=True)
class TrialOutcome:
    """What a trial gave: right words and all words of every sentence of dev, and the CPU time of its training."""

    right: tuple[int, ...]
    words: tuple[int, ...]
    seconds: float

    @property
    def las(self) -> float:
        """The share of words with the right head and relation, in per cent."""
        return 100 * sum(self.right) / max(1, sum(self.words))


class Bench:
    """A treebank with its dev set, read once."""

    def __init__(self, name: str, train: Gathered, dev: Gathered, store: Store | None = None) -> None:
        if not dev.n_words:
            raise TreewrightError(f"{dev.name}: no words to choose by")
        self.name, self.train, self.dev, self.store = name, train, dev, store
        self.seconds = 0.0  # CPU time of all trials that were not remembered
        self.trials = 0  # how many these were
        self.guard: Callable[[], None] | None = None  # called before each of them; may raise
        self._known: dict[str, TrialOutcome] = {}
        self._gold = b"".join(block.data for block in dev.gold_blocks)
        parts = (*(block.data for block in train.gold_blocks), b"dev", self._gold)
        self._data = sha256(b"\0".join(parts)).hexdigest()[:20]

    @cached_property
    def feats_per_word(self) -> float:
        """How many single features a word of dev has on average: templates with ``each`` cost as many keys."""
        features = 0
        for block in self.dev.blocks:
            column = block.layout.feats
            for word in range(block.n_words) if column >= 0 else ():
                value = block.value(word, column)
                features += 0 if value == b"_" else 1 + value.count(b"|")
        return features / max(1, self.dev.n_words)

    def outcome(self, options: Mapping[str, OptionValue]) -> TrialOutcome:
        """Return what training with these options gives, from the store if it was tried before."""
        trial = Trial(self._data, options)
        if trial.key not in self._known:
            kept = self.store.load(trial) if self.store is not None else None
            if kept is not None and kept.get("status") == DONE:
                self._known[trial.key] = TrialOutcome(tuple(kept["right"]), tuple(kept["words"]), kept["seconds"])
            else:
                self._known[trial.key] = self._tried(trial)
        return self._known[trial.key]

    def _tried(self, trial: Trial) -> TrialOutcome:
        if self.guard is not None:
            self.guard()
        start = time.process_time()
        parser = self.parser(trial.options)
        outcome = self.scored(parser, time.process_time() - start)
        self.seconds += outcome.seconds
        self.trials += 1
        if self.store is not None:
            kept = {"right": outcome.right, "words": outcome.words, "seconds": round(outcome.seconds, 3)}
            self.store.save(trial, {"format": FORMAT, "status": DONE, "cell": trial.content, **kept})
        return outcome

    def parser(self, options: Mapping[str, OptionValue]) -> Step:
        """Train a parser; Ctrl-C ends the whole search, not one training in it."""
        trainer = trainer_for(recipe_from(dict(options)))
        return trainer.run(self.train, self.dev, BarOnly(TrainingObserver()), {})

    def scored(self, parser: Step, seconds: float) -> TrialOutcome:
        """Parse dev and count what is right in every sentence."""
        parsed = b"".join(parser.parse_block(block).data for block in self.dev.blocks)
        scores = sentence_scores(self._gold, parsed)
        return TrialOutcome(tuple(scores["both"]), tuple(scores["words"]), seconds)


def mean_las(outcomes: Sequence[TrialOutcome]) -> float:
    """Return the mean over treebanks and seeds, in per cent: every treebank counts the same."""
    return sum(outcome.las for outcome in outcomes) / len(outcomes)
