"""The 2-planar system of Gómez-Rodríguez & Nivre 2010: trees whose arcs lie in two planes, without crossings in either.

There are two stacks, of which one is active; s is its top, and b is the front of the buffer β. The other one is the
context, for features. A word that is shifted lies on both, and is reduced from each by itself. So an arc of one plane
may cross arcs of the other.

- SHIFT: (σ, σ′, b|β) ⇒ (σ|b, σ′|b, β)
- REDUCE: (σ|s, σ′, β) ⇒ (σ, σ′, β)
- LEFT(l), RIGHT(l), ROOT(l): as in planar.pyx, with the active stack
- SWITCH: (σ, σ′, β) ⇒ (σ′, σ, β); not twice in a row, and not to an empty stack

Nearly all trees of treebanks are 2-planar. The parse ends as in planar.pyx, with both stacks empty.

A gold tree says which of its arcs cross, and so cannot lie in the same plane; the first of them lies in plane 0, as do
arcs that cross none (gold.pyx). The oracle is static for the planes and dynamic for the arcs: it counts what planar.pyx
counts, each arc in its plane. This is what a move costs as long as arcs stay in these planes; an arc may also be built
in the other one, which the counts do not see.

Leaves: as in planar.pyx.
"""
from libc.stdint cimport int32_t

from treewright.systems.configuration cimport NONE, SET_ASIDE, Configuration, add_arc_inside, front, push, top
from treewright.systems.gold cimport Gold
from treewright.systems.system cimport System
from treewright.systems.trees.planar cimport LEFT, REDUCE, RIGHT, ROOT, SHIFT, SWITCH, Planar, arc_below

cdef enum:
    BOTH = 3                 # value of on_stack: on the stacks of both planes, 1 and 2


cdef inline int active(const Configuration* c) noexcept nogil:
    """Return the plane of the active stack."""
    return c.focus


cdef inline int top_of_other(const Configuration* c) noexcept nogil:
    return c.context[c.context_size - 1] if c.context_size > 0 else NONE


