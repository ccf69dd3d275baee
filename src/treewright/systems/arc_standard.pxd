from treewright.systems.system cimport Configuration, Gold, System


cdef class ArcStandard(System):
    cdef int reachable(self, const Configuration* c, const Gold* g, int buffer, int without) except? -1 nogil
