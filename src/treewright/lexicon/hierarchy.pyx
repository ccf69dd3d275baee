"""Clusters as the leaves of a binary tree, whose paths are features.

From text: the two clusters whose merger costs least are merged, until one is left (Brown et al. 1992). From word
vectors, scaled to length 1: the largest cluster is split in two, until there are enough (bisecting k-means).
"""
from array import array

from libc.math cimport log, sqrt
from libc.stdint cimport int32_t, int64_t


cdef enum:
    ROUNDS = 12              # of 2-means


cdef inline double f(double n) noexcept nogil:
    return n * log(n) if n > 0 else 0


cdef double joined(const double* cells, const unsigned char* gone, int size, int a, int b) noexcept nogil:
    """Return what the merger of two clusters adds to the likelihood: 0 at most."""
    cdef int x
    cdef double gain = 0, row_a = 0, row_b = 0, column_a = 0, column_b = 0
    for x in range(size):
        if gone[x]:
            continue
        row_a += cells[a * size + x]
        row_b += cells[b * size + x]
        column_a += cells[x * size + a]
        column_b += cells[x * size + b]
        if x != a and x != b:
            gain += f(cells[a * size + x] + cells[b * size + x]) - f(cells[a * size + x]) - f(cells[b * size + x])
            gain += f(cells[x * size + a] + cells[x * size + b]) - f(cells[x * size + a]) - f(cells[x * size + b])
    gain += f(cells[a * size + a] + cells[a * size + b] + cells[b * size + a] + cells[b * size + b])
    gain -= f(cells[a * size + a]) + f(cells[a * size + b]) + f(cells[b * size + a]) + f(cells[b * size + b])
    return gain - f(row_a + row_b) + f(row_a) + f(row_b) - f(column_a + column_b) + f(column_a) + f(column_b)


def gain_of(counts, int size, int a, int b):
    """Return what the merger of two clusters adds to the likelihood; for tests."""
    cdef double[::1] cells = array("d", counts)
    cdef unsigned char[::1] gone = bytearray(size)
    return joined(&cells[0], &gone[0], size, a, b)


def mergers(counts, int size):
    """Return the mergers (a, b) that make one cluster of ``size``, in order: b is merged into a.

    ``counts``: how often a word of cluster b follows one of cluster a, at a * size + b. After a merger only the gains
    with the new cluster are computed again: those of other pairs change little.
    """
    cdef double[::1] cells = array("d", counts)
    cdef unsigned char[::1] gone = bytearray(size)
    cdef double[::1] gains = array("d", bytes(8 * size * size))
    cdef int a, b, x, best_a, best_b
    cdef double highest
    order = []
    with nogil:
        for a in range(size):
            for b in range(a + 1, size):
                gains[a * size + b] = joined(&cells[0], &gone[0], size, a, b)
    for _ in range(size - 1):
        with nogil:
            best_a = best_b = -1
            highest = 0
            for a in range(size):
                for b in range(a + 1, size):
                    if not gone[a] and not gone[b] and (best_a < 0 or gains[a * size + b] > highest):
                        best_a, best_b, highest = a, b, gains[a * size + b]
            for x in range(size):
                cells[best_a * size + x] += cells[best_b * size + x]
                cells[best_b * size + x] = 0
            for x in range(size):
                cells[x * size + best_a] += cells[x * size + best_b]
                cells[x * size + best_b] = 0
            gone[best_b] = 1
            for x in range(size):
                if x != best_a and not gone[x]:
                    a, b = min(x, best_a), max(x, best_a)
                    gains[a * size + b] = joined(&cells[0], &gone[0], size, a, b)
        order.append((best_a, best_b))
    return order


def paths(order, int size, int most_bits):
    """Return the path of each cluster from the root, and its length: bits beyond ``most_bits`` are left out."""
    made = [(0, 0)] * size
    for a, b in reversed(order):
        bits, depth = made[a]
        if depth < most_bits:
            made[a], made[b] = (bits << 1, depth + 1), (bits << 1 | 1, depth + 1)
        else:
            made[b] = made[a]
    return array("I", [bits for bits, _ in made]), array("B", [depth for _, depth in made])


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
    cdef double[::1] centres = array("d", bytes(16 * dimensions))
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
            centre(matrix, dimensions, rows, side, &centres[0])
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
