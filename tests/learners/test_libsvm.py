"""LIBSVM's machines, run without LIBSVM, decide as LIBSVM does."""

from __future__ import annotations

import ctypes
import random

import pytest
from treewright.learners.kernel_machine import KernelMachine, KernelScorer
from treewright.learners.problem import Problem

from treewright.errors import ModelFileError
from treewright.learners.libsvm import LibsvmLearner, LibsvmMachine

svm = pytest.importorskip("libsvm.svm")


def made_up(rng: random.Random, n: int = 150) -> Problem:
    """Instances whose decision depends on pairs of features, which needs a kernel."""
    problem = Problem(5)
    for _ in range(n):
        a, b, c = rng.randrange(4), rng.randrange(4), rng.randrange(6)
        problem.add_instance([10 + a, 20 + b, 30 + c], (a * b + (c == 0)) % 5)
    return problem


def votes_of_libsvm(text: bytes, rows: list[list[int]], folder: str) -> list[list[float]]:
    path = f"{folder}/model"
    with open(path, "wb") as file:
        file.write(text)
    model = svm.libsvm.svm_load_model(path.encode())
    n = svm.libsvm.svm_get_nr_class(model)
    labels = (ctypes.c_int * n)()
    svm.libsvm.svm_get_labels(model, labels)
    found = []
    for row in rows:
        nodes = (svm.svm_node * (len(row) + 1))()
        for node, index in zip(nodes, sorted(set(row) - {0}), strict=False):
            node.index, node.value = index, 1
        nodes[len(set(row) - {0})].index = -1
        values = (ctypes.c_double * (n * (n - 1) // 2))()
        svm.libsvm.svm_predict_values(model, nodes, values)
        votes, at = [0.0] * 5, 0
        for i in range(n):
            for j in range(i + 1, n):
                votes[labels[i if values[at] > 0 else j]] += 1
                at += 1
        found.append(votes)
    return found


@pytest.mark.parametrize(
    "options",
    [
        "-t 0 -c 1",
        "-t 1 -d 2 -g 0.2 -r 0.4",
        "-t 1 -d 3 -g 0.5 -r 1",
        "-t 2 -g 0.3",
        "-t 3 -g 0.1 -r 0.2",
        "-s 1 -n 0.1 -t 1 -d 2 -g 0.2",
    ],
)
def test_votes_are_those_of_libsvm(options: str, tmp_path) -> None:
    rng = random.Random(4)
    problem = made_up(rng)
    machine = LibsvmLearner(options).fit(problem)
    assert isinstance(machine, LibsvmMachine)
    ((feature, text),) = machine.texts
    assert feature == 0
    scorer = machine.scorer(problem.index, [0, 1], 3)
    rows = [[rng.randrange(0, len(problem.index) + 1) for _ in range(3)] for _ in range(60)]
    rows = [row for row in rows if len({*row} - {0}) == len([f for f in row if f])]
    for row, votes in zip(rows, votes_of_libsvm(text, rows, str(tmp_path)), strict=True):
        assert [max(0, round(score)) for score in scorer.decision_scores(row)] == votes


def test_parts_have_machines_of_their_own() -> None:
    rng = random.Random(5)
    problem = made_up(rng, 300)
    machine = LibsvmLearner("-t 1 -d 2 -g 0.2 -r 1 -c 10", column=0, threshold=70).fit(problem)
    assert isinstance(machine, LibsvmMachine)
    features = [feature for feature, _ in machine.texts]
    assert 1 < len(features) <= 4
    again = LibsvmMachine.from_file(
        {**machine.settings, "n_features": len(problem.index)}, {n: b for n, (_, b) in machine.arrays.items()}
    )
    one, two = (m.scorer(problem.index, [0, 1], 3) for m in (machine, again))
    right = 0
    for i in range(len(problem)):
        row, decision = problem.instance(i)
        scores = one.decision_scores(row)
        assert scores == two.decision_scores(row)
        right += scores.index(max(scores)) == decision
    assert right > 0.95 * len(problem)


def test_damaged_machines_are_rejected() -> None:
    problem = made_up(random.Random(7), 60)
    machine = LibsvmLearner().fit(problem)
    assert isinstance(machine, LibsvmMachine)
    text = machine.texts[0][1]
    rng = random.Random(8)
    n = len(problem.index)
    for _ in range(300):
        damaged = bytearray(text)
        for _ in range(rng.randrange(1, 4)):
            place = rng.randrange(len(damaged))
            damaged[place : place + rng.randrange(3)] = rng.choice([b"", b"9", b" ", b"\n", b":", b"-", b"\xff"])
        try:
            read = KernelMachine(bytes(damaged), n)
            KernelScorer(problem.index, [0, 1], 3, [(0, read)]).decision_scores([1, 2, 3])
        except ModelFileError:
            pass
    with pytest.raises(ModelFileError, match="damaged"):
        KernelMachine(text[:200], n)
    with pytest.raises(ModelFileError, match="out of range"):
        KernelMachine(text, 1)
    with pytest.raises(ModelFileError, match="fit the moves"):
        KernelScorer(problem.index, [], 1, machine.machines)
    with pytest.raises(ModelFileError):
        LibsvmMachine.from_file({"parts": [[0, 10]], "column": -1, "n_features": n}, {"machines": b"no"})
