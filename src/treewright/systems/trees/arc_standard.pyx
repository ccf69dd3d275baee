"""Arc-standard (Nivre 2004): a word is attached when it has all its dependents.

s₀ is the top of the stack, s₁ the one below; both arcs are between them. ROOT lies at the bottom of the stack;
the parse ends with an empty buffer and ROOT alone on the stack, always in a tree. With ``single_root``, ROOT
gives its one arc when the buffer is empty.

Leaves (leaf_tags.pyx) give no arcs: a move whose head is a leaf takes its word from the stack without an arc, and the
word gets a head afterwards. So the same words can meet as before, and the costs stay the same.

The system is not arc-decomposable (Goldberg & Nivre 2013 leave its dynamic oracle open), so costs are not sums over
arcs. The cost of a move is the number of gold arcs of the best tree that can be reached before it, less that of the
best one after it.
"""
from libc.stdint cimport int32_t
from libc.stdlib cimport free

from treewright.systems.trees.arc_standard_chart cimport most_gold_arcs
from treewright.systems.configuration cimport NONE, arc_between, face, in_buffer, link, pop, push, shift, top
from treewright.systems.gold cimport dependents_from
from treewright.treebank.blocks.memory cimport allocate


cdef inline bint on_stack(const Configuration* c, int node, int buffer, int without) noexcept nogil:
    """Is the node on the stack once the buffer begins at ``buffer`` and ``without`` has left?"""
    return node != NONE and node != without and (c.on_stack[node] == 1 or c.buffer <= node < buffer)


cdef int stack_words(const Configuration* c, const Gold* g, int buffer, int without, int32_t* out) noexcept nogil:
    """Write ROOT and the words of the stack that a gold arc can still link to another; return how many."""
    cdef int i, k, node, n = 1
    out[0] = c.root
    for i in range(1, c.stack_size + buffer - c.buffer):
        node = c.stack[i] if i < c.stack_size else c.buffer
        if node == without:
            continue
        if on_stack(c, g.head[node], buffer, without) or buffer <= g.head[node] <= c.n:
            out[n] = node
            n += 1
            continue
        for k in range(g.first_child[node], g.first_child[node + 1]):
            if g.children[k] >= buffer or on_stack(c, g.children[k], buffer, without):
                out[n] = node
                n += 1
                break
    return n


cdef int buffer_words(const Configuration* c, const Gold* g, int buffer, int without, int32_t* out, int n,
                      int* broken) noexcept nogil:
    """Add the words of the buffer that have a gold head on the stack or a word of the stack below them.

    ``broken`` counts gold arcs within the buffer that are left to the chart. The words are in order.
    """
    cdef int i, k, node, first = n, n_stack = n
    for i in range(n_stack):
        for k in range(g.first_child[out[i]], g.first_child[out[i] + 1]):
            if g.children[k] >= buffer:
                n = insert(out, first, n, g.children[k])
        node = g.head[out[i]] if i else NONE
        while node >= buffer:
            k = n
            n = insert(out, first, n, node)
            if g.head[node] < buffer:
                break
            if k == n:
                break
            broken[0] += 1
            node = g.head[node]
    return n


cdef int insert(int32_t* nodes, int first, int n, int node) noexcept nogil:
    """Put a node into its place among nodes[first .. n] if it is not there; return the new n."""
    cdef int at = n, k
    while at > first and nodes[at - 1] > node:
        at -= 1
    if at > first and nodes[at - 1] == node:
        return n
    for k in range(n, at, -1):
        nodes[k] = nodes[k - 1]
    nodes[at] = node
    return n + 1


