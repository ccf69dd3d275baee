"""Instances in flat arrays."""

from __future__ import annotations

import ctypes
import random

import pytest
from treewright.learners.problem import Problem


def problem(rows: list[tuple[list[int], int]], n_decisions: int = 5) -> Problem:
    made = Problem(n_decisions)
    for keys, decision in rows:
        made.add_instance(keys, decision)
    return made


ROWS = [([10, 30, 20], 0), ([20, 20, 40], 3), ([50, 10, 30], 1)]


def test_rows_keep_their_order() -> None:
    made = problem(ROWS)
    assert [made.instance(i) for i in range(3)] == [([1, 2, 3], 0), ([3, 3, 4], 3), ([5, 1, 2], 1)]
    assert list(made.decisions) == [0, 3, 1]
    assert (len(made), made.n_columns, made.n_values) == (3, 3, 9)
    assert b"".join(made.lines(b"\t", 2)) == b"1\t2\t3\t0\n3\t3\t4\t3\n5\t1\t2\t1\n"


def test_sparse_rows_are_sorted_and_have_each_feature_once() -> None:
    made = problem(ROWS)
    assert b"".join(made.libsvm_lines(2)) == b"0 1:1 2:1 3:1\n3 3:1 4:1\n1 1:1 2:1 5:1\n"
    starts, columns = made.matrix()
    assert (list(starts), list(columns)) == ([0, 3, 5, 8], [0, 1, 2, 2, 3, 0, 1, 4])
    starts, columns = made.matrix(1, 99)
    assert (list(starts), list(columns)) == ([0, 2, 5], [2, 3, 0, 1, 4])


class Node(ctypes.Structure):
    _fields_ = [("index", ctypes.c_int), ("value", ctypes.c_double)]


@pytest.mark.parametrize("bias", [-1.0, 2.5])
def test_nodes_are_in_the_libraries_layout(bias: float) -> None:
    made = problem(ROWS)
    nodes, addresses, decisions = made.nodes(bias)
    assert list(decisions[:3]) == [0, 3, 1]
    rows = []
    for address in addresses[:3]:
        row = []
        while (node := Node.from_address(address)).index != -1:
            row.append((node.index, node.value))
            address += ctypes.sizeof(Node)
        rows.append(row)
    end = [(6, 2.5)] if bias >= 0 else []
    assert rows == [
        [(1, 1.0), (2, 1.0), (3, 1.0), *end],
        [(3, 1.0), (4, 1.0), *end],
        [(1, 1.0), (2, 1.0), (5, 1.0), *end],
    ]
    assert len(nodes) >= 9 * ctypes.sizeof(Node)


def test_rare_features_become_unseen() -> None:
    made = problem(ROWS).without_rare(2)
    assert [made.instance(i)[0] for i in range(3)] == [[1, 2, 3], [3, 3, 0], [0, 1, 2]]
    assert [made.index.number(key) for key in (10, 30, 20, 40, 50)] == [1, 2, 3, 0, 0]


def test_parts_are_all_instances_by_a_column() -> None:
    rng = random.Random(2)
    rows = [([rng.randrange(1, 6), 100 + rng.randrange(9)], rng.randrange(5)) for _ in range(300)]
    made = problem(rows)
    parts, rest = made.parts(0, 60)
    assert rest is not None
    for feature, part in parts:
        assert len(part) >= 60
        assert all(part.instance(i)[0][0] == feature for i in range(len(part)))
    assert {f for f, _ in parts}.isdisjoint(rest.instance(i)[0][0] for i in range(len(rest)))
    together = [p.instance(i) for p in [*(p for _, p in parts), rest] for i in range(len(p))]
    whole = [made.instance(i) for i in range(len(made))]
    assert sorted(together, key=repr) == sorted(whole, key=repr)
    with pytest.raises(ValueError, match="cannot split on column"):
        made.parts(2, 1)


def test_instances_of_different_lengths_have_no_columns() -> None:
    assert problem([([1], 0), ([1, 2], 1)]).n_columns == 0
    with pytest.raises(ValueError, match="out of range"):
        problem([([1], 5)])
