"""What Covington's algorithm has in either mode: the lists, the kinds of move, the arcs between i and b.

λ₁ is the stack and i its top; λ₂, the words between i and b that have been passed, is the context; b is the front of the
buffer. The modes, covington.pyx and covington_projective.pyx, say what is legal and what it costs.
"""
from treewright.systems.configuration cimport NONE, Configuration, clear, front, push, top
from treewright.systems.system cimport System


cdef class CovingtonLists(System):
    def __init__(self, str root, bint single_root):
        self.kinds = ("SHIFT", "NO-ARC", "LEFT", "RIGHT")
        self.n_kinds = 4
        self.labelled = 1 << LEFT | 1 << RIGHT
        self.root = root
        self.single_root = single_root
        self.root_is_last = root == "last"
        self.oracles = ("static", "nondeterministic", "dynamic")

    @property
    def addresses(self):
        """Where features may begin in its configurations."""
        return ("stack", "input", "context")

    cdef bint _root_last(self) noexcept nogil:
        return self.root_is_last

    cdef void start(self, Configuration* c, int n) noexcept nogil:
        clear(c, n, n + 1 if self.root_is_last else 0)
        c.buffer_end = n + 2 if self.root_is_last else n + 1
        if not self.root_is_last:
            push(c, 0)

    cdef bint terminal(self, const Configuration* c) noexcept nogil:
        if c.buffer <= c.n:
            return False
        return not self.root_is_last or c.stack_size == 0 or (self.single_root and c.roots > 0)

    cdef void arc(self, const Configuration* c, int kind, int* head, int* dependent) noexcept nogil:
        head[0] = dependent[0] = NONE
        if kind == LEFT:
            head[0] = front(c)
            dependent[0] = top(c, 0)
        elif kind == RIGHT:
            head[0] = top(c, 0)
            dependent[0] = front(c)

    cdef unsigned economical(self, unsigned right) noexcept nogil:
        """Where nothing more is to be linked to b, go on with the next word."""
        return right & ~(<unsigned>1 << NO_ARC) if right >> SHIFT & 1 else right

    cdef int pose(self, Configuration* c, int head, int dependent) noexcept nogil:
        c.stack_size = c.context_size = 0
        push(c, head if head < dependent else dependent)
        c.buffer = dependent if head < dependent else head
        return RIGHT if head < dependent else LEFT
