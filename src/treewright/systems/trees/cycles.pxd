"""What gold arcs cost that can be built in any order. See cycles.pyx."""
from treewright.systems.configuration cimport NONE, Configuration
from treewright.systems.gold cimport Gold
from treewright.systems.system cimport System


cdef inline bint is_below(const Configuration* c, int word, int above) noexcept nogil:
    """Does the way up from a word lead to another?"""
    while word != NONE and word != above:
        word = c.head[word]
    return word != NONE


cdef class AcyclicSystem(System):
    cdef bint reachable(self, const Configuration* c, const Gold* g, int word) noexcept nogil
    cdef bint leads(self, const Configuration* c, const Gold* g, int start, int target) noexcept nogil
    cdef int price_of_loss(self, const Configuration* c, const Gold* g, int word) noexcept nogil
    cdef int price_of_arc(self, const Configuration* c, const Gold* g, int head, int dependent) noexcept nogil
    cdef int price_of_parting(self, const Configuration* c, const Gold* g, int word, int first, int end,
                              int plane, bint gets_head) noexcept nogil
