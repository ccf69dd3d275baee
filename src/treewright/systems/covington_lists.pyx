"""What the two modes of Covington's algorithm share: the lists, the kinds of move, the arcs between i and b.

λ₁ is the stack and i its top; λ₂, the words between i and b that have been passed, is the context; b is the front of
the buffer. The modes, covington.pyx and covington_projective.pyx, say what is legal and what it costs.
"""
from treewright.systems.configuration cimport arc_between, face, front, top


cdef class CovingtonLists(System):
    def __init__(self, str name, str root, bint single_root):
        System.__init__(self, name, ("SHIFT", "NO-ARC", "LEFT", "RIGHT"), root, single_root)

    @property
    def addresses(self):
        """The names of the feature language for the places where features may begin."""
        return ("stack", "input", "context")

    cdef bint terminal(self, const Configuration* c) noexcept nogil:
        if c.buffer <= c.n:
            return False
        return not self.root_is_last or c.stack_size == 0 or (self.single_root and c.roots > 0)

    cdef void arc(self, const Configuration* c, int kind, int* head, int* dependent) noexcept nogil:
        arc_between(top(c, 0), front(c), kind == LEFT, kind == RIGHT, head, dependent)

    cdef unsigned economical(self, unsigned right) noexcept nogil:
        """Once nothing more can be linked to b, go on with the next word."""
        return right & ~(<unsigned>1 << NO_ARC) if right >> SHIFT & 1 else right

    cdef int pose(self, Configuration* c, int head, int dependent) noexcept nogil:
        return RIGHT if face(c, head, dependent) else LEFT
