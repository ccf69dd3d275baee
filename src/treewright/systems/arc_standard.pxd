from treewright.systems.system cimport System


cdef class ArcStandard(System):
    pass
