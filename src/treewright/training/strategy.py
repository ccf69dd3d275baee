"""What one kind of step brings to its training; the rounds themselves are written once, in loop.py."""

from __future__ import annotations

import math
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, ClassVar, Generic, TypeVar

from treewright.errors import CombinationError
from treewright.options.recipe import Recipe
from treewright.steps.step import Step
from treewright.training.gathering import Gathered
from treewright.training.observer import DevScore, TrainingObserver

Weights = TypeVar("Weights")
Model = TypeVar("Model")
Going = TypeVar("Going", bound=Step)
Advanced = Callable[[int], None]


class Trainer(ABC):
    """What trains a step from a treebank; a pipeline's trains each of its steps."""

    reads_graphs: bool = False
    single_root = False  # must training trees have one root?

    @abstractmethod
    def run(self, data: Gathered, dev: Gathered | None, observer: TrainingObserver, about: Mapping[str, Any]) -> Step:
        """Train; ``about`` joins the model's description."""

    def dump_to(self, path: str | os.PathLike[str]) -> None:
        """Write the instances to a file as well; most trainings have none."""
        raise CombinationError(
            "only learners of other libraries that learn the moves of trees have instances to dump: choose a transition"
            " system and --learner liblinear, libsvm or timbl, or leave --dump-instances out"
        )


class Strategy(Trainer, Generic[Weights, Model]):
    """How one kind of step is prepared, learnt in rounds, scored and finished."""

    step: ClassVar[str] = "parser"
    counted: str = "wrong moves"  # what ``learn`` returns the share of
    batch_size: ClassVar[int] = 250  # sentences between two looks at the progress bar and at Ctrl-C

    recipe: Recipe
    rounds: int
    notes: Sequence[str] = ()
    columns: Sequence[str] = ()  # of the treebank that the model looks at

    @abstractmethod
    def prepare(self, data: Gathered, dev: Gathered | None, observer: TrainingObserver) -> None:
        """Number and encode the treebank, and make what learns."""

    @abstractmethod
    def learn(self, number: int, advanced: Advanced) -> float:
        """Learn for one round; return the share of wrong decisions."""

    @abstractmethod
    def weights(self) -> Weights:
        """Return what has been learnt so far, as a model would keep it."""

    @abstractmethod
    def score(self, weights: Weights) -> DevScore:
        """DevScore weights on dev."""

    @abstractmethod
    def finish(self, weights: Weights, info: dict[str, Any]) -> Model:
        """Return the trained model: calibrated, with its description."""

    def score_under_way(self) -> DevScore:
        """Score what has been learnt so far on dev, for people to see; of several trainings, the one under way."""
        return self.score(self.weights())

    def smaller(self, weights: Weights) -> Iterator[Weights]:
        """Yield smaller and smaller versions of the weights, to keep the last that dev does not miss."""
        return iter(())

    @property
    def trainings(self) -> int:
        """How many trainings the mean is taken over."""
        return 1

    @property
    def selects(self) -> bool:
        """Is the best round on dev kept, or the last?"""
        return True

    @property
    @abstractmethod
    def n_features(self) -> int:
        """How many features have been learnt so far."""

    @property
    def has_learnt(self) -> bool:
        """Is there anything to keep if training ends now?"""
        return True

    def run(self, data: Gathered, dev: Gathered | None, observer: TrainingObserver, about: Mapping[str, Any]) -> Step:
        """Train in rounds."""
        from treewright.training.loop import Training

        trained = Training(self, data, dev, observer).run(about)
        assert isinstance(trained, Step)
        return trained


def going_on_from(kind: type[Going], base: Step | None) -> Going | None:
    """Return the model to go on from, if it is of the kind that is trained."""
    if base is not None and not isinstance(base, kind):
        raise CombinationError(
            f"a {kind.__name__} cannot go on from a {type(base).__name__}: give a model of the same kind, or leave"
            " --init-from out"
        )
    return base


def in_batches(learn: Callable[[int, int], None], n_sentences: int, size: int, advanced: Advanced) -> None:
    """Call ``learn`` for one batch of sentences after the other, and report each."""
    for first in range(0, n_sentences, size):
        learn(first, first + size)
        advanced(min(size, n_sentences - first))


def share(mistakes: int, decisions: int) -> float:
    """Return the share of decisions that were mistakes; not a number if there were none."""
    return mistakes / decisions if decisions else math.nan
