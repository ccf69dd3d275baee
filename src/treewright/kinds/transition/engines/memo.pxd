"""A table of what has been computed for a sentence. See memo.pyx."""
from libc.stdint cimport int64_t, uint32_t, uint64_t

from treewright.treebank.blocks.owned_memory cimport Owner


cdef struct Known:           # an entry of a table of what has been computed
    uint64_t key
    uint32_t sentence        # the entry is empty if this is another sentence
    uint32_t record          # position in the pool, in units of 8 bytes


cdef class Memo(Owner):
    """A table from keys to positions in a pool; emptied at the end of every sentence."""
    cdef Known* entries
    cdef uint64_t mask
    cdef uint32_t sentence
    cdef int64_t n
    cdef int grow(self) except -1 nogil
    cdef void forget(self) noexcept nogil
    cdef Known* find(self, uint64_t key) noexcept nogil
    cdef Known* add(self, uint64_t key, uint32_t record) except NULL nogil
