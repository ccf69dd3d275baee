from treewright.systems.configuration cimport Configuration, Gold
from treewright.systems.system cimport System


cdef class CovingtonProjective(System):
    cdef bint root_is_last
    cdef int covered(self, const Configuration* c, const Gold* g) noexcept nogil
