from libc.stdint cimport int32_t, int64_t

from treewright.kinds.exact.parts.part_family cimport PartFamily
from treewright.kinds.exact.parts.part_scores cimport PartScores
from treewright.kinds.exact.search.span_chart cimport SpanChart
from treewright.kinds.exact.search.spanning cimport SpanningScratch
from treewright.treebank.blocks.owned_memory cimport Owner


cdef class TreeSearch(Owner):
    cdef readonly PartScores source
    cdef readonly int n
    cdef int64_t width                   # 64 bits: it is multiplied by itself
    cdef int capacity
    cdef PartFamily grandparents, siblings
    cdef SpanningScratch spanning
    cdef SpanChart spans
    cdef readonly bint projective
    cdef object score_owner
    cdef readonly bint single_root
    cdef const double* first_order       # scores of arcs
    cdef double* values                  # by arc: what the next tree is made of
    cdef unsigned char* alive            # by arc
    cdef int32_t* heads                  # of the tree at hand; one block with ``best_heads``
    cdef int32_t* best_heads
    cdef readonly double lower, upper
    cdef double pace
    cdef readonly bint certified
    cdef bint gave_up                    # branch and bound ran out of branches
    cdef readonly long iterations, branches
    cdef long most_iterations            # branch and bound gives up after these
    cdef int reserve(self, int n) except -1 nogil
    cdef double tree_score(self, const int32_t* heads) except? -1 nogil
    cdef double parts_score(self, const int32_t* heads) except? -1 nogil
    cdef int add_part(self, PartFamily family, int p, int c, bint first) except -1 nogil
    cdef int start(self, const double* scores, bint single_root) except -1 nogil
    cdef bint settle_tree(self) except -1 nogil
    cdef int run(self, int rounds) except -1 nogil
    cdef double best(self, const double* scores, bint single_root, int rounds, int32_t* heads) except? -1 nogil
