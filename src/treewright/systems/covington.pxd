from treewright.systems.configuration cimport Configuration
from treewright.systems.covington_lists cimport CovingtonLists
from treewright.systems.gold cimport Gold


cdef class Covington(CovingtonLists):
    cdef bint reachable(self, const Configuration* c, const Gold* g, int word) noexcept nogil
    cdef bint leads(self, const Configuration* c, const Gold* g, int start, int target) noexcept nogil
    cdef int price_of_loss(self, const Configuration* c, const Gold* g, int word) noexcept nogil
    cdef int price_of_arc(self, const Configuration* c, const Gold* g, int head, int dependent) noexcept nogil
    cdef int price_of_shift(self, const Configuration* c, const Gold* g) noexcept nogil
