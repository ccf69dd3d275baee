from libc.stdint cimport int64_t

from treewright.treebank.blocks.owned_memory cimport Owner

cdef class TreeMarginals(Owner):
    cdef readonly int capacity
    cdef double* weights                 # one block with the next two
    cdef double* laplacian
    cdef double* inverse
    cdef double* largest
    cdef int reserve(self, int n) except -1 nogil
    cdef double run(self, const double* scores, int n, bint single_root, double* out) except? -1 nogil
