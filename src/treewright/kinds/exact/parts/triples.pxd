from libc.stdint cimport int64_t, uint64_t

from treewright.kinds.exact.parts.part_templates cimport Templates
from treewright.treebank.blocks.owned_memory cimport Owner


cdef class TripleKeys(Owner):
    """Scratch space for one kind of part."""
    cdef Templates templates
    cdef bint siblings
    cdef int n
    cdef int64_t capacity
    cdef uint64_t* shares[3]         # by role; the row after the last word stands for a missing one
    cdef uint64_t noise              # selects the features that training drops
    cdef uint64_t dropped            # how many of 2**32 it drops
    cdef int load(self, const uint64_t* values, int n_attributes, int n) except -1 nogil
    cdef int keys(self, int third, int head, int child, uint64_t* out) noexcept nogil
    cdef int above_keys(self, int head, int child, uint64_t* out) noexcept nogil
    cdef int below_keys(self, int third, int head, uint64_t* out) noexcept nogil
