"""TiMBL behind the contract of learners."""

from __future__ import annotations

import math
import random

import pytest

from treewright.errors import CombinationError, ModelFileError
from treewright.learners.problem import Problem
from treewright.learners.timbl import PRIOR, TimblLearner, TimblMachine

pytest.importorskip("timblapi")


def made_up() -> Problem:
    rng = random.Random(1)
    problem = Problem(4)
    for _ in range(200):
        a, b = rng.randrange(3), rng.randrange(5)
        problem.add_instance([10 + a, 20 + b], a)
    return problem


@pytest.mark.parametrize("options", ["", "-k 3 -m O -w 1 -d Z", "-a IGTREE", "-k 5 -m M -w 0 -d ID"])
def test_neighbours_decide_and_survive_a_file(options: str) -> None:
    problem = made_up()
    machine = TimblLearner(options).fit(problem)
    assert isinstance(machine, TimblMachine)
    again = TimblMachine.from_file(
        {**machine.settings, "n_features": len(problem.index)}, {n: b for n, (_, b) in machine.arrays.items()}
    )
    for i in range(0, 200, 10):
        row, decision = problem.instance(i)
        scores = machine.scores(row)
        assert scores.index(max(scores)) == decision
        assert again.scores(row) == pytest.approx(scores, abs=1e-6)
        # Decision 3 never occurred: neither neighbours nor frequency speak for it.
        assert scores[3] == pytest.approx(math.log(1e-9))
    assert sum(math.exp(score) for score in scores) == pytest.approx(1 + PRIOR, abs=0.01)


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str]) -> None:
    TimblLearner().fit(made_up()).scores([1, 2])
    assert capfd.readouterr() == ("", "")


def test_damaged_instance_bases_are_rejected() -> None:
    machine = TimblLearner().fit(made_up())
    arrays = {name: bytes(buffer) for name, (_, buffer) in machine.arrays.items()}
    settings = {**machine.settings, "n_features": 8}
    with pytest.raises(ModelFileError):
        TimblMachine.from_file(settings, {"instance_base": b"no"})
    with pytest.raises(ModelFileError, match="wrong length"):
        TimblMachine.from_file({**settings, "lengths": [1, 1]}, arrays)
    with pytest.raises(CombinationError, match="treewright chooses"):
        TimblMachine.from_file({**settings, "options": "-W /etc/passwd"}, arrays)
