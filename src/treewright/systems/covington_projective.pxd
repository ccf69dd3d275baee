from treewright.systems.configuration cimport Configuration, Gold
from treewright.systems.covington_lists cimport CovingtonLists


cdef class CovingtonProjective(CovingtonLists):
    cdef int covered(self, const Configuration* c, const Gold* g) noexcept nogil
