from treewright.systems.system cimport Configuration, Gold, System

cdef enum:
    SHIFT = 0
    LEFT = 1
    RIGHT = 2


cdef class ArcStandard(System):
    cdef int reachable(self, const Configuration* c, const Gold* g, int buffer, int without) except? -1 nogil


cdef inline unsigned shift_or_right(const Configuration* c, bint single_root) noexcept nogil:
    """SHIFT: there is a word to shift. RIGHT: there is an s₁; ROOT waits for the end, with a single root."""
    cdef bint more = c.buffer <= c.n
    cdef unsigned mask = 1 << SHIFT if more else 0
    if c.stack_size > 2 or (c.stack_size == 2 and not (single_root and more)):
        mask |= 1 << RIGHT
    return mask
