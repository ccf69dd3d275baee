"""The planar system of Gómez-Rodríguez & Nivre 2010: trees whose arcs do not cross, above the words.

Stack σ, buffer β; s is the top of the stack, b the front of the buffer. As in arc-eager, arcs link s and b; but neither
word moves with its arc, so that a word may have dependents before it has a head, and be covered without one.

- SHIFT: (σ, b|β) ⇒ (σ|b, β)
- REDUCE: (σ|s, β) ⇒ (σ, β)
- LEFT(l): b → s; s has no head, and the arc closes no cycle
- RIGHT(l): s → b; b has no head, and the arc closes no cycle
- ROOT(l): (σ|s, β) ⇒ (σ, β), ROOT → s; s has no head

In the paper a tree is a forest: words without a head are its roots. Here ROOT is one of the moves, so that a root
word, too, has a relation that is learnt, and is chosen once with ``single_root``; ROOT itself stands nowhere, and its
arcs cross none. The parse ends when buffer and stack are empty, or, with a single root, when the buffer is and there is
a root word. Words that are left without a head go to the root word afterwards.

Planar trees are more than projective ones: an arc may cover the root word. What is projective is planar.

A gold arc can still be built if its later word is in the buffer and the other one there or on the stack, its dependent
has no head, and it closes no cycle with the arcs there are. Gold arcs that can each be built then do not stand in each
other's way, since they do not cross; what moves cost follows from that: cycles.pyx.

Leaves (leaf_tags.pyx) give no arcs. No arc is ever needed to go on, so that this changes no cost.
"""
from treewright.systems.configuration cimport (
    NONE, add_arc, add_arc_inside, clear, face, front, in_buffer, is_leaf, pop, push, shift, top,
)
from treewright.systems.trees.cycles cimport is_below

cdef tuple KINDS = ("SHIFT", "REDUCE", "LEFT", "RIGHT", "ROOT")


