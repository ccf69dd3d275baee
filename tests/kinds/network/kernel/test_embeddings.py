from __future__ import annotations

from array import array

import numpy as np
import pytest
from treewright.kinds.network.kernel.embeddings import Embeddings

from tests.kinds.network.kernel.reference import back, ints, quantised
from treewright.errors import ModelFileError, TreewrightError

WIDTH = 37


def tables(rng):
    """Three tables that overlap: rows, scales, column."""
    shapes = [(9, 20, 0), (50, 33, 4), (3, 37, 0)]
    return [
        (rng.integers(-128, 128, (n, w)).astype(np.int8), rng.uniform(0.001, 0.02, n).astype(np.float32), column)
        for n, w, column in shapes
    ]


def expected(made, words, bags, last):
    out = np.zeros((len(words), WIDTH), dtype=np.float32)
    for i, (word, bag, other) in enumerate(zip(words, bags, last, strict=True)):
        (rows, scales, _), (grams, gram_scales, column), (others, other_scales, _) = made
        out[i, :20] += rows[word].astype(np.float32) * scales[word]
        total = np.zeros(33, dtype=np.float32)
        for k in bag:
            total += grams[k].astype(np.float32) * gram_scales[k]
        if bag:
            out[i, column : column + 33] += total * (np.float32(1) / np.float32(len(bag)))
        out[i] += others[other].astype(np.float32) * other_scales[other]
    return quantised(out)


@pytest.mark.parametrize("n", [0, 1, 2, 30])
def test_vectors_are_sums_of_rows(n, path):
    rng = np.random.default_rng(n)
    made = tables(rng)
    words, last = rng.integers(0, 9, n), rng.integers(0, 3, n)
    bags = [rng.integers(0, 50, rng.integers(0, 6)).tolist() for _ in range(n)]
    ids, offsets = ints([k for bag in bags for k in bag]), ints(np.cumsum([0, *map(len, bags)]))
    rows = Embeddings(WIDTH, made).look_up([ints(words), (ids, offsets), ints(last)], n)
    assert rows.shape == (n, WIDTH)
    assert (back(rows) == expected(made, words, bags, last)).all()


def test_one_scale_may_serve_a_whole_table(path):
    rows = np.arange(-6, 6, dtype=np.int8).reshape(4, 3)
    embeddings = Embeddings(5, [(rows, array("f", [0.5]), 1)])
    assert embeddings.look_up([ints([3, 0])], 2).tolist() == [[0, 3072, 4096, 5120, 0], [0, -6144, -5120, -4096, 0]]


def test_tables_are_used_in_place():
    rows = np.zeros((2, 3), dtype=np.int8)
    embeddings = Embeddings(3, [(rows, array("f", [1.0]), 0)])
    rows[1] = 1
    assert embeddings.look_up([ints([1])], 1).tolist() == [[2048] * 3]


@pytest.mark.parametrize("wrong", [-1, 9])
def test_ids_outside_a_table_are_rejected(wrong):
    made = tables(np.random.default_rng(0))
    embeddings = Embeddings(WIDTH, made)
    with pytest.raises(TreewrightError, match=f"table 0 has no row {wrong}: it has 9"):
        embeddings.look_up([ints([1, wrong]), ints([0, 0]), ints([0, 0])], 2)
    with pytest.raises(TreewrightError, match="table 1 has no row 50"):
        embeddings.look_up([ints([1]), (ints([50]), ints([0, 1])), ints([0])], 1)


@pytest.mark.parametrize("offsets", [[0, 1], [0, 2, 1], [1, 1, 3], [0, 4, 3], [0, 1, 2]])
def test_bad_bags_are_rejected(offsets):
    embeddings = Embeddings(WIDTH, tables(np.random.default_rng(0)))
    with pytest.raises(TreewrightError, match=r"table 1: (the offsets of 2 bags|bag 1 ends before it begins)"):
        embeddings.look_up([ints([0, 0]), (ints([1, 2, 3]), ints(offsets)), ints([0, 0])], 2)


def test_bad_parts_are_rejected():
    embeddings = Embeddings(WIDTH, tables(np.random.default_rng(0)))
    with pytest.raises(TreewrightError, match="2 parts for 3 tables"):
        embeddings.look_up([ints([0]), ints([0])], 1)
    with pytest.raises(TreewrightError, match="table 2: 1 ids for 2 words"):
        embeddings.look_up([ints([0, 0]), ints([0, 0]), ints([0])], 2)


def test_bad_tables_are_rejected():
    rows, scales, _ = tables(np.random.default_rng(0))[0]
    with pytest.raises(ModelFileError, match="table 0 has 9 rows of 20 numbers from column 18 on"):
        Embeddings(WIDTH, [(rows, scales, 18)])
    with pytest.raises(ModelFileError, match="9 rows and 3 scales"):
        Embeddings(WIDTH, [(rows, scales[:3], 0)])
    with pytest.raises(ModelFileError, match="scale 0 is nan"):
        Embeddings(WIDTH, [(rows, array("f", [float("nan")]), 0)])
    with pytest.raises(ModelFileError, match="width 0"):
        Embeddings(0, [])
