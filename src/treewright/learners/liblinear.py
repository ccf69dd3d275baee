"""Linear support vector machines and logistic regression (maximum entropy) by LIBLINEAR.

The library gets the instances in its own layout, without a copy. Its weights go into the table that parses fastest.
"""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, ClassVar

from treewright.errors import CombinationError
from treewright.learners.batch import BatchLearner, LinearModel, need
from treewright.learners.c_libraries import instances_for, parameter_from, raise_rejection, seed_library

if TYPE_CHECKING:
    from treewright.features.templates import FeatureModel
    from treewright.learners.problem import Problem

CROSS_VALIDATION = ("-v", "-C")
REGRESSION = (11, 12, 13, 21)  # solvers that do not train classifiers
OPTIONS = "-s solver, -c cost, -e tolerance, -B bias, -R, -wN weight, -p, -n"


class LiblinearLearner(BatchLearner):
    """LIBLINEAR. The options are those of its ``train`` program; the default is MaltParser's."""

    name: ClassVar[str] = "liblinear"
    default_options: ClassVar[str] = "-s 4 -c 0.1 -e 0.1"

    @property
    def wants_bias(self) -> bool:
        """Whether the options have ``-B``."""
        return "-B" in self.options.split()

    def check(self, model: FeatureModel) -> None:
        """Parse the options."""
        self._parameter()

    def _parameter(self) -> Any:
        library = need("liblinear.liblinear", "liblinear")
        if any(word in CROSS_VALIDATION for word in self.options.split()):
            raise CombinationError("-v and -C request cross-validation, which makes no model: leave them out")
        parameter = parameter_from(library.parameter, self.options, "LIBLINEAR", OPTIONS)
        if parameter.solver_type in REGRESSION:
            raise CombinationError(
                f"LIBLINEAR's solver {int(parameter.solver_type)} is not a classifier: choose -s 0 to 7,"
                " for example 4 for a support vector machine or 0 for maximum entropy"
            )
        return parameter

    def fit(self, problem: Problem) -> LinearModel:
        """Train, and return the weights."""
        library = need("liblinear.liblinear", "liblinear")
        parameter = self._parameter()
        data = instances_for(library.problem, problem, parameter.bias)
        data.bias = parameter.bias
        data.n = problem.index.n_features + (parameter.bias >= 0)
        message = library.liblinear.check_parameter(ctypes.byref(data), ctypes.byref(parameter))
        raise_rejection(message, self.options, "LIBLINEAR")
        seed_library(self.seed)
        model = library.liblinear.train(ctypes.byref(data), ctypes.byref(parameter))
        del data
        try:
            return _linear_model(model.contents, problem.index.n_features)
        finally:
            library.liblinear.free_and_destroy_model(ctypes.byref(model))


def _linear_model(model: Any, n_features: int) -> LinearModel:
    """Copy the weights. A model of two classes has one column for both; the second gets its negation."""
    from array import array

    columns = [int(model.label[i]) for i in range(model.nr_class)]
    single = model.nr_class == 2 and model.param.solver_type != 4
    width = 1 if single else model.nr_class
    rows = n_features + (model.bias >= 0)
    weights = array("d")
    if rows * width:
        weights.frombytes(ctypes.string_at(model.w, 8 * rows * width))
    if single:
        weights = array("d", [sign * weight for weight in weights for sign in (1, -1)])
        width = 2
    bias = None
    if model.bias >= 0:
        bias = [model.bias * weight for weight in weights[n_features * width :]]
    return LinearModel(weights, columns, bias)
