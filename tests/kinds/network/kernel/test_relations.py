from __future__ import annotations

import numpy as np
import pytest
from treewright.kinds.network.kernel.relations import Relations
from treewright.kinds.network.kernel.rows import Rows

from tests.kinds.network.kernel.reference import Weights, activations, ints, quantised
from treewright.errors import ModelFileError, TreewrightError


def weights_of(rng, labels, k):
    return [Weights(rng, labels, k) for _ in range(3)]


def made(joint, dep, head):
    return Relations((joint.rows, joint.scales), (dep.rows, dep.scales), (head.rows, head.scales), dep.bias)


@pytest.mark.parametrize(("n", "k", "labels"), [(0, 4, 3), (1, 1, 1), (9, 33, 17), (200, 96, 50)])
def test_scores_add_three_products_in_order(n, k, labels, path):
    rng = np.random.default_rng(n)
    joint, dep, head = weights_of(rng, labels, k)
    deps, heads, which = activations(rng, n, k), activations(rng, n + 5, k), rng.integers(0, n + 5, n)
    features = quantised(deps.astype(np.float32) * heads[which].astype(np.float32) * np.float32(2.0**-22))
    expected = joint.product(features, head.product(heads[which], dep.product(deps)))
    relations = made(joint, dep, head)
    assert (relations.width, relations.n_labels) == (k, labels)
    assert (np.asarray(relations.scores(Rows(deps), Rows(heads), ints(which))) == expected).all()
    best = relations.best(Rows(deps), Rows(heads), ints(which))
    assert best.tolist() == (expected.argmax(axis=1).tolist() if n else [])


def test_bad_heads_are_rejected():
    relations = made(*weights_of(np.random.default_rng(0), 3, 4))
    rows = Rows(activations(np.random.default_rng(0), 2, 4))
    for wrong in (-1, 2):
        with pytest.raises(TreewrightError, match=f"dependent 1 has the head row {wrong}; there are 2 rows"):
            relations.best(rows, rows, ints([0, wrong]))
    with pytest.raises(TreewrightError, match="1 heads for 2 dependents"):
        relations.scores(rows, rows, ints([0]))


def test_widths_must_agree():
    joint, dep, head = weights_of(np.random.default_rng(0), 3, 4)
    with pytest.raises(ModelFileError, match="must be the same"):
        made(Weights(np.random.default_rng(0), 3, 5), dep, head)
    with pytest.raises(ModelFileError, match="3 biases, not 4"):
        made(Weights(np.random.default_rng(0), 4, 4), dep, head)
    with pytest.raises(TreewrightError, match="rows of 4 numbers, not of 5"):
        made(joint, dep, head).best(*[Rows(np.zeros((1, 5), np.int16))] * 2, ints([0]))
