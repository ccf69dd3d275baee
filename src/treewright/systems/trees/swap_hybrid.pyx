"""Arc-hybrid with SWAP and the static-dynamic oracle of de Lhoneux, Stymne & Nivre 2017: any tree can be built.

s₀ is the top of the stack, s₁ the one below, b the front of the buffer. ROOT lies at the bottom of the stack; the parse
ends with an empty buffer and ROOT alone on the stack, always in a tree. With ``single_root``, ROOT gives its one arc
when the buffer is empty.

- SHIFT: (σ, b|β) ⇒ (σ|b, β)
- LEFT(l): (σ|s₀, b|β) ⇒ (σ, b|β), b → s₀; s₀ is not ROOT
- RIGHT(l): (σ|s₁|s₀, β) ⇒ (σ|s₁, β), s₁ → s₀
- SWAP: (σ|s₀, b|β) ⇒ (σ, b|s₀|β); s₀ is not ROOT, and stands before b in the sentence

The *projective order* of a tree has each head between its dependents, as these stand on both sides of it (Nivre 2009).

The oracle is static for SWAP and dynamic for the other moves: where s₀ and b stand the other way round in the
projective order, SWAP is right, and so is an arc that can be built. Elsewhere SWAP is wrong, and the others cost the
gold arcs that they lose, counted as in arc-hybrid; SHIFT costs nothing if b will be swapped later, with a word behind
it. What a move costs is not known exactly: gold arcs may be built by swaps that the count does not see.

Leaves (leaf_tags.pyx) give no arcs. Where neither b nor s₁ can take s₀, RIGHT takes s₀ from the stack without an arc.
"""
from treewright.systems.configuration cimport NONE, RETURNED, Configuration, face, is_leaf, pop, shift, top
from treewright.systems.gold cimport Gold
from treewright.systems.system cimport System
from treewright.systems.trees.arc_standard cimport LEFT, RIGHT, SHIFT
from treewright.systems.trees.swap cimport BACK, SWAP, complete, hand_back, has_next, join, next_word, shift_next


cdef inline bint ahead(const Configuration* c, int node) noexcept nogil:
    """Is the node in the buffer, b included?"""
    return node != NONE and node != c.root and (c.on_stack[node] == BACK or node >= c.buffer)


cdef int dependents_ahead(const Configuration* c, const Gold* g, int node) noexcept nogil:
    """Return how many gold dependents of a word are in the buffer."""
    cdef int k, n = 0
    for k in range(g.first_child[node], g.first_child[node + 1]):
        n += <int>ahead(c, g.children[k])
    return n


cdef bint will_be_swapped(const Configuration* c, const Gold* g, int b) noexcept nogil:
    """Does a word of the buffer stand behind b in the sentence, and before it in the projective order?"""
    cdef int i
    for i in range(c.context_size):
        if c.context[i] > b and g.order[c.context[i]] < g.order[b]:
            return True
    for i in range(max(b + 1, c.buffer), c.n + 1):
        if g.order[i] < g.order[b]:
            return True
    return False