cdef class Planar(AcyclicSystem):
    """SHIFT, REDUCE, LEFT(l): b → s, RIGHT(l): s → b, ROOT(l): ROOT → s."""

    def __init__(self, bint single_root=True):
        AcyclicSystem.__init__(self, "planar", KINDS, "first", single_root, labelled=("LEFT", "RIGHT", "ROOT"))
        self.projective, self.planes = False, 1

    cdef void start(self, Configuration* c, int n) noexcept nogil:
        clear(c, n, 0)
        c.buffer_end = n + 1

    cdef bint terminal(self, const Configuration* c) noexcept nogil:
        return c.buffer > c.n and (c.stack_size == 0 or (self.single_root and c.roots > 0))

    cdef unsigned legal(self, const Configuration* c) noexcept nogil:
        cdef int s = top(c, 0), b = front(c)
        cdef unsigned mask = 1 << SHIFT if b != NONE else 0
        if s == NONE:
            return mask
        mask |= 1 << REDUCE
        # ROOT: s has no head; once only, and not to a leaf, with a single root.
        if c.head[s] == NONE and not (self.single_root and (c.roots > 0 or is_leaf(c, s))):
            mask |= 1 << ROOT
        if b != NONE:
            # LEFT, RIGHT: the head is no leaf, the dependent has no head, and the head is not below it.
            if c.head[s] == NONE and not is_leaf(c, b) and not is_below(c, b, s):
                mask |= 1 << LEFT
            if c.head[b] == NONE and not is_leaf(c, s) and not is_below(c, s, b):
                mask |= 1 << RIGHT
        return mask

    cdef void arc(self, const Configuration* c, int kind, int* head, int* dependent) noexcept nogil:
        head[0] = dependent[0] = NONE
        if kind == LEFT:
            head[0], dependent[0] = front(c), top(c, 0)
        elif kind == RIGHT:
            head[0], dependent[0] = top(c, 0), front(c)
        elif kind == ROOT:
            head[0], dependent[0] = c.root, top(c, 0)

    cdef void apply(self, Configuration* c, int kind, int label) noexcept nogil:
        if kind == SHIFT:
            shift(c)
        elif kind == REDUCE:
            pop(c)
        elif kind == LEFT:
            add_arc(c, c.buffer, top(c, 0), label)
        elif kind == RIGHT:
            add_arc(c, top(c, 0), c.buffer, label)
        else:
            add_arc_inside(c, c.root, pop(c), label)

    cdef int static_kind(self, const Configuration* c, const Gold* g) noexcept nogil:
        """LEFT or RIGHT if that arc is gold; else REDUCE if b has a gold arc with a word further down; else SHIFT.

        ROOT takes the place of REDUCE for the root word.
        """
        cdef int s = top(c, 0), b = front(c)
        if s == NONE:
            return SHIFT
        if b != NONE:
            if c.head[s] == NONE and g.head[s] == b:
                return LEFT
            if c.head[b] == NONE and g.head[b] == s:
                return RIGHT
            if not arc_below(c, g, b, s, 1, 0):
                return SHIFT
        return ROOT if c.head[s] == NONE and g.head[s] == c.root else REDUCE

    cdef bint together(self, const Configuration* c, const Gold* g, int word) noexcept nogil:
        """Can the gold arc to a word still be built, as far as stack and buffer go?"""
        cdef int head = g.head[word], first, last
        if head == c.root:
            return c.on_stack[word] or in_buffer(c, word)
        first, last = (head, word) if head < word else (word, head)
        return last >= c.buffer and (first >= c.buffer or c.on_stack[first] == 1)

    cdef bint reachable(self, const Configuration* c, const Gold* g, int word) noexcept nogil:
        cdef int head = g.head[word]
        if head == NONE or c.head[word] != NONE or (head == c.root and self.single_root and c.roots > 0):
            return False
        return self.together(c, g, word) and not is_below(c, head, word)

    cdef bint in_reach(self, const Configuration* c, int head, int dependent) noexcept nogil:
        """One of them is still in the buffer, the other there or on the stack."""
        cdef int first = min(head, dependent)
        if c.head[dependent] != NONE or max(head, dependent) < c.buffer:
            return False
        return first >= c.buffer or c.on_stack[first] != 0

    cdef int costs(self, const Configuration* c, const Gold* g, int* cost) except -1 nogil:
        cdef int s = top(c, 0), b = front(c)
        cost[SHIFT] = cost[REDUCE] = cost[LEFT] = cost[RIGHT] = cost[ROOT] = 0
        # SHIFT: b loses every gold arc with words of the stack.
        if b != NONE:
            cost[SHIFT] = self.price_of_parting(c, g, b, 1, b, NONE, False)
        if s == NONE:
            return 0
        # REDUCE: s loses every gold arc with words of the buffer, and with ROOT.
        cost[REDUCE] = self.price_of_parting(c, g, s, c.buffer, c.n + 1, NONE, False)
        cost[REDUCE] += g.head[s] == c.root and self.reachable(c, g, s)
        # ROOT: the same, but for ROOT; the gold root word loses the one arc that ROOT has to give.
        cost[ROOT] = self.price_of_parting(c, g, s, c.buffer, c.n + 1, NONE, True)
        if self.single_root and g.root != NONE and g.root != s:
            cost[ROOT] += self.reachable(c, g, g.root)
        # LEFT, RIGHT: the dependent loses its gold head, and a gold arc may now close a cycle.
        if b != NONE:
            cost[LEFT] = self.price_of_arc(c, g, b, s)
            cost[RIGHT] = self.price_of_arc(c, g, s, b)
        return 0

    cdef int pose(self, Configuration* c, int head, int dependent) noexcept nogil:
        if head == c.root:
            c.stack_size = c.context_size = 0
            push(c, dependent)
            return ROOT
        return RIGHT if face(c, head, dependent) else LEFT
