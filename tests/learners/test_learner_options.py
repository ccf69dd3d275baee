"""Options of batch learners that make no sense are rejected, with the reason."""

from __future__ import annotations

import random

import pytest

from treewright.errors import CombinationError
from treewright.features.bundled import load_feature_model
from treewright.learners.batch import BatchLearner, learner_class
from treewright.learners.problem import Problem

MODULES = {"liblinear": "liblinear.liblinear", "libsvm": "libsvm.svm", "timbl": "timblapi"}


@pytest.mark.parametrize(
    ("learner", "options", "reason"),
    [
        ("liblinear", "-v 5", "cross-validation"),
        ("liblinear", "-C", "cross-validation"),
        ("liblinear", "-s 11", "not a classifier"),
        ("liblinear", "-s 21", "not a classifier"),
        ("liblinear", "-x", "does not understand"),
        ("liblinear", "-s", "does not understand"),
        ("liblinear", "-c 0", "LIBLINEAR rejects"),
        ("libsvm", "-v 5", "cross-validation"),
        ("libsvm", "-t 4", "precomputed"),
        ("libsvm", "-s 3", "not a classifier"),
        ("libsvm", "-s 2", "not a classifier"),
        ("libsvm", "-zz", "does not understand"),
        ("libsvm", "-c", "does not understand"),
        ("libsvm", "-c -1", "LIBSVM rejects"),
        ("timbl", "-m L", "spelling metrics"),
        ("timbl", "-mN", "spelling metrics"),
        ("timbl", "-m O:N2", "spelling metrics"),
        ("timbl", "-f file", "treewright chooses"),
        ("timbl", "-t leave_one_out", "treewright chooses"),
        ("timbl", "-k five", "does not understand"),
    ],
)
def test_options_that_make_no_sense_are_rejected(learner: str, options: str, reason: str) -> None:
    pytest.importorskip(MODULES[learner])
    rng = random.Random(1)
    problem = Problem(4)
    for _ in range(50):
        decision = rng.randrange(4)
        problem.add_instance([10 + decision, 20 + rng.randrange(5)], decision)
    with pytest.raises(CombinationError, match=reason):
        check_and_fit(learner_class(learner)(options), problem)


def check_and_fit(learner: BatchLearner, problem: Problem) -> None:
    learner.check(load_feature_model("malt"))
    learner.fit(problem)
