"""Gold trees where rules hold. See live_gold.pyx."""
from libc.stdint cimport int32_t

from treewright.systems.configuration cimport Configuration
from treewright.systems.gold cimport Gold, GoldStandard
from treewright.systems.system cimport System


cdef class LiveGold:
    cdef const Gold* tree                # the whole gold tree; it belongs to whoever binds
    cdef GoldStandard gold               # its arcs that can still be added, as far as rules go
    cdef GoldStandard one                # a single arc of it
    cdef int32_t[::1] heads, labels, alone
    cdef int n, root
    cdef int bind(self, const Gold* tree, int n, int root) except -1 nogil
    cdef int note(self, const Configuration* c, int head, int dependent, int label) except -1 nogil
    cdef bint is_gold(self, const Configuration* c, int head, int dependent, int label) noexcept nogil
    cdef bint may(self, const Configuration* c, int head, int dependent, int label) noexcept nogil
    cdef int blocked(self, System system, const Configuration* c, int kind, int head, int dependent,
                     int label) except -1 nogil
    cdef bint would_lose(self, System system, const Configuration* c, int kind, int head,
                         int dependent) except -1 nogil
