"""TiMBL behind the contract of learners."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest
from treewright.learners.problem import Problem

from treewright.errors import CombinationError, ModelFileError
from treewright.features.language import parse_model
from treewright.features.templates import FeatureModel
from treewright.learners.batch import Machine
from treewright.learners.timbl import PRIOR, TimblLearner, TimblMachine

pytest.importorskip("timblapi")


IGNORING = [f"-a {algorithm} -m O:I2" for algorithm in ("IGTREE", "TRIBL -q 1", "TRIBL2", "IB2 -b 20")]


def made_up() -> Problem:
    rng = random.Random(1)
    problem = Problem(4)
    for _ in range(200):
        a, b = rng.randrange(3), rng.randrange(5)
        problem.add_instance([10 + a, 20 + b], a)
    return problem


@pytest.mark.parametrize("options", ["", "-k 3 -m O -w 1 -d Z", "-a IGTREE", "-k 5 -m M -w 0 -d ID", *IGNORING])
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


@pytest.mark.parametrize(
    "options",
    ["-m O", "-m M -k 3", "-m J", "-m S", "-m L", "-m DC", "-m N", "-m E", "-m D", "-m C", "-m O:N1", "-a IGTREE",
     "-a TRIBL -q 1", "-a TRIBL2", "-a IB2 -b 20", "-a IB2 -b 20 -m L"],
)  # fmt: skip
def test_predictions_are_those_of_timbl_itself(options: str, tmp_path: Path) -> None:
    """All metrics and algorithms that the library has, against the library called directly."""
    import timblapi

    problem, learner = made_up(), TimblLearner(options)
    # Numbers as texts: all metrics can compare them.
    texts = ["", *(str(number * number % 7 + 1) for number in range(1, len(problem.index) + 1))]
    learner.texts = texts
    rows = [problem.instance(i) for i in range(len(problem))]
    lines = ["\t".join([*(texts[n] for n in row), str(decision)]) for row, decision in rows]
    if not learner.wants_texts:
        lines = ["\t".join(map(str, [*row, decision])) for row, decision in rows]
    first = 20 if "IB2" in options else len(lines)
    plain = options.replace("-a IB2 -b 20", "")
    (tmp_path / "instances").write_text("\n".join(lines[:first]) + "\n")
    direct = timblapi.TimblAPI(f"-F Tabbed +D +vs+db+di {plain}", "")
    assert direct.learn(str(tmp_path / "instances"))
    for line in lines[first:]:
        if direct.classify(line)[1] != line.rpartition("\t")[2]:
            direct.increment(line)
    machine = learner.fit(problem)
    again = TimblMachine.from_file(
        {**machine.settings, "n_features": len(problem.index)}, {n: b for n, (_, b) in machine.arrays.items()}
    )
    for line, (row, _) in zip(lines, rows, strict=True):
        scores = machine.scores(row)
        assert scores[int(direct.classify(line)[1])] == max(scores)
        assert again.scores(row) == pytest.approx(scores, abs=1e-6)


METRICS = ("O", "M", "J", "S", "N", "E", "DC", "L", "I")
OF_COLUMNS = [metric + columns for metric in METRICS for columns in ("1", "2,3", "1-2", "1-3")]


@pytest.mark.parametrize("metric", [*METRICS, "D", "C"])
def test_every_metric_string_is_refused_or_learns_and_loads(metric: str) -> None:
    """The grammar of the library: a metric for all columns, and others for some of them, which may be ignored."""
    model = parse_model("p(stack[0])\np(stack[1])\np(input[0])")
    rng = random.Random(1)
    problem = Problem(4)
    for _ in range(30):
        values = [rng.randrange(3) for _ in range(3)]
        problem.add_instance([10 * column + value for column, value in enumerate(values, 1)], values[0])
    learnt = set()
    for ranges in ("", *OF_COLUMNS, "I1:N2", "N1:I2", "M1:I2-3", "J1:S2:I3", "I1:I2", "I2:I1,3", "I9"):
        learner = TimblLearner(f"-m {metric}:{ranges}" if ranges else f"-m {metric}")
        learner.texts = ["", *(str(number * number % 7 + 1) for number in range(1, len(problem.index) + 1))]
        try:
            learner.check(model)
            machine = learner.fit(problem)
        except CombinationError:
            continue
        learnt.add(ranges)
        again = through_file(machine, problem)
        for number in range(0, 30, 7):
            row, _ = problem.instance(number)
            assert again.scores(row) == pytest.approx(machine.scores(row), abs=1e-6)
    assert {"I1-3", "I2:I1,3"}.isdisjoint(learnt)
    assert {"", "I1", "I2,3", "M1:I2-3"} <= learnt if metric in ("O", "M", "J", "S") else metric != "I" or not learnt


def through_file(machine: Machine, problem: Problem) -> TimblMachine:
    settings = {**machine.settings, "n_features": len(problem.index)}
    return TimblMachine.from_file(settings, {name: bytes(data) for name, (_, data) in machine.arrays.items()})


def test_ignored_columns_do_not_count() -> None:
    problem = made_up()
    machine = TimblLearner("-m O:I2").fit(problem)
    row, _ = problem.instance(0)
    other = next(problem.instance(i)[0] for i in range(200) if problem.instance(i)[0][1] != row[1])
    assert machine.scores([row[0], other[1]]) == machine.scores(row)
    with pytest.raises(CombinationError, match="ignores all columns"):
        TimblMachine.from_file(
            {**machine.settings, "n_features": 8, "options": "-m O:I1-2"},
            {name: bytes(data) for name, (_, data) in machine.arrays.items()},
        )


def test_what_only_numbers_allow_is_refused_for_words() -> None:
    problem, learner = made_up(), TimblLearner("-m D")
    learner.texts = ["", *(f"word{number}" for number in range(len(problem.index)))]
    with pytest.raises(CombinationError, match="need numbers in all columns"):
        learner.fit(problem)


def test_ib2_needs_a_start() -> None:
    with pytest.raises(CombinationError, match="-b 100"):
        TimblLearner("-a IB2").check(FeatureModel("none", ()))


def test_damaged_instances_are_rejected() -> None:
    machine = TimblLearner("-m L").fit(made_up())
    arrays = {name: bytes(buffer) for name, (_, buffer) in machine.arrays.items()}
    settings = {**machine.settings, "n_features": 8}
    with pytest.raises(ModelFileError, match="not one text for each feature"):
        TimblMachine.from_file({**settings, "n_features": 9}, arrays)
    with pytest.raises(ModelFileError, match="other columns or decisions"):
        TimblMachine.from_file({**settings, "prior": [1.0]}, arrays)
