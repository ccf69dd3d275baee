"""Marginals of arcs. See marginals.pyx."""
from libc.stdint cimport int64_t

cdef class TreeMarginals:
    cdef readonly int capacity
    cdef double* weights                 # one block with the next two
    cdef double* laplacian
    cdef double* inverse
    cdef double* largest
    cdef int reserve(self, int n) except -1 nogil
    cdef double run(self, const double* scores, int n, bint single_root, double* out) except? -1 nogil
    cdef double attempt(self, const double* scores, int n, bint single_root, double floor, double* out) noexcept nogil
    cdef double invert(self, int64_t n) noexcept nogil
