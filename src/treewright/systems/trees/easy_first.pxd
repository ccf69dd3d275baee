from treewright.systems.system cimport System


cdef class EasyFirst(System):
    pass
