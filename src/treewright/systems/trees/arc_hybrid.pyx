"""Arc-hybrid (Kuhlmann, Gómez-Rodríguez & Satta 2011), with the dynamic oracle of Goldberg & Nivre 2013.

LEFT as in arc-eager, RIGHT as in arc-standard: s₀ is the top of the stack, s₁ the one below, b the front of the
buffer. ROOT lies at the bottom of the stack; the parse ends with an empty buffer and ROOT alone on the
stack, always in a tree. With ``single_root``, ROOT gives its one arc when the buffer is empty.

Leaves (leaf_tags.pyx) give no arcs. Where neither b nor s₁ can take s₀, RIGHT takes s₀ from the stack without an
arc, and s₀ gets a head afterwards. So the same words can meet as before, and the costs stay the same.
"""
from treewright.systems.configuration cimport (
    NONE, Configuration, add_arc, face, front, in_buffer, is_leaf, link, pop, shift, top,
)
from treewright.systems.gold cimport Gold, dependents_from, waiting_dependents
from treewright.systems.system cimport System
from treewright.systems.trees.arc_standard cimport LEFT, RIGHT, SHIFT, shift_or_right


cdef class ArcHybrid(System):
    """SHIFT, LEFT(l): b → s₀, RIGHT(l): s₁ → s₀."""

    def __init__(self, bint single_root=True):
        System.__init__(self, "arc-hybrid", ("SHIFT", "LEFT", "RIGHT"), "first", single_root)

    cdef unsigned legal(self, const Configuration* c) noexcept nogil:
        cdef unsigned mask = shift_or_right(c, self.single_root)
        # LEFT: s₀ is not ROOT, and b is there and no leaf. Where s₁ is a leaf, LEFT is better than RIGHT.
        if c.stack_size >= 2 and c.buffer <= c.n and not is_leaf(c, c.buffer):
            mask |= 1 << LEFT
            if is_leaf(c, top(c, 1)):
                mask &= ~(<unsigned>1 << RIGHT)
        return mask

    cdef void arc(self, const Configuration* c, int kind, int* head, int* dependent) noexcept nogil:
        head[0] = dependent[0] = NONE
        if kind == LEFT:
            head[0], dependent[0] = front(c), top(c, 0)
        elif kind == RIGHT:
            head[0], dependent[0] = top(c, 1), top(c, 0)

    cdef void apply(self, Configuration* c, int kind, int label) noexcept nogil:
        cdef int dependent
        if kind == SHIFT:
            shift(c)
        elif kind == LEFT:
            # (σ|s₀, b|β) ⇒ (σ, b|β), b → s₀
            add_arc(c, c.buffer, pop(c), label)
        else:
            # (σ|s₁|s₀, β) ⇒ (σ|s₁, β), s₁ → s₀
            dependent = pop(c)
            link(c, top(c, 0), dependent, label, self.single_root)

    cdef int static_kind(self, const Configuration* c, const Gold* g) noexcept nogil:
        """LEFT if b → s₀ is gold; else RIGHT if s₁ → s₀ is and s₀ has all its dependents; else SHIFT."""
        cdef int s0 = top(c, 0)
        if c.stack_size >= 2:
            if c.buffer <= c.n and g.head[s0] == c.buffer:
                return LEFT
            if g.head[s0] == top(c, 1) and dependents_from(g, s0, c.buffer) == 0:
                return RIGHT
        return SHIFT

    cdef int costs(self, const Configuration* c, const Gold* g, int* cost) except -1 nogil:
        cdef int s0 = top(c, 0), s1 = top(c, 1), b = c.buffer
        cdef int head, lost_dependents
        cost[SHIFT] = cost[LEFT] = cost[RIGHT] = 0
        if b <= c.n:
            # SHIFT: b loses a head on the stack below s₀ (s₀ can still take it by RIGHT), and every
            # dependent on the stack.
            head = g.head[b]
            cost[SHIFT] = <int>(head != s0 and c.on_stack[head] == 1) + waiting_dependents(c, g, b)
        if c.stack_size < 2:
            return 0
        head = g.head[s0]
        # Popping s₀: it can no longer get dependents from the buffer.
        lost_dependents = dependents_from(g, s0, b)
        # LEFT: s₀ gets b as its head and loses s₁ or another word of the buffer.
        cost[LEFT] = lost_dependents + <int>(head == s1 or (head != b and in_buffer(c, head)))
        # RIGHT: s₀ gets s₁ as its head and loses any word of the buffer.
        cost[RIGHT] = lost_dependents + <int>in_buffer(c, head)
        return 0

    cdef bint in_reach(self, const Configuration* c, int head, int dependent) noexcept nogil:
        """As in arc-eager; or the dependent lies on the stack, with the head right below it."""
        cdef int first = min(head, dependent)
        cdef int place = c.stack_size - 1
        if c.head[dependent] != NONE:
            return False
        if max(head, dependent) >= c.buffer:
            return first >= c.buffer or c.on_stack[first] == 1
        while place > 0 and c.stack[place] != dependent:
            place -= 1
        return place > 0 and c.stack[place - 1] == head

    cdef int pose(self, Configuration* c, int head, int dependent) noexcept nogil:
        if not face(c, head, dependent):
            return LEFT
        shift(c)
        return RIGHT
