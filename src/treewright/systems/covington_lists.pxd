"""The lists of Covington's algorithm. See covington_lists.pyx."""
from treewright.systems.configuration cimport Configuration, push
from treewright.systems.system cimport System

cdef enum:
    SHIFT = 0
    NO_ARC = 1
    LEFT = 2
    RIGHT = 3


cdef class CovingtonLists(System):
    """SHIFT, NO-ARC, LEFT(l): b → i, RIGHT(l): i → b; ROOT behind the words (*last*) or before them (*first*)."""
    cdef bint root_is_last


cdef inline void shift(Configuration* c) noexcept nogil:
    """(λ₁, λ₂, b|β) ⇒ (λ₁·λ₂|b, [], β)"""
    while c.context_size:
        c.context_size -= 1
        push(c, c.context[c.context_size])
    push(c, c.buffer)
    c.buffer += 1
