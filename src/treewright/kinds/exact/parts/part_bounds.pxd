from libc.stdint cimport int32_t, int64_t

from treewright.kinds.exact.parts.part_scores cimport PartScores
from treewright.treebank.blocks.owned_memory cimport Owner


cdef inline int sibling_before(const int32_t* heads, int c) noexcept nogil:
    """The child of c's head before c, on the same side and nearer to the head; the head itself if c is the first."""
    cdef int p = heads[c], step = 1 if p > c else -1, before = c + step
    while before != p and heads[before] != p:
        before += step
    return before


cdef class PartBounds(Owner):
    """The parts of one sentence at a time. An arc is a number, head * width + child, with width = n + 1."""
    cdef readonly PartScores source
    cdef readonly bint there              # does the model have such parts?
    cdef readonly bint siblings
    cdef readonly int n
    cdef int64_t width                   # 64 bits: it is multiplied by itself
    cdef int capacity
    cdef double* above                   # by arc: a bound on what any third word adds; one block with ``below``
    cdef double* below                   # by arc that parts need: a bound on what they add to any other arc
    cdef int n_templates, lanes          # of the bounds below, 0 without; rounded up to a multiple of 8
    cdef float* each_above               # by arc and template: the terms of the bounds; one block with ``each_below``
    cdef float* each_below
    cdef int64_t each_capacity
    cdef int64_t* place                  # by arc: where its parts are in the pool, less the first, -1 without
    cdef double* pool                    # scores of parts, nan until scored
    cdef double* caps                    # bounds on the same parts
    cdef double* multipliers             # of the same parts
    cdef int64_t pool_used, pool_capacity
    cdef readonly long scored
    cdef int take_up(self) except -1 nogil
    cdef int reserve(self, int n) except -1 nogil
    cdef int64_t parts_of(self, int64_t arc) except -1 nogil
    cdef double sum_of(self, const float* bounds) noexcept nogil
    cdef double cap(self, int third, int p, int c) noexcept nogil
    cdef double part(self, int third, int p, int c) except? -1 nogil
    cdef double tree_score(self, const int32_t* heads) except? -1 nogil

    cdef inline bint has_parts(self, int p) noexcept nogil:
        """Do arcs from a word have parts? Those from the root have no grandparents."""
        return self.there and (self.siblings or p > 0)

    cdef inline int64_t needed(self, int third, int p) noexcept nogil:
        """The arc that a part needs besides its own: from the grandparent to p, or from p to the sibling."""
        return p * self.width + third if self.siblings else third * self.width + p

    cdef inline bint is_third(self, int third, int p) noexcept nogil:
        """Can a word be the third one of the arcs from another? The head itself stands for no sibling."""
        return (third > 0 or p == 0) if self.siblings else (p > 0 and third != p)

    cdef inline int first_third(self, int p, int c) noexcept nogil:
        """The first word that can be the third one of an arc: siblings are between p and c, or p for none."""
        return (p if p < c else c + 1) if self.siblings else 0

    cdef inline int last_third(self, int p, int c) noexcept nogil:
        return (c - 1 if p < c else p) if self.siblings else self.n

    cdef inline bint available(self, int third, int p, int c, const unsigned char* alive) noexcept nogil:
        """May an arc have this third word, given the arcs that were not dropped?"""
        return third != c and ((self.siblings and third == p) or alive[self.needed(third, p)])

    cdef inline int third_in(self, const int32_t* heads, int c) noexcept nogil:
        """The third word of the part that the arc to c has in a tree."""
        return sibling_before(heads, c) if self.siblings else heads[heads[c]]
