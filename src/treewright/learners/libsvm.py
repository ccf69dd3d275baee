"""Support vector machines with kernels by LIBSVM.

Training time grows at least with the square of the number of instances; splitting them by a feature (MaltParser's
``-d``) keeps it bearable. The model file holds what LIBSVM writes, and kernel_machine.pyx runs it.
"""

from __future__ import annotations

import ctypes
import os
import zlib
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from treewright.errors import CombinationError, ModelFileError
from treewright.learners.batch import BatchLearner, Machine, need
from treewright.learners.c_libraries import instances_for, parameter_from, raise_rejection, seed_library
from treewright.learners.stored_bytes import unpacked

if TYPE_CHECKING:
    from treewright.features.templates import FeatureModel
    from treewright.learners.learner import Scorer
    from treewright.learners.problem import Problem

CLASSIFIERS = (0, 1)  # C-SVC, nu-SVC
PRECOMPUTED = 4
MOST_LISTS = 1 << 30  # features times machines: each machine has a list for every feature
OPTIONS = (
    "-s type, -t kernel, -d degree, -g gamma, -r coef0, -c cost, -n nu, -e tolerance, -h shrinking, -m cache,"
    " -b probability, -wN weight"
)


class LibsvmMachine(Machine):
    """LIBSVM models as text: one in all, or one for each frequent value of the feature in ``column``."""

    def __init__(self, texts: Sequence[tuple[int, bytes]], column: int, n_features: int) -> None:
        from treewright.learners.kernel_machine import KernelMachine

        self.texts, self.column, self.n_features = list(texts), column, n_features
        self.machines = [(feature, KernelMachine(text, n_features)) for feature, text in texts]

    def scorer(self, index: Any, plain: Sequence[int], n_classes: int) -> Scorer:
        """Return a compiled scorer, which works in any thread."""
        from treewright.learners.kernel_machine import KernelScorer

        return KernelScorer(index, plain, n_classes, self.machines, self.column)

    @property
    def settings(self) -> dict[str, Any]:
        """The column to split by, and the length of each text."""
        return {"column": self.column, "parts": [[feature, len(text)] for feature, text in self.texts]}

    @property
    def arrays(self) -> dict[str, tuple[str, Any]]:
        """The texts, compressed."""
        return {"machines": ("U8", zlib.compress(b"".join(text for _, text in self.texts), 9))}

    @classmethod
    def from_file(cls, settings: Mapping[str, Any], arrays: Mapping[str, Any]) -> LibsvmMachine:
        """Return saved machines; LIBSVM itself is not needed."""
        total = sum(int(length) for _, length in settings["parts"])
        text = unpacked(arrays["machines"], total, "the text of support vector machines")
        n_features = int(settings["n_features"])
        if n_features * len(settings["parts"]) > MOST_LISTS:
            raise ModelFileError("the model is damaged: it has more support vector machines than its features need")
        texts, start = [], 0
        for feature, length in settings["parts"]:
            texts.append((int(feature), text[start : start + length]))
            start += length
        return cls(texts, int(settings["column"]), n_features)


class LibsvmLearner(BatchLearner):
    """LIBSVM. The options are those of its ``svm-train`` program; the default is MaltParser's."""

    name: ClassVar[str] = "libsvm"
    splits: ClassVar[bool] = True
    machine: ClassVar[type[Machine] | None] = LibsvmMachine
    default_options: ClassVar[str] = "-s 0 -t 1 -d 2 -g 0.2 -r 0 -c 1 -e 1.0"

    def check(self, model: FeatureModel) -> None:
        """Parse the options."""
        self._parameter(1)

    def _parameter(self, n_features: int) -> Any:
        library = need("libsvm.svm", "libsvm")
        if "-v" in self.options.split():
            raise CombinationError("-v requests cross-validation, which makes no model: leave it out")
        parameter = parameter_from(library.svm_parameter, self.options, "LIBSVM", OPTIONS)
        if parameter.svm_type not in CLASSIFIERS:
            raise CombinationError(
                f"LIBSVM's type {int(parameter.svm_type)} is not a classifier: choose -s 0 (C-SVC) or -s 1 (nu-SVC)"
            )
        if parameter.kernel_type == PRECOMPUTED:
            raise CombinationError("a precomputed kernel cannot parse new text: choose -t 0, 1, 2 or 3")
        if parameter.gamma == 0:
            parameter.gamma = 1 / max(1, n_features)
        return parameter

    def fit(self, problem: Problem) -> Machine:
        """Train one machine, or one for each part."""
        parts: list[tuple[int, Problem]] = [(0, problem)]
        if self.column >= 0:
            parts, rest = problem.parts(self.column, self.threshold)
            if rest is not None:
                parts.append((0, rest))
        texts = [(feature, self._train(part)) for feature, part in parts]
        return LibsvmMachine(texts, self.column, problem.index.n_features)

    def _train(self, problem: Problem) -> bytes:
        import tempfile

        library = need("libsvm.svm", "libsvm")
        parameter = self._parameter(problem.index.n_features)
        data = instances_for(library.svm_problem, problem)
        message = library.libsvm.svm_check_parameter(ctypes.byref(data), ctypes.byref(parameter))
        raise_rejection(message, self.options, "LIBSVM")
        seed_library(self.seed)
        _use_one_thread(library.libsvm)
        model = library.libsvm.svm_train(ctypes.byref(data), ctypes.byref(parameter))
        try:
            with tempfile.TemporaryDirectory() as folder:
                path = os.path.join(folder, "model")
                if library.libsvm.svm_save_model(os.fsencode(path), model):
                    raise OSError(f"LIBSVM could not write its model to {folder}")
                with open(path, "rb") as file:
                    return file.read()
        finally:
            library.libsvm.svm_free_and_destroy_model(ctypes.byref(model))
            del data  # until here: the support vectors of the model point to its instances


def _use_one_thread(library: Any) -> None:
    """Keep OpenMP from spinning: with many small machines, its threads mostly wait for each other.

    If OMP_NUM_THREADS is set, it decides.
    """
    if "OMP_NUM_THREADS" not in os.environ and hasattr(library, "omp_set_num_threads"):
        library.omp_set_num_threads(1)
