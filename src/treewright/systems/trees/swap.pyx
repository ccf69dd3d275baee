"""Arc-standard with SWAP (Nivre 2009), which reorders the words until the tree is projective: any tree can be built.

s₀ is the top of the stack, s₁ the one below, b the front of the buffer. ROOT lies at the bottom of the stack; the parse
ends with an empty buffer and ROOT alone on the stack, always in a tree. With ``single_root``, ROOT gives its one arc
when the buffer is empty.

- SHIFT: (σ, b|β) ⇒ (σ|b, β)
- LEFT(l): (σ|s₁|s₀, β) ⇒ (σ|s₀, β), s₀ → s₁; s₁ is not ROOT
- RIGHT(l): (σ|s₁|s₀, β) ⇒ (σ|s₁, β), s₁ → s₀
- SWAP: (σ|s₁|s₀, β) ⇒ (σ|s₀, s₁|β); s₁ is not ROOT, and stands before s₀ in the sentence

Two words are swapped once at most, so that every parse ends, after O(n²) moves at worst, and in practice after little
more than 2n.

The *projective order* of a tree has each head between its dependents, as these stand on both sides of it. On the
canonical path, words whose order differs from it are swapped: at once (``eager``, Nivre 2009), or once the projective
part of the tree that b is in (a maximal projective component) is another than that of s₀ (``lazy``, Nivre, Kuhlmann &
Hall 2009), which takes fewer swaps.

There is a static oracle alone: no formula is known for what a move costs. The order of words on the stack is free, so
that a cost is not a count of arcs.

Leaves (leaf_tags.pyx) give no arcs: a move whose head is a leaf takes its word from the stack without an arc.
"""
from treewright.errors import CombinationError
from treewright.systems.configuration cimport RETURNED, arc_between, face, top
from treewright.systems.trees.arc_standard cimport LEFT, RIGHT, SHIFT

ORDERS = ("lazy", "eager")


cdef class Swap(System):
    """SHIFT, LEFT(l): s₀ → s₁, RIGHT(l): s₁ → s₀, SWAP."""
    cdef bint eager

    def __init__(self, bint single_root=True, str order="lazy"):
        System.__init__(self, "swap", ("SHIFT", "LEFT", "RIGHT", "SWAP"), "first", single_root, oracles=("static",))
        if order not in ORDERS:
            raise CombinationError(f"words are swapped {' or '.join(ORDERS)}, not {order}")
        self.eager = order == "eager"
        self.projective = False

    cdef void start(self, Configuration* c, int n) noexcept nogil:
        System.start(self, c, n)
        c.context_use = RETURNED

    cdef bint terminal(self, const Configuration* c) noexcept nogil:
        return c.stack_size == 1 and not has_next(c)

    cdef unsigned legal(self, const Configuration* c) noexcept nogil:
        cdef bint more = has_next(c)
        cdef unsigned mask = 1 << SHIFT if more else 0
        # RIGHT: there is an s₁; ROOT waits for the end, with a single root.
        if c.stack_size > 2 or (c.stack_size == 2 and not (self.single_root and more)):
            mask |= 1 << RIGHT
        # LEFT, SWAP: s₁ is not ROOT. SWAP: it stands before s₀ in the sentence.
        if c.stack_size > 2:
            mask |= 1 << LEFT
            if top(c, 1) < top(c, 0):
                mask |= 1 << SWAP
        return mask

    cdef void arc(self, const Configuration* c, int kind, int* head, int* dependent) noexcept nogil:
        arc_between(top(c, 1), top(c, 0), kind == LEFT, kind == RIGHT, head, dependent)

    cdef void apply(self, Configuration* c, int kind, int label) noexcept nogil:
        cdef int s0
        if kind == SHIFT:
            shift_next(c)
            return
        s0 = pop(c)
        if kind == RIGHT:
            join(c, top(c, 0), s0, label, self.single_root)
            return
        if kind == LEFT:
            join(c, s0, pop(c), label, self.single_root)
        else:
            hand_back(c)
        push(c, s0)

    cdef int static_kind(self, const Configuration* c, const Gold* g) noexcept nogil:
        """LEFT or RIGHT if that arc is gold and its dependent complete; else SWAP if the order wants it, or SHIFT."""
        cdef int s0 = top(c, 0), s1 = top(c, 1), b = next_word(c)
        if c.stack_size < 2:
            return SHIFT
        if s1 != c.root and g.head[s1] == s0 and complete(c, g, s1):
            return LEFT
        if g.head[s0] == s1 and complete(c, g, s0):
            return RIGHT
        if s1 != c.root and g.order[s0] < g.order[s1]:
            if self.eager or b == NONE or g.component[s0] != g.component[b]:
                return SWAP
        return SHIFT

    cdef int pose(self, Configuration* c, int head, int dependent) noexcept nogil:
        cdef bint head_first = face(c, head, dependent)
        shift(c)
        return RIGHT if head_first else LEFT
