from treewright.systems.configuration cimport Configuration
from treewright.systems.trees.covington cimport CovingtonLists
from treewright.systems.gold cimport Gold


cdef class CovingtonProjective(CovingtonLists):
    cdef int covered(self, const Configuration* c, const Gold* g) noexcept nogil
