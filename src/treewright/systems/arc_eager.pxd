from treewright.systems.configuration cimport Configuration
from treewright.systems.gold cimport Gold
from treewright.systems.system cimport System


cdef class ArcEager(System):
    cdef bint _root_waits(self, const Configuration* c, const Gold* g) noexcept nogil
