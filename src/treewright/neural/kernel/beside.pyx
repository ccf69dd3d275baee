"""Rows of activations side by side: inputs that come from two places."""
from libc.stdint cimport int16_t
from libc.string cimport memcpy

from treewright.neural.kernel.rows cimport Rows, new_rows

from treewright.errors import TreewrightError


def side_by_side(Rows left not None, Rows right not None):
    """Return each row of ``left`` followed by the same row of ``right``."""
    cdef Rows made
    cdef Py_ssize_t r
    if left.n != right.n:
        raise TreewrightError(f"{left.n} rows beside {right.n}")
    made = new_rows(left.n, left.width + right.width)
    with nogil:
        for r in range(left.n):
            memcpy(made.data + r * made.stride, left.data + r * left.stride, left.width * sizeof(int16_t))
            memcpy(
                made.data + r * made.stride + left.width, right.data + r * right.stride, right.width * sizeof(int16_t)
            )
    return made
