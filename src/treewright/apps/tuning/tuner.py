"""Tuning for one treebank: the options and templates that certainly beat the defaults on dev, within a budget.

Options are tried one after the other, each value against what is best so far; then templates. Many things are tried, so
some look better by chance: an option's value must win a paired test at a level divided by how many values were tried,
and in the end the whole must beat the defaults with seeds that chose nothing. Often nothing does, and that is said.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from treewright.apps.tuning.bench import Bench, TrialOutcome, mean_las
from treewright.apps.tuning.candidates import pool
from treewright.apps.tuning.cost import nanoseconds
from treewright.apps.tuning.selection import SURE, Gain, SelectionObserver, TemplateSelection, gain_of
from treewright.errors import CombinationError
from treewright.features.bundled import MADE_FOR_A_PAIR, feature_model_for
from treewright.features.templates import FeatureModel
from treewright.kinds.transition.recipe import TransitionRecipe
from treewright.options.option import OptionValue
from treewright.recipes.catalogue import recipe_from
from treewright.systems import SYSTEMS, make_system

#: options that are varied, in this order: name → values to try; those of "system" and "lifting" stand in their recipe
NUMBERS: dict[str, tuple[OptionValue, ...]] = {"iterations": (8, 25), "cutoff": (1, 2, 5)}
VARIED = ("features", "system", "lifting", "decision", *NUMBERS)
CHOOSING, CONFIRMING = (1, 2), (3, 4)  # seeds
REFERENCE = "rich"  # the feature model that --least-speed compares with

Options = dict[str, OptionValue]


class BudgetSpent(Exception):
    """The time is over: what is best so far counts."""


@dataclass(frozen=True)
class Tuned:
    """What a search has found: the options that differ from the defaults, and how sure that is."""

    options: Options  # what a configuration file needs
    start: Options  # what they were compared with
    las: float  # with the seeds that chose
    start_las: float
    confirmed: Gain | None  # over the start, with other seeds; None: nothing won, or Ctrl-C left no time for it
    ratio: float  # estimated speed, next to the start
    trials: int
    finished: bool  # was everything tried?

    @property
    def keeps_start(self) -> bool:
        """Is what the search began with best, for all that is known?"""
        return self.options == self.start


class TuningObserver(SelectionObserver):
    """Receives the progress of a search; the command line shows it."""

    def began(self, name: str, las: float) -> None:
        """Called with the feature model that the search begins with."""

    def tested(self, what: str, gain: float, chance: float | None) -> None:
        """Called after each value of an option; ``chance`` is None where it was not worth a test."""

    def took(self, what: str, las: float) -> None:
        """Called when a value is certainly better."""


class Tuner:
    """Searches on one treebank. ``fixed``: options that the user has chosen and that stay."""

    def __init__(
        self,
        bench: Bench,
        budget: float,
        speed: float | None = None,
        fixed: Mapping[str, OptionValue] | None = None,
        observer: TuningObserver | None = None,
    ) -> None:
        self.bench, self.budget, self.speed = bench, budget, speed
        self.fixed: Options = dict(fixed or {})
        self.observer = observer or TuningObserver()
        recipe = recipe_from(self.fixed)
        if not isinstance(recipe, TransitionRecipe) or recipe.is_batch or recipe.beam > 1:
            raise CombinationError(
                "tune is for greedy transition parsers with the perceptron: leave out options of other parsers"
            )
        self.deadline = time.monotonic() + budget
        self.best = self.fixed

    def _guard(self) -> None:
        """Stop while there is still time to confirm what was found."""
        spent = self.bench.seconds / self.bench.trials if self.bench.trials else 0.0
        if time.monotonic() + 2 * len(CONFIRMING) * spent > self.deadline:
            raise BudgetSpent

    # What may be tried

    def model_of(self, options: Mapping[str, OptionValue]) -> FeatureModel:
        """Return the feature model of some options, as adapted to the system."""
        return feature_model_for(str(options.get("features", REFERENCE)), str(options.get("system", "arc-eager")))

    def cost(self, options: Mapping[str, OptionValue]) -> float:
        """Return about how many nanoseconds a word takes."""
        model = self.model_of(options)
        if options.get("decision"):
            model = replace(model, decision=str(options["decision"]))
        return nanoseconds(model, self.bench.feats_per_word)

    @property
    def limit(self) -> float:
        """The most nanoseconds that a word may take."""
        return float("inf") if self.speed is None else self.cost({"features": REFERENCE}) / self.speed

    def values_of(self, name: str, current: Options) -> list[OptionValue]:
        """Return the values of an option that can be tried with the current ones."""
        values: tuple[OptionValue, ...]
        if name == "features":
            values = MADE_FOR_A_PAIR
        elif name == "system":
            values = tuple(system for system in SYSTEMS if "dynamic" in make_system(system).oracles)
        else:
            values = NUMBERS.get(name) or TransitionRecipe.options()[name].known_values()
        return [value for value in values if value != self._now(name, current) and self._fits({**current, name: value})]

    def _now(self, name: str, current: Options) -> OptionValue:
        """Return the value that an option has, if only by default."""
        if name == "decision":
            return str(current.get(name) or self.model_of(current).decision)
        value: OptionValue = getattr(recipe_from(current).completed(), name)
        return value

    def _fits(self, options: Options) -> bool:
        """Do the options go together, and are they fast enough?"""
        try:
            recipe_from(options)
        except CombinationError:
            return False
        return self.cost(options) <= self.limit

    # The search

    def run(self) -> Tuned:
        """Search until all is tried or the budget is spent; Ctrl-C ends it early, with the best so far."""
        start = self.best = self.start()
        finished = interrupted = False
        try:
            self.observer.began(str(start.get("features", REFERENCE)), self.las(start))
            self.bench.guard = self._guard
            for better in self.steps(start):
                self.best = better
            finished = True
        except BudgetSpent:
            pass
        except KeyboardInterrupt:
            interrupted = True
            if not self.bench.trials:
                raise
        self.bench.guard = None
        confirmed = None
        if self.best != start and not interrupted:
            confirmed = self.difference(self.best, start, CONFIRMING)
        best = self.best if confirmed is None or confirmed.is_sure else start
        return Tuned(
            best,
            start,
            self.las(best),
            self.las(start),
            confirmed,
            self.cost(start) / self.cost(best),
            self.bench.trials,
            finished,
        )

    def start(self) -> Options:
        """Return what the search begins with: the defaults; the slowest bundled model that is fast enough."""
        options = dict(self.fixed)
        if "features" not in options and self.cost(options) > self.limit:
            fitting = [name for name in MADE_FOR_A_PAIR if self.cost({**options, "features": name}) <= self.limit]
            models = fitting or list(MADE_FOR_A_PAIR)
            pick = max if fitting else min
            options["features"] = pick(models, key=lambda name: self.cost({**options, "features": name}))
        if self.cost(options) > self.limit:
            most = self.cost({"features": REFERENCE}) / self.cost(options)
            raise CombinationError(f"--least-speed {self.speed:g}: too much; the start comes to about {most:.1f}")
        return options

    def steps(self, options: Options) -> Iterator[Options]:
        """Yield better and better options: first values, as long as one of them wins, then templates."""
        while True:
            before = options
            for name in VARIED:
                if name not in self.fixed:
                    options = self.better(name, options)
                    yield options
            if options == before:
                break
        if "features" not in self.fixed:
            system = str(options.get("system", "arc-eager"))
            others = {name: value for name, value in options.items() if name != "features"}
            selection = TemplateSelection([self.bench], others, CHOOSING, self.observer)
            for step in selection.grow(self.model_of(options), pool(system), self.limit):
                yield {**options, "features": str(step.model)}

    def better(self, name: str, options: Options) -> Options:
        """Return the options with the value of one of them that wins, or as they are."""
        values = self.values_of(name, options)
        best = options
        for value in values:
            new = {**options, name: value}
            gain = self.difference(new, best, CHOOSING[:1])
            if gain.las <= 0:
                self.observer.tested(f"{name} {value}", gain.las, None)
                continue
            gain = self.difference(new, best, CHOOSING)
            self.observer.tested(f"{name} {value}", gain.las, gain.chance)
            if gain.las > 0 and gain.chance < SURE / len(values):
                best = new
                self.observer.took(f"{name} {value}", self.las(best))
        return best

    def difference(self, new: Options, old: Options, seeds: tuple[int, ...]) -> Gain:
        """Return what options have over others with some seeds."""
        return gain_of(self.outcomes(new, seeds), self.outcomes(old, seeds))

    def outcomes(self, options: Options, seeds: tuple[int, ...] = CHOOSING) -> list[TrialOutcome]:
        """Train with each seed."""
        return [self.bench.outcome({**options, "seed": seed}) for seed in seeds]

    def las(self, options: Options) -> float:
        """Return the mean score with the seeds that choose."""
        return mean_las(self.outcomes(options))
