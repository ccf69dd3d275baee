"""The contract of learners that learn from all instances at once, and where they are found by name.

A batch learner gets a Problem and gives back what it learnt: a LinearModel, which is brought into the table that
parses fastest, or a Machine, which scores by itself and knows how to stand in a model file. Learners of other
packages are found by entry point (group ``treewright.learners``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from treewright.errors import CombinationError, MissingExtraError

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from treewright.features.templates import FeatureModel
    from treewright.learners.learner import Scorer
    from treewright.learners.problem import Problem

GROUP = "treewright.learners"

#: learners that come with treewright; the perceptron is online, and not made here
BATCH_LEARNERS = {
    "liblinear": "treewright.learners.liblinear:LiblinearLearner",
    "libsvm": "treewright.learners.libsvm:LibsvmLearner",
    "timbl": "treewright.learners.timbl:TimblLearner",
}


@dataclass
class LinearModel:
    """A weight for every feature (row, in the order of the problem's index) and column.

    ``columns`` has the decision of each column. ``bias``: what each column gets whatever the features.
    """

    weights: Buffer  # of 64-bit floating-point numbers
    columns: Sequence[int]
    bias: Sequence[float] | None = None


class Machine:
    """What a learner learnt that is no table of weights: it scores by itself.

    The least that a learner of another package must write is ``scores``; with ``settings``, ``arrays`` and
    ``from_file``, it can be saved.
    """

    n_features = 0

    def scores(self, numbers: Sequence[int]) -> Sequence[float]:
        """Return a score for every decision, for features as numbers of the problem's index, 0 for one never seen."""
        raise NotImplementedError

    def scorer(self, index: Any, plain: Sequence[int], n_classes: int) -> Scorer:
        """Return what the parser asks."""
        from treewright.learners.decisions import ForeignScorer

        return ForeignScorer(index, plain, n_classes, self)

    @property
    def settings(self) -> dict[str, Any]:
        """What a model file must keep of it, as JSON."""
        raise CombinationError(
            "what this learner learnt cannot be saved: only tables of weights, and learners that can write themselves"
            " without pickle, can. Use the parser in this session, or choose a linear learner"
        )

    @property
    def arrays(self) -> dict[str, tuple[str, Any]]:
        """What a model file must keep of it, as arrays: {name: (type, buffer)}."""
        return {}

    @classmethod
    def from_file(cls, settings: Mapping[str, Any], arrays: Mapping[str, Any]) -> Machine:
        """Return a machine that was saved."""
        raise NotImplementedError


class BatchLearner:
    """Learns from all instances at once."""

    name: ClassVar[str] = ""
    machine: ClassVar[type[Machine] | None] = None  # which reads what ``fit`` returned from a model file
    splits: ClassVar[bool] = False  # can it split the instances by a feature (``split_on``)?
    fixed_columns: ClassVar[bool] = False  # does it need the same number of features in every instance?
    default_options: ClassVar[str] = ""

    def __init__(self, options: str = "", column: int = -1, threshold: int = 1000) -> None:
        self.options = options or self.default_options
        self.column, self.threshold = column, threshold
        self.seed = 1

    @property
    def wants_bias(self) -> bool:
        """Will the LinearModel have a bias? The feature model then gets a feature that is always there."""
        return False

    def check(self, model: FeatureModel) -> None:
        """Refuse options and feature models that the learner cannot use, before any work is done."""

    def fit(self, problem: Problem) -> LinearModel | Machine:
        """Learn."""
        raise NotImplementedError


def learner_names() -> list[str]:
    """Return the names of all batch learners, those of other packages included."""
    return [*BATCH_LEARNERS, *(name for name in _plugins() if name not in BATCH_LEARNERS)]


def learner_class(name: str) -> type[BatchLearner]:
    """Return a batch learner by name."""
    if name in BATCH_LEARNERS:
        module, _, attribute = BATCH_LEARNERS[name].partition(":")
        found: type[BatchLearner] = getattr(import_module(module), attribute)
        return found
    plugins = _plugins()
    if name not in plugins:
        listed = ", ".join(["perceptron", *learner_names()])
        raise CombinationError(f"there is no learner {name!r}; there are: {listed}")
    try:
        plugin: type[BatchLearner] = plugins[name].load()
    except (ImportError, AttributeError) as error:
        raise CombinationError(f"the learner {name!r} cannot be loaded: {error}") from None
    return plugin


def need(module: str, extra: str) -> Any:
    """Import a module of an extra, or say how to get it."""
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(f"the learner {extra}", module.partition(".")[0], extra) from None


def _plugins() -> dict[str, Any]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP)}
