from treewright.kinds.network.kernel.packed cimport Packed

cdef class Dense:
    cdef Packed packed
    cdef int code
    cdef readonly str activation
