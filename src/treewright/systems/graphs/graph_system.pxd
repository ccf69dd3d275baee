"""The contract of a system for graphs. See graph_system.pyx."""
from treewright.systems.system cimport Configuration, System


cdef class GraphSystem(System):
    cdef unsigned stays              # bit k: moves of kind k leave stack and buffer as they are
    cdef bint has_arc(self, const Configuration* c, int kind) noexcept nogil
