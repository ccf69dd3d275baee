"""What both planar systems share. See planar.pyx."""
from treewright.systems.configuration cimport Configuration
from treewright.systems.gold cimport Gold
from treewright.systems.trees.cycles cimport AcyclicSystem

cdef enum:
    SHIFT = 0
    REDUCE = 1
    LEFT = 2
    RIGHT = 3
    ROOT = 4
    SWITCH = 5


cdef class Planar(AcyclicSystem):
    """SHIFT, REDUCE, LEFT(l): b → s, RIGHT(l): s → b, ROOT(l): ROOT → s."""
    cdef bint together(self, const Configuration* c, const Gold* g, int word) noexcept nogil


cdef inline bint arc_below(const Configuration* c, const Gold* g, int b, int s, int stack, int plane) noexcept nogil:
    """Has b a gold arc of a plane with a word further down than s on a stack, numbered as in ``on_stack``?"""
    cdef int k, word
    if c.head[b] == -1 and 0 < g.head[b] < s and c.on_stack[g.head[b]] & stack and g.plane[b] == plane:
        return True
    for k in range(g.first_child[b], g.first_child[b + 1]):
        word = g.children[k]
        if word >= s:
            return False
        if c.on_stack[word] & stack and c.head[word] == -1 and g.plane[word] == plane:
            return True
    return False
