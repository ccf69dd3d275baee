"""Clusters of word vectors: the largest cluster is split in two, until there are enough (bisecting k-means).

Vectors are scaled to length 1. The splits are a binary tree, whose paths are features like those of clusters from text.
"""
from array import array

from libc.math cimport sqrt
from libc.stdint cimport int32_t, int64_t
from libc.stdlib cimport free

from treewright.treebank.memory cimport allocate_zeroed

cdef enum:
    ROUNDS = 12


def scaled(matrix, int dimensions):
    """Return a copy of a matrix whose rows have length 1; rows of zeros stay."""
    made = array("f", matrix)
    cdef float[::1] cells = made
    cdef int64_t row, k
    cdef double total
    for row in range(cells.shape[0] // dimensions):
        total = 0
        for k in range(row * dimensions, (row + 1) * dimensions):
            total += cells[k] * cells[k]
        if total > 0:
            total = 1 / sqrt(total)
            for k in range(row * dimensions, (row + 1) * dimensions):
                cells[k] = <float>(cells[k] * total)
    return made


def halves(const float[::1] matrix, int dimensions, members):
    """Split some rows in two by 2-means; return a byte per member: 0 or 1.

    It starts from the member furthest from the first one and the member furthest from that.
    """
    cdef const int32_t[::1] rows = members
    cdef unsigned char[::1] side = bytearray(len(members))
    cdef int64_t n = rows.shape[0], i, k, moved
    cdef double apart
    if matrix.shape[0] % dimensions or (n and not 0 <= min(members) <= max(members) < matrix.shape[0] // dimensions):
        raise ValueError("a row is out of range")
    cdef double* centres = <double*>allocate_zeroed(2 * dimensions, sizeof(double))
    cdef int64_t first = furthest(matrix, dimensions, rows, 0), second = furthest(matrix, dimensions, rows, first)
    for k in range(dimensions):
        centres[k] = matrix[rows[first] * dimensions + k]
        centres[dimensions + k] = matrix[rows[second] * dimensions + k]
    with nogil:
        for _ in range(ROUNDS):
            moved = 0
            for i in range(n):
                apart = 0
                for k in range(dimensions):
                    apart += matrix[rows[i] * dimensions + k] * (centres[dimensions + k] - centres[k])
                moved += side[i] != (apart > 0)
                side[i] = apart > 0
            if moved == 0:
                break
            centre(matrix, dimensions, rows, side, centres)
    free(centres)
    return bytes(side)


cdef int64_t furthest(const float[::1] matrix, int dimensions, const int32_t[::1] rows, int64_t start) noexcept:
    """Return the member whose vector is least like that of a member."""
    cdef int64_t i, k, best = start
    cdef double likeness, least = 2
    for i in range(rows.shape[0]):
        likeness = 0
        for k in range(dimensions):
            likeness += matrix[rows[i] * dimensions + k] * matrix[rows[start] * dimensions + k]
        if likeness < least:
            best, least = i, likeness
    return best


cdef void centre(
    const float[::1] matrix, int dimensions, const int32_t[::1] rows, const unsigned char[::1] side, double* centres
) noexcept nogil:
    """Make each centre the direction in which its members point."""
    cdef int64_t i, k
    cdef int which
    cdef double total
    for k in range(2 * dimensions):
        centres[k] = 0
    for i in range(rows.shape[0]):
        for k in range(dimensions):
            centres[side[i] * dimensions + k] += matrix[rows[i] * dimensions + k]
    for which in range(2):
        total = 0
        for k in range(dimensions):
            total += centres[which * dimensions + k] * centres[which * dimensions + k]
        for k in range(dimensions):
            centres[which * dimensions + k] /= sqrt(total) if total > 0 else 1
