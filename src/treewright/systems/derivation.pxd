from treewright.systems.system cimport Configuration, Gold, System

cdef bint derives(System system, Configuration* c, const Gold* g) noexcept nogil
