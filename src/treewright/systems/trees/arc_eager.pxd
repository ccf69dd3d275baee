from treewright.systems.system cimport Configuration, Gold, System


cdef class ArcEager(System):
    cdef bint _root_waits(self, const Configuration* c, const Gold* g) noexcept nogil
