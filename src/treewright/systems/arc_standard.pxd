from treewright.systems.configuration cimport Configuration
from treewright.systems.gold cimport Gold
from treewright.systems.system cimport System


cdef class ArcStandard(System):
    cdef int reachable(self, const Configuration* c, const Gold* g, int buffer, int without) except? -1 nogil