cdef class ArcStandard(System):
    """SHIFT, LEFT(l): s₀ → s₁, RIGHT(l): s₁ → s₀."""

    def __init__(self, bint single_root=True):
        System.__init__(self, "arc-standard", ("SHIFT", "LEFT", "RIGHT"), "first", single_root)

    cdef unsigned legal(self, const Configuration* c) noexcept nogil:
        cdef unsigned mask = shift_or_right(c, self.single_root)
        # LEFT: s₁ is not ROOT.
        return mask | 1 << LEFT if c.stack_size > 2 else mask

    cdef void arc(self, const Configuration* c, int kind, int* head, int* dependent) noexcept nogil:
        arc_between(top(c, 1), top(c, 0), kind == LEFT, kind == RIGHT, head, dependent)

    cdef void apply(self, Configuration* c, int kind, int label) noexcept nogil:
        cdef int s0
        if kind == SHIFT:
            shift(c)
        elif kind == LEFT:
            # (σ|s₁|s₀, β) ⇒ (σ|s₀, β), s₀ → s₁
            s0 = pop(c)
            link(c, s0, pop(c), label, self.single_root)
            push(c, s0)
        else:
            # (σ|s₁|s₀, β) ⇒ (σ|s₁, β), s₁ → s₀
            s0 = pop(c)
            link(c, top(c, 0), s0, label, self.single_root)

    cdef int static_kind(self, const Configuration* c, const Gold* g) noexcept nogil:
        """LEFT if s₀ → s₁ is gold; else RIGHT if s₁ → s₀ is and s₀ has all its dependents; else SHIFT."""
        cdef int s0 = top(c, 0), s1 = top(c, 1)
        if c.stack_size >= 2:
            if s1 != c.root and g.head[s1] == s0:
                return LEFT
            if g.head[s0] == s1 and dependents_from(g, s0, c.buffer) == 0:
                return RIGHT
        return SHIFT

    cdef int costs(self, const Configuration* c, const Gold* g, int* cost) except -1 nogil:
        """A move costs the gold arcs of the best reachable tree before it, less those of the best one after it.

        SHIFT: b joins the stack. LEFT, RIGHT: s₁ or s₀ leaves it; one more gold arc if the new one is gold.
        """
        cdef unsigned legal = self.legal(c)
        cdef int kind, head, dependent, best = -1
        cdef int after[3]
        for kind in range(3):
            if legal >> kind & 1 == 0:
                continue
            self.arc(c, kind, &head, &dependent)
            after[kind] = self.reachable(c, g, c.buffer + 1 if kind == SHIFT else c.buffer, dependent)
            if kind == SHIFT:
                # Gold arcs within the buffer are counted on both sides: those of b are now the stack's.
                after[kind] -= dependents_from(g, c.buffer, c.buffer) + <int>in_buffer(c, g.head[c.buffer])
            elif g.head[dependent] == head:
                after[kind] += 1
            best = max(best, after[kind])
        for kind in range(3):
            if legal >> kind & 1:
                cost[kind] = best - after[kind]
        return 0

    cdef int reachable(self, const Configuration* c, const Gold* g, int buffer, int without) except? -1 nogil:
        """Return the most gold arcs that can be built with a buffer from ``buffer`` on and without a word of the stack.

        The count starts from the number of gold arcs within the buffer. Below a word of the buffer, a gold subtree
        without words of the stack can always be built as it is: its arcs are counted and left out of the chart.
        """
        cdef int32_t small[64]
        cdef int32_t* nodes = small
        cdef int n, place_of_top, broken = 0
        if c.n + 2 > 64:
            nodes = <int32_t*>allocate(c.n + 2, sizeof(int32_t))
        try:
            n = stack_words(c, g, buffer, without, nodes)
            place_of_top = n - 1
            n = buffer_words(c, g, buffer, without, nodes, n, &broken)
            return most_gold_arcs(g, nodes, n, place_of_top, self.single_root) - broken
        finally:
            if nodes != small:
                free(nodes)

    cdef int pose(self, Configuration* c, int head, int dependent) noexcept nogil:
        cdef bint head_first = face(c, head, dependent)
        shift(c)
        return RIGHT if head_first else LEFT
