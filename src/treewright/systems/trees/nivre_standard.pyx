"""Arc-standard as in Hall, Nivre & Nilsson 2005 (section 3.1) and MaltParser's nivrestandard.

Arcs are between the top i of the stack and the next input word j, not between the two topmost words of the stack:

- SHIFT: (σ, j|τ) ⇒ (σ|j, τ)
- LEFT(l): (σ|i, j|τ) ⇒ (σ, j|τ), j → i; i is not ROOT
- RIGHT(l): (σ|i, j|τ) ⇒ (σ, i|τ), i → j: the head goes back to the input, in place of j

The parse begins with ROOT on the stack and ends with an empty input: ROOT comes back to the input with its last
dependent, and is shifted. With an empty stack only SHIFT is legal; the last input word is not shifted onto other words.

A configuration (σ, j|τ) here is the configuration (σ|j, τ) of arc_standard.pyx, with the same moves, arcs and costs:
its chart gives them. The difference is what features see at input[0], and the first and the last SHIFT.
"""
from treewright.systems.configuration cimport NONE, RETURNED, arc_between, face, link, pop, push, shift, top
from treewright.systems.system cimport Configuration, Gold, System
from treewright.systems.trees.arc_standard cimport LEFT, RIGHT, SHIFT, ArcStandard


cdef inline int next_word(const Configuration* c) noexcept nogil:
    """Return the next input word j, maybe one that came back, or NONE."""
    if c.context_size > 0:
        return c.context[0]
    return c.buffer if c.buffer < c.buffer_end else NONE


cdef inline bint came_back(const Configuration* c) noexcept nogil:
    return c.context_size > 0


cdef inline void stack_next(Configuration* c) noexcept nogil:
    """Put the next input word onto the stack: the configuration as arc_standard.pyx sees it."""
    if came_back(c):
        c.context_size = 0
        push(c, c.context[0])
    else:
        shift(c)


cdef inline void unstack_next(Configuration* c, bint back) noexcept nogil:
    """Undo ``stack_next``."""
    cdef int node = pop(c)
    if back:
        c.context[0] = node
        c.context_size = 1
    else:
        c.buffer -= 1


cdef class NivreStandard(ArcStandard):
    """SHIFT, LEFT(l): j → i, RIGHT(l): i → j."""
    cdef ArcStandard stacked             # arc-standard of the same kind, whose costs are ours

    def __init__(self, bint single_root=True):
        System.__init__(self, "nivre-standard", ("SHIFT", "LEFT", "RIGHT"), "first", single_root)
        self.stacked = ArcStandard(single_root)

    cdef void start(self, Configuration* c, int n) noexcept nogil:
        System.start(self, c, n)
        c.context_use = RETURNED

    cdef bint terminal(self, const Configuration* c) noexcept nogil:
        return c.context_size == 0 and c.buffer > c.n

    cdef unsigned legal(self, const Configuration* c) noexcept nogil:
        cdef unsigned mask
        cdef bint back = came_back(c)
        cdef Configuration* same = <Configuration*>c       # changed and restored
        if next_word(c) == NONE:
            return 0
        if c.stack_size == 0:
            return 1 << SHIFT
        stack_next(same)
        mask = ArcStandard.legal(self, same)
        unstack_next(same, back)
        return mask

    cdef void arc(self, const Configuration* c, int kind, int* head, int* dependent) noexcept nogil:
        arc_between(top(c, 0), next_word(c), kind == LEFT, kind == RIGHT, head, dependent)

    cdef void apply(self, Configuration* c, int kind, int label) noexcept nogil:
        cdef int i
        if kind == SHIFT:
            stack_next(c)
        elif kind == LEFT:
            link(c, next_word(c), pop(c), label, self.single_root)
        else:
            i = pop(c)
            link(c, i, next_word(c), label, self.single_root)
            if not came_back(c):
                c.buffer += 1
            c.context[0] = i
            c.context_size = 1

    cdef int static_kind(self, const Configuration* c, const Gold* g) noexcept nogil:
        """LEFT if j → i is gold; else RIGHT if i → j is and j has all its dependents; else SHIFT."""
        cdef int kind
        cdef bint back = came_back(c)
        cdef Configuration* same = <Configuration*>c
        if next_word(c) == NONE or c.stack_size == 0:
            return SHIFT
        stack_next(same)
        kind = ArcStandard.static_kind(self, same, g)
        unstack_next(same, back)
        return kind

    cdef int costs(self, const Configuration* c, const Gold* g, int* cost) except -1 nogil:
        """Give the costs of the same moves in arc-standard."""
        cdef bint back = came_back(c)
        cdef Configuration* same = <Configuration*>c
        cost[SHIFT] = cost[LEFT] = cost[RIGHT] = 0
        if next_word(c) == NONE or c.stack_size == 0:
            return 0
        stack_next(same)
        try:
            self.stacked.costs(same, g, cost)
        finally:
            unstack_next(same, back)
        return 0

    cdef int pose(self, Configuration* c, int head, int dependent) noexcept nogil:
        return RIGHT if face(c, head, dependent) else LEFT
