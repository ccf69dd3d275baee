"""Options of batch learners that make no sense are rejected, with the reason."""

from __future__ import annotations

import random

import pytest
from treewright.learners.problem import Problem

from treewright.errors import CombinationError
from treewright.features.bundled import load_feature_model
from treewright.learners.batch import BatchLearner, learner_class

MODULES = {"liblinear": "liblinear.liblinear", "libsvm": "libsvm.svm", "timbl": "timblapi"}
BAD = {
    "liblinear": {
        "-v 5": "cross-validation",
        "-C": "cross-validation",
        "-s 11": "not a classifier",
        "-s 21": "not a classifier",
        "-x": "does not understand",
        "-s": "does not understand",
        "-c 0": "LIBLINEAR rejects",
    },
    "libsvm": {
        "-v 5": "cross-validation",
        "-t 4": "precomputed",
        "-s 3": "not a classifier",
        "-s 2": "not a classifier",
        "-zz": "does not understand",
        "-c": "does not understand",
        "-c -1": "LIBSVM rejects",
    },
    "timbl": {
        "-a IB2": "-b 100",
        "-f file": "treewright chooses",
        "-t leave_one_out": "treewright chooses",
        "-k five": "does not understand",
    },
}


@pytest.mark.parametrize(("learner", "options"), [(name, options) for name, cases in BAD.items() for options in cases])
def test_options_that_make_no_sense_are_rejected(learner: str, options: str) -> None:
    pytest.importorskip(MODULES[learner])
    rng = random.Random(1)
    problem = Problem(4)
    for _ in range(50):
        decision = rng.randrange(4)
        problem.add_instance([10 + decision, 20 + rng.randrange(5)], decision)
    with pytest.raises(CombinationError, match=BAD[learner][options]):
        check_and_fit(learner_class(learner)(options), problem)


def check_and_fit(learner: BatchLearner, problem: Problem) -> None:
    learner.check(load_feature_model("malt"))
    learner.fit(problem)
