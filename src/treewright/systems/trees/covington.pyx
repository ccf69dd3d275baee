"""Covington's algorithm without restrictions (Covington 2001; MaltParser 2005), with an exact dynamic oracle.

Every word b is tried with the words before it, from right to left: i is the one it is compared with. λ₁, the words up
to i, is the stack; λ₂, the words between i and b that have been passed, is the context; b is the front of the buffer.
Any tree can be built. ROOT stands behind the words (*last*, the default) or before them (*first*). The parse ends
with the buffer; with the root last, when ROOT has been tried with every word, or has given its one arc. Words
without a head go to the root word afterwards.

A gold arc can still be built if its later word is yet to come, or is b and the other one lies in λ₁; if its dependent
has no head; and if it would close no cycle with the arcs there are. What moves cost follows from that: cycles.pyx.
Leaves (leaf_tags.pyx) give no arcs. Since no arc is ever needed to go on, that changes no cost.
"""
from treewright.systems.configuration cimport (
    NONE, add_arc, arc_between, face, front, is_leaf, restore_context, set_aside, shift, top,
)
from treewright.systems.trees.cycles cimport is_below


cdef class CovingtonLists(AcyclicSystem):
    """What the two modes share, this one and covington_projective.pyx: the lists, the kinds of move, the arcs.

    The modes say what is legal and what it costs.
    """

    def __init__(self, str name, str root, bint single_root):
        AcyclicSystem.__init__(self, name, ("SHIFT", "NO-ARC", "LEFT", "RIGHT"), root, single_root)

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

    cdef unsigned economical(self, const Configuration* c, const Gold* g, unsigned kinds) noexcept nogil:
        """Once nothing more can be linked to b, go on with the next word."""
        return kinds & ~(<unsigned>1 << NO_ARC) if kinds >> SHIFT & 1 else kinds

    cdef int pose(self, Configuration* c, int head, int dependent) noexcept nogil:
        return RIGHT if face(c, head, dependent) else LEFT


cdef class Covington(CovingtonLists):
    """SHIFT, NO-ARC, LEFT(l): b → i, RIGHT(l): i → b."""

    def __init__(self, str root="last", bint single_root=True):
        CovingtonLists.__init__(self, "covington", root, single_root)
        self.projective = False

    cdef unsigned legal(self, const Configuration* c) noexcept nogil:
        cdef int i = top(c, 0), b = front(c)
        # SHIFT: there is a word to shift; ROOT never is.
        cdef unsigned mask = 1 << SHIFT if b != c.root else 0
        cdef bint root_taken = self.single_root and c.roots > 0
        if b == NONE:
            return 0
        if i == NONE:
            return mask
        # NO-ARC: there is a word to pass.
        mask |= 1 << NO_ARC
        # LEFT: b is no leaf, i has no head yet, and b is not below it. ROOT gives one arc, with a single root, and
        # not to a leaf.
        if i != c.root and c.head[i] == NONE and not is_leaf(c, b) and not is_below(c, b, i):
            if b != c.root or not (root_taken or (self.single_root and is_leaf(c, i))):
                mask |= 1 << LEFT
        # RIGHT: i is no leaf, b has no head yet, and i is not below it.
        if b != c.root and c.head[b] == NONE and not is_leaf(c, i) and not is_below(c, i, b):
            if i != c.root or not (root_taken or (self.single_root and is_leaf(c, b))):
                mask |= 1 << RIGHT
        return mask

    cdef void apply(self, Configuration* c, int kind, int label) noexcept nogil:
        cdef int i
        if kind == SHIFT:
            # (λ₁, λ₂, b|β) ⇒ (λ₁·λ₂|b, [], β)
            restore_context(c)
            shift(c)
            return
        # (λ₁|i, λ₂, b|β) ⇒ (λ₁, i|λ₂, b|β), with b → i by LEFT, i → b by RIGHT
        i = set_aside(c)
        if kind == LEFT:
            add_arc(c, c.buffer, i, label)
        elif kind == RIGHT:
            add_arc(c, i, c.buffer, label)

    cdef int static_kind(self, const Configuration* c, const Gold* g) noexcept nogil:
        """LEFT or RIGHT if that arc is gold; else NO-ARC if b has a gold arc with a word further left; else SHIFT."""
        cdef int i = top(c, 0), b = front(c)
        if i == NONE:
            return SHIFT
        if g.head[i] == b:
            return LEFT
        if g.head[b] == i:
            return RIGHT
        return NO_ARC if arc_further_left(c, g, i, b) else SHIFT

    cdef int costs(self, const Configuration* c, const Gold* g, int* cost) except -1 nogil:
        cdef int i = top(c, 0), b = front(c)
        cdef unsigned legal = self.legal(c)
        cost[SHIFT] = cost[NO_ARC] = cost[LEFT] = cost[RIGHT] = 0
        # SHIFT: b loses every gold arc with a word of λ₁.
        if legal >> SHIFT & 1:
            cost[SHIFT] = self.price_of_parting(c, g, b, 0, b, NONE, False)
        if i == NONE:
            return 0
        # NO-ARC: a gold arc between i and b is lost.
        if g.head[i] == b:
            cost[NO_ARC] = self.price_of_loss(c, g, i)
        elif g.head[b] == i:
            cost[NO_ARC] = self.price_of_loss(c, g, b)
        # LEFT, RIGHT: the dependent loses its gold head; and a gold arc may now close a cycle.
        if legal >> LEFT & 1:
            cost[LEFT] = self.price_of_arc(c, g, b, i)
        if legal >> RIGHT & 1:
            cost[RIGHT] = self.price_of_arc(c, g, i, b)
        return 0

    cdef bint reachable(self, const Configuration* c, const Gold* g, int word) noexcept nogil:
        """Can the gold arc to a word still be built, looked at by itself?"""
        cdef int head = g.head[word], first, last
        if head == NONE or c.head[word] != NONE:
            return False
        if head == c.root and self.single_root and c.roots > 0:
            return False
        first, last = (head, word) if head < word else (word, head)
        if last < c.buffer or (last == c.buffer and c.on_stack[first] == 0):
            return False
        return not is_below(c, head, word)
