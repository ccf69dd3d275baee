from treewright.systems.system cimport System


cdef class ArcHybrid(System):
    pass