cdef class SwapHybrid(System):
    """SHIFT, LEFT(l): b → s₀, RIGHT(l): s₁ → s₀, SWAP."""

    def __init__(self, bint single_root=True):
        cdef tuple kinds = ("SHIFT", "LEFT", "RIGHT", "SWAP")
        System.__init__(self, "swap-hybrid", kinds, "first", single_root, oracles=("static", "static-dynamic"))
        self.projective = False

    cdef void start(self, Configuration* c, int n) noexcept nogil:
        System.start(self, c, n)
        c.context_use = RETURNED

    cdef bint terminal(self, const Configuration* c) noexcept nogil:
        return c.stack_size == 1 and not has_next(c)

    cdef unsigned legal(self, const Configuration* c) noexcept nogil:
        cdef int b = next_word(c)
        cdef unsigned mask = 1 << SHIFT if b != NONE else 0
        # RIGHT: there is an s₁; ROOT waits for the end, with a single root.
        if c.stack_size > 2 or (c.stack_size == 2 and not (self.single_root and b != NONE)):
            mask |= 1 << RIGHT
        if c.stack_size >= 2 and b != NONE:
            # LEFT: s₀ is not ROOT, and b no leaf. Where s₁ is a leaf, LEFT is better than RIGHT.
            if not is_leaf(c, b):
                mask |= 1 << LEFT
                if is_leaf(c, top(c, 1)):
                    mask &= ~(<unsigned>1 << RIGHT)
            # SWAP: s₀ stands before b in the sentence.
            if top(c, 0) < b:
                mask |= 1 << SWAP
        return mask

    cdef void arc(self, const Configuration* c, int kind, int* head, int* dependent) noexcept nogil:
        head[0] = dependent[0] = NONE
        if kind == LEFT:
            head[0], dependent[0] = next_word(c), top(c, 0)
        elif kind == RIGHT:
            head[0], dependent[0] = top(c, 1), top(c, 0)

    cdef void apply(self, Configuration* c, int kind, int label) noexcept nogil:
        cdef int s0, b
        if kind == SHIFT:
            shift_next(c)
        elif kind == SWAP:
            b = next_word(c)
            if c.context_size > 0:
                c.context_size -= 1
            else:
                c.buffer += 1
            hand_back(c)
            c.context[c.context_size] = b
            c.context_size += 1
            c.on_stack[b] = BACK
        else:
            s0 = pop(c)
            join(c, next_word(c) if kind == LEFT else top(c, 0), s0, label, self.single_root)

    cdef int static_kind(self, const Configuration* c, const Gold* g) noexcept nogil:
        """LEFT or RIGHT if that arc is gold and s₀ complete; else SWAP if the order asks for it; else SHIFT."""
        cdef int s0 = top(c, 0), b = next_word(c)
        if c.stack_size >= 2:
            if complete(c, g, s0):
                if b != NONE and g.head[s0] == b:
                    return LEFT
                if g.head[s0] == top(c, 1):
                    return RIGHT
            if b != NONE and s0 < b and g.order[b] < g.order[s0]:
                return SWAP
        return SHIFT

    cdef int costs(self, const Configuration* c, const Gold* g, int* cost) except -1 nogil:
        """Give what the static-dynamic oracle counts; a SWAP that is not asked for costs one."""
        cdef int s0 = top(c, 0), s1 = top(c, 1), b = next_word(c), head, k, lost
        cost[SHIFT] = cost[LEFT] = cost[RIGHT] = 0
        cost[SWAP] = 1
        if c.stack_size >= 2 and b != NONE and s0 < b and g.order[b] < g.order[s0]:
            cost[SHIFT] = cost[LEFT] = cost[RIGHT] = 1
            cost[SWAP] = 0
            # An arc that is gold and can be built now is as good.
            if complete(c, g, s0):
                cost[LEFT] = <int>(g.head[s0] != b)
                cost[RIGHT] = <int>(g.head[s0] != s1)
            return 0
        if b != NONE and not will_be_swapped(c, g, b):
            # SHIFT: b loses a head on the stack below s₀, and every dependent on the stack.
            head = g.head[b]
            cost[SHIFT] = <int>(head != s0 and head != NONE and c.on_stack[head] == 1)
            for k in range(g.first_child[b], g.first_child[b + 1]):
                cost[SHIFT] += <int>(c.on_stack[g.children[k]] == 1)
        if c.stack_size < 2:
            return 0
        # Popping s₀: it can no longer get dependents from the buffer, nor any other head there, or s₁.
        head, lost = g.head[s0], dependents_ahead(c, g, s0)
        cost[LEFT] = lost + <int>(head == s1 or (head != b and ahead(c, head)))
        cost[RIGHT] = lost + <int>ahead(c, head)
        return 0

    cdef int pose(self, Configuration* c, int head, int dependent) noexcept nogil:
        if not face(c, head, dependent):
            return LEFT
        shift(c)
        return RIGHT
