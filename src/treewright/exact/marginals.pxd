"""Marginals of arcs. See marginals.pyx."""

cdef class TreeMarginals:
    cdef readonly int capacity
    cdef double* weights
    cdef double* laplacian
    cdef double* inverse
    cdef double* largest
    cdef int reserve(self, int n) except -1 nogil
    cdef double run(self, const double* scores, int n, bint single_root, double* out) except? -1 nogil
    cdef double attempt(self, const double* scores, int n, bint single_root, double floor, double* out) noexcept nogil
    cdef double invert(self, int n) noexcept nogil
