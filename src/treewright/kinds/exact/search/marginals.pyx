"""The probability of each arc over all trees: the matrix-tree theorem (Koo et al. 2007; Smith & Smith 2007).

A tree has the probability exp(its score) / Z. The sum over all non-projective trees is a determinant, and the inverse
of the same matrix gives the marginals, in cubic time.
"""
from array import array

from libc.math cimport exp, fabs, isfinite, log


cdef double FLOORS[3]            # scores further below that of the best head are raised: keeps the matrix regular
FLOORS[:] = [-60.0, -30.0, -12.0]


cdef class TreeMarginals:
    def __cinit__(self):
        self.reserve(64)

    cdef int reserve(self, int n) except -1 nogil:
        cdef int64_t width = n + 1, arcs = width * width
        if n > self.capacity:
            self.largest = <double*>self.resized(self.largest, width, sizeof(double))
            self.weights = <double*>self.resized(self.weights, 3 * arcs, sizeof(double))
            self.laplacian, self.inverse = self.weights + arcs, self.weights + 2 * arcs
            self.capacity = n
        return 0

    cdef double run(self, const double* scores, int n, bint single_root, double* out) except? -1 nogil:
        """Write the marginals, head by child as the scores are; return log Z."""
        cdef int i
        cdef double result = 0
        self.reserve(n)
        for i in range(3):
            result = attempt(self, scores, n, single_root, FLOORS[i], out)
            if isfinite(result):
                return result
        return result


cdef double attempt(TreeMarginals self, const double* scores, int n, bint single_root, double floor,
                    double* out) noexcept nogil:
    cdef int64_t width = n + 1, h, m
    cdef double total = 0, value, log_determinant
    cdef double* w = self.weights
    cdef double* laplacian = self.laplacian
    # Each word has one head: a factor per word only changes the scale.
    for m in range(1, width):
        value = -1e300
        for h in range(width):
            if h != m and scores[h * width + m] > value:
                value = scores[h * width + m]
        self.largest[m] = value
        total += value
        for h in range(width):
            w[h * width + m] = 0
            if h != m and scores[h * width + m] > -1e8:
                value = scores[h * width + m] - self.largest[m]
                w[h * width + m] = exp(value if value > floor else floor)
    for m in range(1, width):
        value = 0 if single_root else w[m]
        for h in range(1, width):
            value += w[h * width + m]
            laplacian[(h - 1) * n + m - 1] = -w[h * width + m]
        laplacian[(m - 1) * n + m - 1] = value
    if single_root:
        for m in range(1, width):
            laplacian[m - 1] = w[m]
    log_determinant = invert(self, n)
    if not isfinite(log_determinant):
        return log_determinant
    for m in range(1, width):
        out[m * width + m] = 0
        out[m] = w[m] * self.inverse[(m - 1) * n + (0 if single_root else m - 1)]
        for h in range(1, width):
            if h == m:
                continue
            value = 0 if single_root and m == 1 else self.inverse[(m - 1) * n + m - 1]
            if not (single_root and h == 1):
                value -= self.inverse[(m - 1) * n + h - 1]
            out[h * width + m] = w[h * width + m] * value
        value = 0
        for h in range(width):
            if not -1e-3 < out[h * width + m] < 1 + 1e-3:
                return log(-1.0)
            if out[h * width + m] < 0:
                out[h * width + m] = 0
            value += out[h * width + m]
        if not 0.99 < value < 1.01:
            return log(-1.0)
        for h in range(width):
            out[h * width + m] /= value
    return total + log_determinant


cdef double invert(TreeMarginals self, int64_t n) noexcept nogil:
    """Invert the Laplacian (Gauss-Jordan, partial pivoting); return the logarithm of its determinant."""
    cdef int64_t i, j, k, pivot
    cdef double factor, swap, result = 0
    cdef double* a = self.laplacian
    cdef double* b = self.inverse
    cdef int sign = 1
    for i in range(n):
        for j in range(n):
            b[i * n + j] = i == j
    for k in range(n):
        pivot = k
        for i in range(k + 1, n):
            if fabs(a[i * n + k]) > fabs(a[pivot * n + k]):
                pivot = i
        if pivot != k:
            sign = -sign
            for j in range(n):
                swap = a[k * n + j]
                a[k * n + j] = a[pivot * n + j]
                a[pivot * n + j] = swap
                swap = b[k * n + j]
                b[k * n + j] = b[pivot * n + j]
                b[pivot * n + j] = swap
        factor = a[k * n + k]
        if fabs(factor) < 1e-300:
            return log(-1.0)
        if factor < 0:
            sign = -sign
        result += log(fabs(factor))
        factor = 1 / factor
        for j in range(k, n):
            a[k * n + j] *= factor
        for j in range(n):
            b[k * n + j] *= factor
        for i in range(n):
            factor = a[i * n + k]
            if i == k or factor == 0:
                continue
            for j in range(k, n):
                a[i * n + j] -= factor * a[k * n + j]
            for j in range(n):
                b[i * n + j] -= factor * b[k * n + j]
    return result if sign > 0 else log(-1.0)


def tree_marginals(const double[:, ::1] scores, bint single_root=False):
    """Return the marginals (head by child, one row after the other) and log Z."""
    cdef int n = scores.shape[0] - 1
    cdef TreeMarginals scratch = TreeMarginals()
    if scores.shape[1] != n + 1 or n < 1:
        raise ValueError("scores must be a square matrix for the root and at least one word")
    result = array("d", bytes(8 * (n + 1) * (n + 1)))
    cdef double[::1] view = result
    cdef double log_z = scratch.run(&scores[0, 0], n, single_root, &view[0])
    return result, log_z
