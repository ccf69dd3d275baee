"""Arcs that a parse must contain, and arcs that it must not. See kept_arcs.pyx."""
from libc.stdint cimport int32_t

from treewright.systems.configuration cimport Configuration
from treewright.systems.gold cimport GoldStandard
from treewright.systems.system cimport System


cdef class KeptArcs:
    cdef readonly int n_words
    cdef int first, n                    # the words of the sentence under way
    cdef bint given_up                   # no move is left that keeps the arcs
    cdef GoldStandard gold               # its arcs to keep
    cdef const int32_t[::1] heads        # by word of the block; NONE: free
    cdef const int32_t[::1] labels       # relation to that head; NONE: free
    cdef const int32_t[::1] first_banned     # [n_words + 1] offsets into banned
    cdef const int32_t[::1] banned       # heads that a word must not have
    cdef int enter(self, System system, int first, int n, unsigned char* leaf) except -1 nogil
    cdef unsigned allowed(self, System system, const Configuration* c, unsigned legal) except? 0 nogil
    cdef bint is_banned(self, const Configuration* c, int head, int dependent) noexcept nogil
    cdef int label_of(self, const Configuration* c, int head, int dependent, int otherwise) noexcept nogil
