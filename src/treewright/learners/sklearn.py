"""Any classifier with scikit-learn's interface: ``fit`` or ``partial_fit``, and scores of all classes.

Classifiers with ``coef_`` are linear, and go into the table that parses fastest. The parser calls other classifiers for
every move. These could only be saved with pickle, which executes what it reads; so such parsers cannot be saved.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from treewright.errors import CombinationError
from treewright.learners.batch import BatchLearner, LinearModel, Machine, need
from treewright.learners.decisions import UNKNOWN

if TYPE_CHECKING:
    from treewright.features.templates import FeatureModel
    from treewright.learners.problem import Problem

AT_ONCE = 20_000  # instances of one partial_fit
ROUNDS = 5  # of partial_fit over all instances


class EstimatorMachine(Machine):
    """A fitted classifier that is not linear."""

    def __init__(self, estimator: Any, n_decisions: int, n_features: int) -> None:
        self.estimator, self.n_decisions, self.n_features = estimator, n_decisions, n_features
        self.classes = [int(label) for label in estimator.classes_]

    def scores(self, numbers: Sequence[int]) -> Sequence[float]:
        """Return decision values, or logarithms of probabilities."""
        columns = sorted({number - 1 for number in numbers if number})
        row = _matrix(array("q", [0, len(columns)]), array("i", columns), self.n_features)
        if hasattr(self.estimator, "decision_function"):
            values = self.estimator.decision_function(row).ravel().tolist()
            if len(self.classes) == 2:
                values = [-values[0], values[0]]
        else:
            values = [math.log(share + 1e-9) for share in self.estimator.predict_proba(row).ravel().tolist()]
        if len(values) != len(self.classes):
            raise CombinationError(
                f"the classifier returns {len(values)} values for {len(self.classes)} classes. Choose one-vs-rest"
                " scores"
            )
        scores = [UNKNOWN] * self.n_decisions
        for decision, value in zip(self.classes, values, strict=True):
            scores[decision] = value
        return scores

    @property
    def settings(self) -> dict[str, Any]:
        """Explain why such a parser cannot be saved."""
        raise CombinationError(
            f"a parser with {type(self.estimator).__name__} cannot be saved: that would need pickle, which executes"
            " what it reads. Use the parser in this session, or choose a linear classifier (one with coef_)"
        )


class EstimatorLearner(BatchLearner):
    """A scikit-learn classifier, given as an object; a clone of it is trained."""

    name: ClassVar[str] = "sklearn"

    def __init__(self, estimator: Any) -> None:
        super().__init__()
        self.estimator = estimator
        missing = [
            " or ".join(names)
            for names in (("fit", "partial_fit"), ("decision_function", "predict_proba"))
            if not any(hasattr(estimator, name) for name in names)
        ]
        if missing:
            raise CombinationError(f"{estimator!r} is not a learner: it lacks {' and '.join(missing)}")

    @property
    def wants_bias(self) -> bool:
        """Whether the classifier has an intercept; linear ones do unless they say otherwise."""
        return bool(getattr(self.estimator, "fit_intercept", True))

    def check(self, model: FeatureModel) -> None:
        """Check that scipy, which makes the matrices, is installed."""
        need("scipy.sparse", "sklearn")

    def fit(self, problem: Problem) -> LinearModel | Machine:
        """Fit a clone."""
        import copy

        import numpy

        try:
            from sklearn.base import clone

            estimator = clone(self.estimator)
        except (ImportError, TypeError):
            estimator = copy.deepcopy(self.estimator)
        decisions = numpy.frombuffer(problem.decisions, dtype="int32")
        if hasattr(estimator, "fit"):
            estimator.fit(_matrix(*problem.matrix(), problem.index.n_features), decisions)
        else:
            seen = numpy.unique(decisions)
            for _ in range(ROUNDS):
                for first in range(0, len(problem), AT_ONCE):
                    part = _matrix(*problem.matrix(first, first + AT_ONCE), problem.index.n_features)
                    estimator.partial_fit(part, decisions[first : first + AT_ONCE], classes=seen)
        linear = _linear_model(estimator, problem.index.n_features)
        return linear or EstimatorMachine(estimator, problem.n_decisions, problem.index.n_features)


def _matrix(starts: array[int], columns: array[int], n_features: int) -> Any:
    """Return a sparse matrix of ones at the given columns."""
    import numpy
    from scipy.sparse import csr_matrix

    ones = numpy.ones(len(columns))
    return csr_matrix(
        (ones, numpy.frombuffer(columns, dtype="int32"), numpy.frombuffer(starts, dtype="int64").astype("int32")),
        shape=(len(starts) - 1, n_features),
    )


def _linear_model(estimator: Any, n_features: int) -> LinearModel | None:
    """Return the weights of a linear classifier, or None for other classifiers."""
    import numpy

    weights = getattr(estimator, "coef_", None)
    if weights is None or not hasattr(estimator, "classes_"):
        return None
    weights = weights.toarray() if hasattr(weights, "toarray") else numpy.asarray(weights, dtype="float64")
    bias = numpy.broadcast_to(numpy.asarray(getattr(estimator, "intercept_", 0.0), dtype="float64"), len(weights))
    if len(estimator.classes_) == 2 and weights.shape == (1, n_features):
        weights, bias = numpy.vstack([-weights, weights]), numpy.concatenate([-bias, bias])
    if weights.shape != (len(estimator.classes_), n_features):
        return None
    columns = [int(label) for label in estimator.classes_]
    rows: Any = numpy.ascontiguousarray(weights.T, dtype="float64").reshape(-1)
    return LinearModel(rows, columns, bias.tolist() if bias.any() else None)
