"""Best trees of a second-order model by bounds. See search.pyx."""
from libc.stdint cimport int32_t, int64_t

from treewright.exact.part_bounds cimport PartBounds
from treewright.exact.spanning cimport SpanningScratch


cdef class TreeSearch(PartBounds):
    cdef SpanningScratch spanning
    cdef object score_owner
    cdef readonly bint single_root
    cdef const double* first_order       # scores of arcs
    cdef double* paid                    # by arc: the sum of its prices as an upper arc; one block with the next two
    cdef double* values                  # by arc: what the next tree is made of
    cdef double* most                    # by arc: the bound on its grandparent in use
    cdef int32_t* chosen                 # by arc: the grandparent that attains this bound, -1 where unknown
    cdef unsigned char* alive            # by arc
    cdef int64_t* priced                 # parts with a multiplier, as (place in the pool, upper arc, child)
    cdef int64_t n_priced, priced_capacity
    cdef int32_t* heads                  # of the tree at hand; one block with ``best_heads``
    cdef int32_t* best_heads
    cdef readonly double lower, upper
    cdef double pace
    cdef readonly bint certified
    cdef bint gave_up                    # branch and bound ran out of branches
    cdef readonly long added, iterations, branches
    cdef double tree_score(self, const int32_t* heads) except? -1 nogil
    cdef int settle(self, int p, int c) except -1 nogil
    cdef double fill_values(self) noexcept nogil
    cdef int start(self, const double* scores, bint single_root) except -1 nogil
    cdef int64_t prune(self) noexcept nogil
    cdef int improve(self) except -1 nogil
    cdef bint wasted(self, int64_t i) noexcept nogil
    cdef int add_price(self, int64_t at, int g, int p, int c) except -1 nogil
    cdef int disagree(self) except -1 nogil
    cdef int run(self, int rounds) except -1 nogil
    cdef int branch(self, int rounds, int depth) except -1 nogil
    cdef double best(self, const double* scores, bint single_root, int rounds, int32_t* heads) except? -1 nogil
