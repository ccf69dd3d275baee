from __future__ import annotations

import numpy as np
import pytest
from treewright.kinds.network.kernel.rows import FloatRows, Rows

from tests.kinds.network.kernel.reference import activations, back, ints, quantised
from treewright.errors import TreewrightError


@pytest.mark.parametrize(("n", "width"), [(0, 3), (1, 1), (3, 16), (5, 17), (40, 340)])
def test_rows_come_back_as_they_were(n, width):
    values = activations(np.random.default_rng(n), n, width, 32767)
    rows = Rows(values)
    assert rows.shape == (n, width)
    assert len(rows) == n
    assert (back(rows) == values).all()
    assert rows.tolist() == values.tolist()
    floats = values.astype(np.float32) / 7
    assert (np.asarray(FloatRows(floats)) == floats).all()


def test_rounding_goes_to_the_nearest_and_halves_to_even(path):
    halves = np.array(
        [[0.5, 1.5, 2.5, -0.5, -1.5, 0.49, 0.51, 32766.5, 32767.5, 4e4, -4e4, -32767.4]], dtype=np.float32
    )
    rows = FloatRows(halves / np.float32(2048)).quantised()
    assert rows.tolist() == [[0, 2, 2, 0, -2, 0, 1, 32766, 32767, 32767, -32767, -32767]]


def test_rounding_is_the_same_everywhere(path):
    x = np.random.default_rng(1).normal(0, 4, (50, 37)).astype(np.float32)
    assert (back(FloatRows(x).quantised()) == quantised(x)).all()


def test_rows_can_be_taken_in_any_order():
    values = activations(np.random.default_rng(2), 9, 21)
    rows = Rows(values)
    assert (back(rows.take(ints([8, 0, 0, 3]))) == values[[8, 0, 0, 3]]).all()
    assert rows.take(ints([])).shape == (0, 21)
    with pytest.raises(TreewrightError, match="row 9 is not one of"):
        rows.take(ints([1, 9]))


def test_rows_cannot_be_changed():
    rows = Rows(activations(np.random.default_rng(3), 2, 2))
    assert memoryview(rows).readonly
    with pytest.raises(TypeError, match="cannot be changed"):
        rows.__init__(activations(np.random.default_rng(3), 20, 20))


def test_bad_shapes_are_rejected():
    with pytest.raises(TreewrightError, match="-32768"):
        Rows(np.full((1, 1), -32768, dtype=np.int16))
    with pytest.raises(TreewrightError, match="1 rows of 0 numbers"):
        Rows(np.zeros((1, 0), np.int16))
