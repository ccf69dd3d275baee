"""The one training: prepare, rounds, judge on dev, prune, finish. What differs is the strategy's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from treewright.errors import TreewrightError
from treewright.training.gathering import Gathered
from treewright.training.observer import DevScore, RoundReport, TrainingObserver
from treewright.training.strategy import Strategy

Weights = TypeVar("Weights")
Model = TypeVar("Model")


@dataclass
class Best(Generic[Weights]):
    """The weights to keep, and what exactly these get right on dev."""

    weights: Weights
    round: int
    score: DevScore | None


class Training(Generic[Weights, Model]):
    """One training. With a dev set, the best round on it is kept, else the last. Ctrl-C keeps the best so far.

    Every round is scored on dev. Of several trainings whose mean is kept, the training under way is scored, and at the
    end the mean.
    """

    def __init__(
        self,
        strategy: Strategy[Weights, Model],
        data: Gathered,
        dev: Gathered | None = None,
        observer: TrainingObserver | None = None,
    ) -> None:
        self.strategy, self.data, self.dev = strategy, data, dev
        self.observer = observer or TrainingObserver()
        self.best: Best[Weights] | None = None
        self.reports: list[RoundReport] = []

    def run(self, about: Mapping[str, Any] | None = None) -> Model:
        """Train; ``about`` joins the model's description."""
        strategy = self.strategy
        strategy.prepare(self.data, self.dev, self.observer)
        sentences = self.data.n_sentences
        self.observer.prepared(strategy.step, sentences, self.data.n_words, [*self.data.notes, *strategy.notes])
        self.observer.begun(strategy.step, sentences * strategy.rounds)
        self._rounds()
        self._prune()
        if self.best is None:
            raise TreewrightError("training ended before there was anything to keep")
        return strategy.finish(self.best.weights, self.info(about or {}))

    def _rounds(self) -> None:
        try:
            number = 0
            while number < self.strategy.rounds:  # a strategy with a time limit plans as it goes
                number += 1
                self._judge(number, self.strategy.learn(number, self.observer.advanced))
        except KeyboardInterrupt:
            if not self.strategy.has_learnt:
                raise
            if self.best is None:
                self._judge(len(self.reports) + 1, float("nan"), last=True)
            self.observer.interrupted(len(self.reports))

    def _judge(self, number: int, mistakes: float, last: bool = False) -> None:
        """DevScore what has been learnt on dev; keep it if it is the best so far."""
        strategy = self.strategy
        score, best = None, False
        last = last or number == strategy.rounds
        if last or (self.dev is not None and strategy.selects):
            weights = strategy.weights()
            score = strategy.score(weights) if self.dev is not None else None
            best = not strategy.selects or self.best is None or score is None or self._is_better(score)
            if best:
                self.best = Best(weights, number, score)
        elif self.dev is not None:
            score = strategy.score_under_way()
        report = RoundReport(
            strategy.step,
            number,
            strategy.rounds,
            mistakes,
            strategy.counted,
            strategy.n_features,
            best and strategy.selects,
            score.shown if score is not None else {},
            strategy.trainings if last else 1,
        )
        self.reports.append(report)
        self.observer.round_done(report)

    def _is_better(self, score: DevScore) -> bool:
        assert self.best is not None
        return self.best.score is None or score.value > self.best.score.value

    def _prune(self) -> None:
        """Leave out features with small weights, as many as dev does not miss."""
        best = self.best
        if best is None or best.score is None:
            return
        try:
            for weights in self.strategy.smaller(best.weights):
                score = self.strategy.score(weights)
                if self.best is None or self.best.score is None or score.value < self.best.score.value:
                    break
                self.best = Best(weights, best.round, score)
        except KeyboardInterrupt:  # the training is done: a model that could be smaller is better than none
            self.observer.interrupted(len(self.reports))

    def info(self, about: Mapping[str, Any]) -> dict[str, Any]:
        """Return the model's description: recipe, data, scores."""
        from treewright import __version__

        sentences, words = self.data.own_size
        info: dict[str, Any] = {
            "version": __version__,
            "recipe": self.strategy.recipe.to_dict(),
            "columns": self.data.filled(self.strategy.columns),
            "training": {
                "name": self.data.name,
                "sentences": sentences,
                "words": words,
                "notes": [*self.data.notes, *self.strategy.notes],
                "rounds": len(self.reports),
            },
            **about,
        }
        if self.dev is not None and self.best is not None:
            info["dev"] = {"name": self.dev.name, "round": self.best.round, **self.dev_scores()}
        return info

    def dev_scores(self) -> dict[str, float]:
        """Return what the kept weights get right on dev, by the names that a model file uses."""
        score = self.best.score if self.best is not None else None
        shown = score.shown if score is not None else {}
        return {name.lower().replace(" ", "_"): round(value, 2) for name, value in shown.items()}
