from treewright.systems.configuration cimport Configuration, Gold
from treewright.systems.system cimport System


cdef class ArcEager(System):
    cdef bint root_is_last
    cdef bint _root_waits(self, const Configuration* c, const Gold* g) noexcept nogil