cdef class TwoPlanar(Planar):
    """SHIFT, REDUCE, LEFT(l): b → s, RIGHT(l): s → b, ROOT(l): ROOT → s, SWITCH."""

    def __init__(self, bint single_root=True):
        cdef tuple kinds = ("SHIFT", "REDUCE", "LEFT", "RIGHT", "ROOT", "SWITCH")
        cdef tuple labelled = ("LEFT", "RIGHT", "ROOT")
        System.__init__(self, "2-planar", kinds, "first", single_root, labelled, ("static", "static-dynamic"))
        self.projective, self.planes, self.remembers = False, 2, True

    @property
    def addresses(self):
        """The names of the feature language for the places where features may begin."""
        return ("stack", "input", "context")

    cdef void start(self, Configuration* c, int n) noexcept nogil:
        Planar.start(self, c, n)
        c.context_use = SET_ASIDE
        c.focus = 0

    cdef bint terminal(self, const Configuration* c) noexcept nogil:
        return Planar.terminal(self, c) and (c.context_size == 0 or (self.single_root and c.roots > 0))

    cdef unsigned legal(self, const Configuration* c) noexcept nogil:
        cdef unsigned mask = Planar.legal(self, c)
        # SWITCH: there is a word to come to, and a reason to.
        if c.context_size > 0 and c.last_kind[0] != SWITCH:
            mask |= 1 << SWITCH
        return mask

    cdef void apply(self, Configuration* c, int kind, int label) noexcept nogil:
        cdef int32_t* stack
        cdef int size, s, b
        if kind == SHIFT:
            b = c.buffer
            push(c, b)
            c.context[c.context_size] = b
            c.context_size += 1
            c.on_stack[b] = BOTH
            c.buffer += 1
        elif kind == SWITCH:
            stack, size = c.stack, c.stack_size
            c.stack, c.stack_size = c.context, c.context_size
            c.context, c.context_size = stack, size
            c.focus = 1 - c.focus
        elif kind == LEFT:
            add_arc_inside(c, c.buffer, top(c, 0), label)
        elif kind == RIGHT:
            add_arc_inside(c, top(c, 0), c.buffer, label)
        else:
            s = top(c, 0)
            if kind == ROOT:
                add_arc_inside(c, c.root, s, label)
            c.stack_size -= 1
            c.on_stack[s] &= ~(1 << active(c))

    cdef int static_kind(self, const Configuration* c, const Gold* g) noexcept nogil:
        """As in planar.pyx, for the active stack and the arcs of its plane; then SWITCH for those of the other."""
        cdef int s = top(c, 0), b = front(c), other = top_of_other(c), plane = active(c)
        cdef bint pops
        if b == NONE:
            pops = s != NONE and (c.context_size == 0 or not self.waits_only_there(c, g, 2 - plane))
        else:
            if s != NONE and links(c, g, s, b, plane):
                return LEFT if g.head[s] == b and c.head[s] == NONE else RIGHT
            if other != NONE and links(c, g, other, b, 1 - plane):
                return SWITCH
            pops = s != NONE and arc_below(c, g, b, s, 1 + plane, plane)
            if not pops and not (other != NONE and arc_below(c, g, b, other, 2 - plane, 1 - plane)):
                return SHIFT
        if not pops:
            return SWITCH
        return ROOT if c.head[s] == NONE and g.head[s] == c.root else REDUCE

    cdef bint waits_only_there(self, const Configuration* c, const Gold* g, int stack) noexcept nogil:
        """Is there a root word to come that lies on this stack alone, and none on the other?"""
        cdef int k, word
        cdef bint found = False
        for k in range(g.first_child[c.root], g.first_child[c.root + 1]):
            word = g.children[k]
            if c.head[word] == NONE and c.on_stack[word]:
                if c.on_stack[word] != stack:
                    return False
                found = True
        return found

    cdef bint together(self, const Configuration* c, const Gold* g, int word) noexcept nogil:
        """As in planar.pyx, on the stack of the arc's plane; ROOT finds the word on either."""
        cdef int head = g.head[word], first, last
        if head == c.root:
            return c.on_stack[word] != 0 or word >= c.buffer
        first, last = (head, word) if head < word else (word, head)
        return last >= c.buffer and (first >= c.buffer or c.on_stack[first] >> g.plane[word] & 1)

    cdef int costs(self, const Configuration* c, const Gold* g, int* cost) except -1 nogil:
        cdef int s = top(c, 0), plane = active(c)
        Planar.costs(self, c, g, cost)
        cost[SWITCH] = 0
        if s != NONE:
            # REDUCE, ROOT: s loses the arcs of this plane alone; the root word may lie on the other stack, too.
            cost[REDUCE] = self.price_of_parting(c, g, s, c.buffer, c.n + 1, plane, False)
            cost[REDUCE] += g.head[s] == c.root and c.on_stack[s] != BOTH and self.reachable(c, g, s)
            cost[ROOT] = self.price_of_parting(c, g, s, c.buffer, c.n + 1, plane, True)
            if self.single_root and g.root != NONE and g.root != s:
                cost[ROOT] += self.reachable(c, g, g.root)
        return 0

    cdef unsigned economical(self, const Configuration* c, const Gold* g, unsigned kinds) noexcept nogil:
        """SWITCH only for what the other stack has to do, or where nothing else is right."""
        cdef int b = front(c), other = top_of_other(c), plane = 1 - active(c)
        if kinds == 1 << SWITCH or kinds >> SWITCH & 1 == 0:
            return kinds
        if b != NONE and (links(c, g, other, b, plane) or arc_below(c, g, b, other, 1 + plane, plane)):
            return kinds
        return kinds & ~(<unsigned>1 << SWITCH)


cdef inline bint links(const Configuration* c, const Gold* g, int s, int b, int plane) noexcept nogil:
    """Is there a gold arc of a plane between two words that is yet to be built?"""
    if g.head[s] == b:
        return c.head[s] == NONE and g.plane[s] == plane
    return g.head[b] == s and c.head[b] == NONE and g.plane[b] == plane
