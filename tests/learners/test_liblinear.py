"""LIBLINEAR behind the contract of learners."""

from __future__ import annotations

import random
from array import array

import pytest
from treewright.learners.problem import Problem

from tests.optional import needs
from treewright.features.bundled import load_feature_model
from treewright.learners.c_libraries import seed_library
from treewright.learners.liblinear import LiblinearLearner

pytestmark = needs("liblinear")


def made_up(n_decisions: int) -> Problem:
    rng = random.Random(1)
    problem = Problem(n_decisions + 2)
    for _ in range(300):
        a, b = rng.randrange(n_decisions), rng.randrange(5)
        problem.add_instance([20 + b, 10 + a], 1 + a)
    return problem


@pytest.mark.parametrize("options", ["", "-s 0", "-s 1 -B 1", "-s 6 -c 2", "-s 7 -B 0.5 -e 0.01", "-s 4 -w2 3"])
@pytest.mark.parametrize("n_decisions", [2, 3])
def test_weights_are_those_that_the_package_itself_gives(options: str, n_decisions: int) -> None:
    from liblinear import liblinearutil as linear

    problem = made_up(n_decisions)
    learner = LiblinearLearner(options)
    learner.check(load_feature_model("malt"))
    learnt = learner.fit(problem)
    rows = [dict.fromkeys(problem.instance(i)[0], 1) for i in range(len(problem))]
    seed_library(learner.seed)
    model = linear.train(list(problem.decisions), rows, "-q " + (options or LiblinearLearner.default_options))
    labels = model.get_labels()
    assert sorted(learnt.columns) == sorted(labels)
    width = len(learnt.columns)
    weights = array("d", learnt.weights)
    assert learner.wants_bias == (learnt.bias is not None)
    for column, decision in enumerate(learnt.columns):
        ours = [weights[width * i + column] for i in range(len(problem.index))]
        theirs, bias = model.get_decfun(labels.index(decision))
        assert ours == pytest.approx(theirs, abs=1e-9)
        if learnt.bias is not None:
            assert learnt.bias[column] == pytest.approx(bias, abs=1e-9)
