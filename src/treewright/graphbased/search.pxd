"""Best trees of a second-order model by bounds. See search.pyx."""
from libc.stdint cimport int32_t, int64_t

from treewright.graphbased.sources cimport PartSource
from treewright.graphbased.spanning cimport SpanningScratch


cdef class TreeSearch:
    cdef SpanningScratch spanning
    cdef readonly PartSource source
    cdef object score_owner
    cdef readonly int n
    cdef int width, capacity
    cdef readonly bint single_root
    cdef const double* first_order       # scores of arcs
    cdef double* above                   # by arc: a bound on what any grandparent adds
    cdef double* below                   # by arc: a bound on what it adds to any arc below it
    cdef int n_templates, lanes          # of the bounds below, 0 without; rounded up to a multiple of 8
    cdef float* each_above               # by arc and template: what the bounds above are sums of
    cdef float* each_below
    cdef int64_t each_capacity
    cdef double* paid                    # by arc: the multipliers of the parts it is the upper arc of, summed
    cdef double* values                  # by arc: what the next tree is made of
    cdef double* most                    # by arc: the bound on its grandparent in use
    cdef int32_t* chosen                 # by arc: the grandparent that attains it, -1 where unknown
    cdef unsigned char* alive            # by arc
    cdef int64_t* place                  # by arc: where its parts begin in the pool, -1 without
    cdef double* pool                    # scores of parts, nan where not scored
    cdef double* caps                    # bounds on the same parts
    cdef double* multipliers             # of the same parts
    cdef int64_t pool_used, pool_capacity
    cdef int64_t* priced                 # parts with a multiplier, as (place in the pool, upper arc)
    cdef int64_t n_priced, priced_capacity
    cdef int32_t* heads                  # of the tree at hand
    cdef int32_t* best_heads
    cdef readonly double lower, upper
    cdef double pace
    cdef readonly bint certified
    cdef readonly long scored, added, iterations, branches
    cdef int reserve(self, int n) except -1 nogil
    cdef int64_t parts_of(self, int arc) except -1 nogil
    cdef int bound_templates(self) except -1 nogil
    cdef double sum_of(self, const float* bounds) noexcept nogil
    cdef double cap(self, int g, int p, int c) noexcept nogil
    cdef double part(self, int g, int p, int c) except? -1 nogil
    cdef double tree_score(self, const int32_t* heads) except? -1 nogil
    cdef int settle(self, int p, int c) except -1 nogil
    cdef double fill_values(self) noexcept nogil
    cdef int start(self, const double* scores, bint single_root) except -1 nogil
    cdef int prune(self) noexcept nogil
    cdef int improve(self) except -1 nogil
    cdef int disagree(self) except -1 nogil
    cdef int run(self, int rounds) except -1 nogil
    cdef int branch(self, int rounds, int depth) except -1 nogil
    cdef double best(self, const double* scores, bint single_root, int rounds, int32_t* heads) except? -1 nogil
