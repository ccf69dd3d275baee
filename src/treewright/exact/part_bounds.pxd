"""Bounds on the scores of grandparent parts, and the scores. See part_bounds.pyx."""
from libc.stdint cimport int64_t

from treewright.exact.part_scores cimport PartScores


cdef class PartBounds:
    """The parts of one sentence at a time. An arc is a number, head * width + child, with width = n + 1."""
    cdef readonly PartScores source
    cdef readonly int n
    cdef int64_t width                   # 64 bits: it is multiplied by itself
    cdef int capacity
    cdef double* above                   # by arc: a bound on what any grandparent adds; one block with ``below``
    cdef double* below                   # by arc: a bound on what it adds to any arc below it
    cdef int n_templates, lanes          # of the bounds below, 0 without; rounded up to a multiple of 8
    cdef float* each_above               # by arc and template: the terms of the bounds; one block with ``each_below``
    cdef float* each_below
    cdef int64_t each_capacity
    cdef int64_t* place                  # by arc: where its parts begin in the pool, -1 without
    cdef double* pool                    # scores of parts, nan until scored
    cdef double* caps                    # bounds on the same parts
    cdef double* multipliers             # of the same parts
    cdef int64_t pool_used, pool_capacity
    cdef readonly long scored
    cdef int take_up(self) except -1 nogil
    cdef int reserve(self, int n) except -1 nogil
    cdef int64_t parts_of(self, int64_t arc) except -1 nogil
    cdef int bound_templates(self) except -1 nogil
    cdef double sum_of(self, const float* bounds) noexcept nogil
    cdef double cap(self, int g, int p, int c) noexcept nogil
    cdef double part(self, int g, int p, int c) except? -1 nogil
