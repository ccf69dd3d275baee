"""Cost-aware selection of templates: the most accuracy for the least time, judged on several treebanks at once.

*Growing* adds the template with the most points of LAS per nanosecond, again and again. It is lazy: what a template
brought to a smaller model is nearly always the most that it brings. So the templates wait in the order of what they
brought last, only the first one is tried again, and it is accepted if it still beats the next one's old figure. A
template is accepted only if a paired bootstrap over the sentences of all dev sets says that it helps. *Shrinking* takes
out templates that bring less than they cost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from treewright.apps.tuning.bench import Bench, TrialOutcome, mean_las
from treewright.apps.tuning.candidates import Change, additions, removals
from treewright.apps.tuning.cost import nanoseconds
from treewright.evaluation.significance import bootstrap
from treewright.features.templates import FeatureModel
from treewright.options.option import OptionValue

RESAMPLES = 1000
SURE = 0.05  # one-sided p-value below which a difference counts
SLACK = 0.85  # of the next one's figure: a template that is about as good need not wait


class Gain(NamedTuple):
    """What a model has over another: points of mean LAS, and the probability that this is chance."""

    las: float
    chance: float

    @property
    def is_sure(self) -> bool:
        """Is it more than chance?"""
        return self.las > 0 and self.chance < SURE


@dataclass(frozen=True)
class SelectionStep:
    """A change that was made: its gain, and the state of the model after it."""

    change: Change
    gain: Gain
    model: FeatureModel
    las: float
    nanoseconds: float


class SelectionObserver:
    """Receives the progress of a selection."""

    def tried(self, change: Change, gain: float, cost: float) -> None:
        """Called after every trial, with points of LAS and nanoseconds."""

    def made(self, step: SelectionStep) -> None:
        """Called when a change is made."""


def gain_of(new: Sequence[TrialOutcome], old: Sequence[TrialOutcome]) -> Gain:
    """Return the difference of means over treebanks, tested on their sentences; each treebank weighs the same."""
    first: list[float] = []
    second: list[float] = []
    weights: list[float] = []
    for ours, theirs in zip(new, old, strict=True):
        share = 1 / max(1, sum(ours.words))
        first += [share * right for right in ours.right]
        second += [share * right for right in theirs.right]
        weights += [share * words for words in ours.words]
    tested = bootstrap(first, second, weights, resamples=RESAMPLES)
    return Gain(tested.difference, tested.p_value / 2 if tested.difference > 0 else 1 - tested.p_value / 2)


@dataclass
class Waiting:
    """A change that may be made, and what it brought when it was tried last."""

    change: Change
    gain: float
    tried_at: int = -1  # the number of changes made then; -1: only a guess

    def ratio(self, cost: float) -> float:
        """Points per nanosecond."""
        return self.gain / max(cost, 0.1)


class TemplateSelection:
    """Chooses templates on several treebanks with several seeds. ``options`` are those of every training."""

    def __init__(
        self,
        benches: Sequence[Bench],
        options: Mapping[str, OptionValue],
        seeds: Sequence[int] = (1, 2),
        observer: SelectionObserver | None = None,
    ) -> None:
        self.benches, self.options, self.seeds = list(benches), dict(options), list(seeds)
        self.observer = observer or SelectionObserver()
        self.feats_per_word = sum(bench.feats_per_word for bench in benches) / len(benches)

    def cost(self, model: FeatureModel) -> float:
        """Return about how many nanoseconds the model takes for a word."""
        return nanoseconds(model, self.feats_per_word)

    def outcomes(
        self, model: FeatureModel, seeds: Sequence[int], benches: Sequence[Bench] | None = None
    ) -> list[TrialOutcome]:
        """Train and score a model on the treebanks, with each seed."""
        chosen = self.benches if benches is None else benches
        return [
            bench.outcome({**self.options, "features": str(model), "seed": seed}) for seed in seeds for bench in chosen
        ]

    def gain(self, new: FeatureModel, old: FeatureModel) -> Gain:
        """Return what a model has over another, over all treebanks and seeds."""
        return gain_of(self.outcomes(new, self.seeds), self.outcomes(old, self.seeds))

    def sweep(self, model: FeatureModel, changes: Iterable[Change]) -> list[Waiting]:
        """Try every change once, on one treebank with one seed; those in the better half on all of them."""
        seed = self.seeds[:1]
        first = self.benches[:1]
        old_first, old_all = self.outcomes(model, seed, first), self.outcomes(model, seed)
        raced = []
        for change in changes:
            gain = mean_las(self.outcomes(change.applied(model), seed, first)) - mean_las(old_first)
            self.observer.tried(change, gain, self._costs(model, change))
            raced.append((gain, change))
        raced.sort(key=lambda pair: -pair[0])
        promising = []
        for _, change in raced[: (len(raced) + 1) // 2]:
            gain = mean_las(self.outcomes(change.applied(model), seed)) - mean_las(old_all)
            self.observer.tried(change, gain, self._costs(model, change))
            if gain > 0:
                promising.append(Waiting(change, gain))
        return promising

    def _costs(self, model: FeatureModel, change: Change) -> float:
        return self.cost(change.applied(model)) - self.cost(model)

    def grow(
        self, model: FeatureModel, templates: Sequence[str], limit: float, price: float = 0.0
    ) -> Iterator[SelectionStep]:
        """Add templates while the model stays below a limit of nanoseconds; yield each step.

        ``price``: points of LAS that a nanosecond must bring.
        """
        swept = self.sweep(model, (change for change in additions(model, templates) if len(change.parts) > 1))
        gains = {waiting.change.template: waiting.gain for waiting in swept}
        # A template that helps with one part alone brings at most what it brings with both.
        queue = [Waiting(change, gains[change.template]) for change in additions(model, gains)]
        made = 0
        while queue:
            queue.sort(key=lambda waiting: -waiting.ratio(self._costs(model, waiting.change)))
            waiting = queue.pop(0)
            new = waiting.change.applied(model)
            cost = self.cost(new) - self.cost(model)
            if not waiting.change.is_possible(model) or self.cost(new) > limit:
                continue
            gain = self.gain(new, model)
            self.observer.tried(waiting.change, gain.las, cost)
            waiting.gain, waiting.tried_at = gain.las, made
            if gain.las <= 0 or not gain.is_sure or waiting.ratio(cost) < price:
                continue
            following = queue[0].ratio(self._costs(model, queue[0].change)) if queue else 0.0
            if waiting.ratio(cost) < SLACK * following:
                queue.append(waiting)
                continue
            model = replace(new, name=model.name)
            made += 1
            queue = [other for other in queue if other.change.template != waiting.change.template]
            yield self._step(waiting.change, gain, model)

    def shrink(self, model: FeatureModel, price: float) -> Iterator[SelectionStep]:
        """Take out what brings less than ``price`` points of LAS for each nanosecond that it costs; yield each step."""
        while True:
            best: tuple[float, Change, FeatureModel] | None = None
            old = self.outcomes(model, self.seeds)
            for change in removals(model):
                new = change.applied(model)
                loss = mean_las(old) - mean_las(self.outcomes(new, self.seeds))
                saved = self.cost(model) - self.cost(new)
                self.observer.tried(change, -loss, -saved)
                if saved > 0 and loss < price * saved and (best is None or price * saved - loss > best[0]):
                    best = (price * saved - loss, change, new)
            if best is None:
                return
            gain = self.gain(best[2], model)
            model = best[2]
            yield self._step(best[1], gain, model)

    def _step(self, change: Change, gain: Gain, model: FeatureModel) -> SelectionStep:
        step = SelectionStep(change, gain, model, mean_las(self.outcomes(model, self.seeds)), self.cost(model))
        self.observer.made(step)
        return step
