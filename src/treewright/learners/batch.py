"""The contract of learners that learn from all instances at once, and a registry of them by name.

A batch learner gets a Problem and returns what it learnt: a LinearModel, which is converted into the table that parses
fastest, or a Machine, which scores by itself and can write itself to a model file. Other packages add learners by entry
point (group ``treewright.learners``).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar

from treewright.errors import CombinationError, MissingExtraError, unknown
from treewright.features.trust import allow_plugins

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from treewright.features.templates import FeatureModel
    from treewright.learners.learner import Scorer
    from treewright.learners.problem import Problem

GROUP = "treewright.learners"

#: learners that come with treewright, except the perceptron, which learns online
BATCH_LEARNERS = {
    "liblinear": "treewright.learners.liblinear:LiblinearLearner",
    "libsvm": "treewright.learners.libsvm:LibsvmLearner",
    "timbl": "treewright.learners.timbl:TimblLearner",
}


@dataclass
class LinearModel:
    """A weight for every feature (a row, in the order of the problem's index) and column.

    ``columns`` has the decision of each column. ``bias``: what each column gets independently of the features.
    """

    weights: Buffer  # of 64-bit floating-point numbers
    columns: Sequence[int]
    bias: Sequence[float] | None = None


class Machine:
    """A trained model that is not a table of weights: it scores by itself.

    A learner of another package must define at least ``scores``. With ``settings``, ``arrays`` and ``from_file``, it
    can also be saved.
    """

    n_features = 0

    def scores(self, numbers: Sequence[int]) -> Sequence[float]:
        """Return a score for every decision. ``numbers``: the features in the problem's index, 0 for unseen ones."""
        raise NotImplementedError

    def scorer(self, index: Any, plain: Sequence[int], n_classes: int) -> Scorer:
        """Return the scorer that a parser uses."""
        from treewright.learners.decisions import ForeignScorer

        return ForeignScorer(index, plain, n_classes, self)

    @property
    def settings(self) -> dict[str, Any]:
        """What a model file stores as JSON."""
        raise CombinationError(
            "the models of this learner cannot be saved: only tables of weights and learners that write themselves"
            " without pickle can. Use the parser in this session, or choose a linear learner"
        )

    @property
    def arrays(self) -> dict[str, tuple[str, Any]]:
        """What a model file stores as arrays: {name: (type, buffer)}."""
        return {}

    @classmethod
    def from_file(cls, settings: Mapping[str, Any], arrays: Mapping[str, Any]) -> Machine:
        """Return a saved machine."""
        raise NotImplementedError


class BatchLearner:
    """Learns from all instances at once."""

    name: ClassVar[str] = ""
    machine: ClassVar[type[Machine] | None] = None  # reads from a model file what ``fit`` returned
    splits: ClassVar[bool] = False  # whether it can split the instances by a feature (``split_on``)
    fixed_columns: ClassVar[bool] = False  # whether every instance must have the same number of features
    default_options: ClassVar[str] = ""
    texts: Sequence[str] = ()  # of features by number, if it ``wants_texts``

    def __init__(self, options: str = "", column: int = -1, threshold: int = 1000) -> None:
        self.options = options or self.default_options
        self.column, self.threshold = column, threshold
        self.seed = 1

    @property
    def wants_bias(self) -> bool:
        """Whether the LinearModel will have a bias. The feature model then gets a feature that is always present."""
        return False

    @property
    def wants_texts(self) -> bool:
        """Whether it needs the texts of features, in ``texts``."""
        return False

    def check(self, model: FeatureModel) -> None:
        """Reject options and feature models that the learner cannot use, before any work is done."""

    def fit(self, problem: Problem) -> LinearModel | Machine:
        """Learn."""
        raise NotImplementedError


def learner_names() -> list[str]:
    """Return the names of all batch learners, including those of other packages."""
    return [*BATCH_LEARNERS, *(name for name in _plugins() if name not in BATCH_LEARNERS)]


def learner_class(name: str) -> type[BatchLearner]:
    """Return a batch learner by name."""
    if name in BATCH_LEARNERS:
        module, _, attribute = BATCH_LEARNERS[name].partition(":")
        builtin: type[BatchLearner] = getattr(import_module(module), attribute)
        return builtin
    plugins = _plugins()
    if name not in plugins:
        raise CombinationError(unknown("learner", name, ["perceptron", *learner_names()]))
    try:
        plugin: type[BatchLearner] = plugins[name].load()
    except (ImportError, AttributeError) as error:
        raise CombinationError(f"the learner {name!r} cannot be loaded: {error}") from None
    allow_plugins(name)  # the user named it, or allowed it before
    return plugin


def need(module: str, extra: str) -> Any:
    """Import a module of an extra, or say how to install it."""
    try:
        return import_module(module)
    except ImportError:
        raise MissingExtraError(f"the learner {extra}", module.partition(".")[0], extra) from None


def _plugins() -> dict[str, Any]:
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP)}
