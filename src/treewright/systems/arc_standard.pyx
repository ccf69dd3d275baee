"""Arc-standard (Nivre 2004): a word is attached when it has all its dependents.

s₀ is the top of the stack, s₁ the one below; both arcs are between them. ROOT lies at the bottom of the stack;
the parse ends with an empty buffer and ROOT alone on the stack, always in a tree. With ``single_root``, ROOT
gives its one arc when the buffer is empty. The system is not arc-decomposable (Goldberg & Nivre 2013).
"""
from treewright.systems.configuration cimport (
    NONE, Configuration, Gold, add_arc, clear, count_move, dependents_from, in_buffer, pop, push, top,
)
from treewright.systems.system cimport System

cdef enum:
    SHIFT = 0
    LEFT = 1
    RIGHT = 2


cdef class ArcStandard(System):
    """SHIFT, LEFT(l): s₀ → s₁, RIGHT(l): s₁ → s₀."""

    def __init__(self, bint single_root=True):
        self.name = "arc-standard"
        self.kinds = ("SHIFT", "LEFT", "RIGHT")
        self.n_kinds = 3
        self.labelled = 1 << LEFT | 1 << RIGHT
        self.root = "first"
        self.single_root = single_root
        self.oracles = ("static", "nondeterministic")

    cdef void start(self, Configuration* c, int n) noexcept nogil:
        clear(c, n, 0)
        c.buffer_end = n + 1
        push(c, 0)

    cdef bint terminal(self, const Configuration* c) noexcept nogil:
        return c.buffer > c.n and c.stack_size == 1

    cdef unsigned legal(self, const Configuration* c) noexcept nogil:
        cdef unsigned mask = 0
        cdef bint more = c.buffer <= c.n
        # SHIFT: there is a word to shift.
        if more:
            mask |= 1 << SHIFT
        if c.stack_size >= 2:
            # LEFT: s₁ is not ROOT.
            if c.stack_size > 2:
                mask |= 1 << LEFT
            # RIGHT: there is an s₁; ROOT waits for the end, with a single root.
            if not (self.single_root and more and c.stack_size == 2):
                mask |= 1 << RIGHT
        return mask

    cdef void arc(self, const Configuration* c, int kind, int* head, int* dependent) noexcept nogil:
        head[0] = dependent[0] = NONE
        if kind == LEFT:
            head[0] = top(c, 0)
            dependent[0] = top(c, 1)
        elif kind == RIGHT:
            head[0] = top(c, 1)
            dependent[0] = top(c, 0)

    cdef void apply(self, Configuration* c, int kind, int label) noexcept nogil:
        cdef int s0
        count_move(c, kind)
        if kind == SHIFT:
            # (σ, b|β) ⇒ (σ|b, β)
            push(c, c.buffer)
            c.buffer += 1
        elif kind == LEFT:
            # (σ|s₁|s₀, β) ⇒ (σ|s₀, β), s₀ → s₁
            s0 = pop(c)
            add_arc(c, s0, pop(c), label)
            push(c, s0)
        else:
            # (σ|s₁|s₀, β) ⇒ (σ|s₁, β), s₁ → s₀
            s0 = pop(c)
            add_arc(c, top(c, 0), s0, label)

    cdef int static_kind(self, const Configuration* c, const Gold* g) noexcept nogil:
        """LEFT if s₀ → s₁ is gold; else RIGHT if s₁ → s₀ is and s₀ has all its dependents; else SHIFT."""
        cdef int s0 = top(c, 0), s1 = top(c, 1)
        if c.stack_size >= 2:
            if s1 != c.root and g.head[s1] == s0:
                return LEFT
            if g.head[s0] == s1 and dependents_from(g, s0, c.buffer) == 0:
                return RIGHT
        return SHIFT

    cdef unsigned correct(self, const Configuration* c, const Gold* g) noexcept nogil:
        """Where the gold tree can still be reached:

        LEFT and RIGHT are right if their arc is gold and the dependent has all its dependents. SHIFT is right
        if s₀ still has gold dependents in the buffer (b then belongs to its subtree, and s₀ comes back to
        the top), or if s₀ waits for its head in the buffer and has taken the left dependents it has.
        """
        cdef int s0 = top(c, 0), s1 = top(c, 1)
        cdef unsigned mask = 0
        cdef bint pending = dependents_from(g, s0, c.buffer) > 0
        if c.stack_size >= 2:
            if s1 != c.root and g.head[s1] == s0:
                mask |= 1 << LEFT
            if g.head[s0] == s1 and not pending:
                mask |= 1 << RIGHT
        if c.buffer <= c.n and (
            pending or s0 == c.root or (in_buffer(c, g.head[s0]) and not mask >> LEFT & 1)
        ):
            mask |= 1 << SHIFT
        return mask & self.legal(c)

    cdef int pose(self, Configuration* c, int head, int dependent) noexcept nogil:
        c.stack_size = 0
        push(c, head if head < dependent else dependent)
        push(c, dependent if head < dependent else head)
        c.buffer = (dependent if head < dependent else head) + 1
        return RIGHT if head < dependent else LEFT
