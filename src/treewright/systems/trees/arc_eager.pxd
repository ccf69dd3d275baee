"""What arc-eager and its non-monotonic variant share. See arc_eager.pyx."""
from treewright.systems.configuration cimport NONE, Configuration, front, top
from treewright.systems.gold cimport Gold
from treewright.systems.system cimport System

cdef enum:
    SHIFT = 0
    REDUCE = 1
    LEFT = 2
    RIGHT = 3


cdef class ArcEager(System):
    """SHIFT, REDUCE, LEFT(l): b → s, RIGHT(l): s → b."""
    cdef bint _root_waits(self, const Configuration* c, const Gold* g) noexcept nogil


cdef inline int canonical_kind(const Configuration* c, const Gold* g) noexcept nogil:
    """LEFT or RIGHT if that arc is gold; else REDUCE if b has a gold arc with a word further down; else SHIFT."""
    cdef int s = top(c, 0), b = front(c), k
    if s == NONE:
        return SHIFT
    if s != c.root and c.head[s] == NONE and g.head[s] == b:
        return LEFT
    if b != c.root and g.head[b] == s:
        return RIGHT
    if s != c.root and c.head[s] != NONE:
        if b == c.root or (g.head[b] < s and c.on_stack[g.head[b]]):
            return REDUCE
        for k in range(g.first_child[b], g.first_child[b + 1]):
            if g.children[k] >= s:
                break
            if c.on_stack[g.children[k]]:
                return REDUCE
    return SHIFT
