"""Covington's algorithm in projective mode (Covington 2001; MaltParser 2005), with an exact dynamic oracle.

As in covington.pyx, b, the front of the buffer, is tried with the words before it, from right to left; λ₁ is the
stack and i its top, λ₂, the words passed, is the context. Arcs that would cross others, or cover a word without a
head, are not permitted. So words that an arc covers leave the lists for good; a word without a head cannot be
passed; and once b has a head nothing more can be linked to it.

Unlike REDUCE in arc-eager, NO-ARC gives nothing up: if b is shifted without an arc across them, the words that were
passed come back. ROOT stands behind the words (*last*, the default) or before them (*first*), as in covington.pyx.

Leaves (leaf_tags.pyx) give no arcs. In place of LEFT from a leaf b there is NO-ARC, also past a word without a head: an
arc across that word then costs it its head. So the same words can meet as before, and the costs stay the same.
"""
from treewright.systems.configuration cimport (
    NONE, Configuration, add_arc, front, in_buffer, is_leaf, pop, restore_context, set_aside, shift, top,
)
from treewright.systems.gold cimport Gold, dependents_from, waiting_dependents
from treewright.systems.trees.covington cimport LEFT, NO_ARC, RIGHT, SHIFT, CovingtonLists, arc_further_left


cdef class CovingtonProjective(CovingtonLists):
    """SHIFT, NO-ARC, LEFT(l): b → i, RIGHT(l): i → b."""

    def __init__(self, str root="last", bint single_root=True):
        CovingtonLists.__init__(self, "covington-projective", root, single_root)

    cdef unsigned legal(self, const Configuration* c) noexcept nogil:
        cdef int i = top(c, 0), b = front(c)
        # SHIFT: there is a word to shift; ROOT never is.
        cdef unsigned mask = 1 << SHIFT if b != c.root else 0
        if b == NONE:
            return 0
        if i == NONE or c.head[b] != NONE:
            return mask
        if i == c.root:
            # RIGHT from ROOT, where it stands first: once only, with a single root, and not to a leaf.
            if not self.single_root or (c.roots == 0 and not is_leaf(c, b)):
                mask |= 1 << RIGHT
            return mask
        # NO-ARC: i has its head, or b is a leaf, and there is a word further left; ROOT, which has one arc to give, may
        # pass any.
        if ((c.head[i] != NONE or is_leaf(c, b)) and c.stack_size > 1) or b == c.root:
            mask |= 1 << NO_ARC
        # LEFT: i has no head yet, and b is no leaf; a single root is none either.
        if c.head[i] == NONE and not is_leaf(c, b) and not (b == c.root and self.single_root and is_leaf(c, i)):
            mask |= 1 << LEFT
        # RIGHT: b has no head yet, and is not ROOT; i is no leaf.
        if b != c.root and not is_leaf(c, i):
            mask |= 1 << RIGHT
        return mask

    cdef void apply(self, Configuration* c, int kind, int label) noexcept nogil:
        if kind == SHIFT:
            # (λ₁, λ₂, b|β) ⇒ (λ₁·λ₂|b, [], β)
            restore_context(c)
            shift(c)
        elif kind == NO_ARC:
            # (λ₁|i, λ₂, b|β) ⇒ (λ₁, i|λ₂, b|β)
            set_aside(c)
        elif kind == LEFT:
            # (λ₁|i, λ₂, b|β) ⇒ (λ₁, [], b|β), b → i
            add_arc(c, c.buffer, pop(c), label)
            c.context_size = 0
        else:
            # (λ₁|i, λ₂, b|β) ⇒ (λ₁|i, [], b|β), i → b
            add_arc(c, top(c, 0), c.buffer, label)
            c.context_size = 0

    cdef bint in_reach(self, const Configuration* c, int head, int dependent) noexcept nogil:
        """The later one is yet to come, or b without a head; the other one has not been covered, nor passed by b."""
        cdef int first = min(head, dependent), last = max(head, dependent), i
        if c.head[dependent] != NONE or last < c.buffer:
            return False
        if last == c.buffer:
            return c.head[last] == NONE and c.on_stack[first] == 1
        for i in range(c.context_size):
            if c.context[i] == first:
                return True
        return first >= c.buffer or c.on_stack[first] == 1

    cdef int static_kind(self, const Configuration* c, const Gold* g) noexcept nogil:
        """LEFT or RIGHT if that arc is gold; else NO-ARC if b has a gold arc with a word further left; else SHIFT."""
        cdef int i = top(c, 0), b = front(c)
        if i == NONE or c.head[b] != NONE:
            return SHIFT
        if g.head[i] == b and c.head[i] == NONE:
            return LEFT
        if g.head[b] == i:
            return RIGHT
        return NO_ARC if arc_further_left(c, g, i, b) else SHIFT

    cdef int costs(self, const Configuration* c, const Gold* g, int* cost) except -1 nogil:
        cdef int i = top(c, 0), b = front(c), waiting, head
        cdef bint head_left
        cost[SHIFT] = cost[NO_ARC] = cost[LEFT] = cost[RIGHT] = 0
        if b == NONE or i == NONE or c.head[b] != NONE:
            return 0
        if b != c.root:
            # No other word can be the head of the dependents of b that wait in λ₁.
            waiting = waiting_dependents(c, g, b)
            head = g.head[b]
            head_left = c.on_stack[head] == 1 and not (head == c.root and self.single_root and c.roots > 0)
            # SHIFT: b loses its gold head in λ₁ and those dependents.
            cost[SHIFT] = waiting + <int>head_left
            # RIGHT: b loses any other head that it could get, and those dependents; the words passed are covered.
            cost[RIGHT] = waiting + <int>(head != i and (head_left or in_buffer(c, head))) + self.covered(c, g)
            # … and where i is ROOT, which has one arc to give, the gold root word loses it.
            if self.single_root and i == c.root and g.root != b and g.root != NONE and in_buffer(c, g.root):
                cost[RIGHT] += 1
        if i == c.root:
            return 0
        if c.head[i] != NONE or is_leaf(c, b):
            # NO-ARC: b loses i as its gold head.
            cost[NO_ARC] = <int>(g.head[b] == i)
            return 0
        # LEFT: i is covered from now on: it loses any other head in the buffer, and its dependents there.
        cost[LEFT] = dependents_from(g, i, b) + self.covered(c, g)
        cost[LEFT] += <int>(g.head[i] != b and in_buffer(c, g.head[i]))
        if b == c.root:
            # NO-ARC gives up ROOT → i; LEFT takes ROOT's one arc from the gold root word, if that waits further left.
            cost[NO_ARC] = <int>(g.head[i] == b and not (self.single_root and c.roots > 0))
            if self.single_root and g.head[i] != b and g.root != NONE and c.on_stack[g.root] == 1:
                cost[LEFT] += <int>(c.head[g.root] == NONE)
        return 0

    cdef int covered(self, const Configuration* c, const Gold* g) noexcept nogil:
        """Gold dependents, behind b, of the words that have been passed: lost once an arc covers these. So are their
        gold heads there, if they have none."""
        cdef int k, word, lost = 0
        for k in range(c.context_size):
            word = c.context[k]
            lost += dependents_from(g, word, c.buffer + 1)
            lost += <int>(c.head[word] == NONE and g.head[word] > c.buffer)
        return lost
