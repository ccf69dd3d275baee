from libc.stdint cimport int32_t, int64_t

from treewright.kinds.exact.parts.part_bounds cimport PartBounds


cdef class PartFamily(PartBounds):
    cdef double* paid                    # by arc: the sum of the prices that parts pay for it; one block with ``most``
    cdef double* most                    # by arc: the bound on its part in use
    cdef int32_t* chosen                 # by arc: the third word that attains this bound, -1 where it is a mere bound
    cdef int32_t* used                   # by arc: how many parts of the tree pay for it
    cdef int64_t* priced                 # grandparents with a multiplier: (place in the pool, needed arc, child)
    cdef int64_t n_priced, priced_capacity
    cdef readonly long added
    cdef int start(self) except -1 nogil
    cdef int score_all(self, const unsigned char* alive) except -1 nogil
    cdef int settle_tree(self, const int32_t* heads, const unsigned char* alive) except -1 nogil
    cdef int settle(self, int p, int c, const unsigned char* alive) except -1 nogil
    cdef int bound(self, int p, int c, const unsigned char* alive, bint first) except -1 nogil
    cdef double prepaid(self) noexcept nogil
    cdef double disagreement(self, const int32_t* heads) noexcept nogil
    cdef int pay(self, const int32_t* heads, double step) except -1 nogil

    cdef inline int64_t toll(self, int third, int p, int c) noexcept nogil:
        """What a sibling part pays for: the arc to the sibling, or the first place on a side of p.

        The first places have numbers that no arc has: from p to p on the right, from p to the root on the left.
        """
        return p * self.width + (0 if third == p and c < p else third)
