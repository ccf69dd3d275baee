from treewright.systems.configuration cimport Configuration
from treewright.systems.gold cimport Gold
from treewright.systems.trees.cycles cimport AcyclicSystem

cdef enum:
    SHIFT = 0
    NO_ARC = 1
    LEFT = 2
    RIGHT = 3


cdef class CovingtonLists(AcyclicSystem):
    """SHIFT, NO-ARC, LEFT(l): b → i, RIGHT(l): i → b; ROOT behind the words (*last*) or before them (*first*)."""


cdef inline bint arc_further_left(const Configuration* c, const Gold* g, int i, int b) noexcept nogil:
    """Has b a gold arc with a word left of i?"""
    if b == c.root or c.on_stack[g.head[b]] == 1:
        return True
    return g.first_child[b] < g.first_child[b + 1] and g.children[g.first_child[b]] < i


cdef class Covington(CovingtonLists):
    """Any tree."""
