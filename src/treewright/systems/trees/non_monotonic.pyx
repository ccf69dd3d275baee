"""Non-monotonic arc-eager (Honnibal & Johnson 2015): later moves may repair what earlier ones did.

Stack σ, buffer β; s is the top of the stack, b the front of the buffer. ROOT comes last in the buffer. As in arc-eager
(arc_eager.pyx), but

- LEFT(l): (σ|s, b|β) ⇒ (σ, b|β), b → s, *also* where s has a head: the new one takes its place
- REDUCE: (σ|s, β) ⇒ (σ, β); s has a head
- UNSHIFT: (σ|s, β) ⇒ (σ, s|β); s has no head: a SHIFT is undone, and s can get its head from the stack after all
- SHIFT: (σ, b|β) ⇒ (σ|b, β); b has not come back, unless σ is empty
- RIGHT(l): (σ|s, b|β) ⇒ (σ|s|b, β), s → b

A word comes back once at most, so that every parse ends. It ends with an empty stack and only ROOT in the buffer.
``single_root`` allows one arc from ROOT; words without a head for which none is left are then REDUCEd, and go to the
root word afterwards.

A gold arc can still be built if its dependent and its head are in the buffer, or on the stack as follows. A word on the
stack can get any head from the buffer. Of two words on the stack, the upper one must be able to come back: as the
head of the lower, or, without a head of its own, as its dependent. Exhaustive search says that this is all: gold
arcs that can each be built can be built together. So what a move costs is a count, and SHIFT and UNSHIFT cost nothing,
since both can be undone. Training is taught those of the right moves that leave least to repair (``economical``).

Leaves (leaf_tags.pyx) give no arcs: LEFT and RIGHT from a leaf do what they do without one, where REDUCE or SHIFT
cannot.
"""
from treewright.systems.configuration cimport NONE, RETURNED, Configuration, arc_between, face, is_barred, is_leaf
from treewright.systems.configuration cimport add_arc, pop, remove_right_arc, top
from treewright.systems.gold cimport Gold
from treewright.systems.system cimport MAX_KINDS, System, cheapest
from treewright.systems.trees.arc_eager cimport LEFT, REDUCE, RIGHT, SHIFT, canonical_kind
from treewright.systems.trees.swap cimport BACK, hand_back, next_word, shift_next

cdef enum:
    UNSHIFT = 4
    AGAIN = 3                # value of on_stack for words that came back and were pushed again


cdef class NonMonotonic(System):
    """SHIFT, REDUCE, LEFT(l): b → s, RIGHT(l): s → b, UNSHIFT."""

    def __init__(self, bint single_root=True):
        cdef tuple kinds = ("SHIFT", "REDUCE", "LEFT", "RIGHT", "UNSHIFT")
        System.__init__(self, "non-monotonic", kinds, "last", single_root)
        self.remembers = True

    cdef void start(self, Configuration* c, int n) noexcept nogil:
        System.start(self, c, n)
        c.context_use = RETURNED

    cdef bint terminal(self, const Configuration* c) noexcept nogil:
        return c.stack_size == 0 and c.context_size == 0 and c.buffer > c.n

    cdef unsigned legal(self, const Configuration* c) noexcept nogil:
        cdef int s = top(c, 0), b = next_word(c)
        cdef unsigned mask = 0
        # SHIFT: there is a word, and it has not come back.
        if b != c.root and (s == NONE or c.on_stack[b] != BACK):
            mask |= 1 << SHIFT
        if s == NONE:
            return mask
        if b != c.root:
            # LEFT and RIGHT; from a leaf only where REDUCE or SHIFT do not take the word.
            if c.head[s] == NONE or not is_leaf(c, b):
                mask |= 1 << LEFT
            if mask >> SHIFT & 1 == 0 or not is_leaf(c, s):
                mask |= 1 << RIGHT
        elif not self.single_root or (c.roots == 0 and not is_leaf(c, s)):
            # ROOT → s: once only, with a single root, and not to a leaf.
            mask |= 1 << LEFT
        if c.head[s] != NONE:
            return mask | 1 << REDUCE
        # UNSHIFT: s has not come back yet. Where ROOT has no arc to give, or another word will take it: REDUCE.
        if c.on_stack[s] != AGAIN:
            mask |= 1 << UNSHIFT
        if b == c.root and self.single_root and (c.roots > 0 or c.stack_size > 1 or is_leaf(c, s)):
            mask |= 1 << REDUCE
        return mask

    cdef void arc(self, const Configuration* c, int kind, int* head, int* dependent) noexcept nogil:
        arc_between(top(c, 0), next_word(c), kind == LEFT, kind == RIGHT, head, dependent)

    cdef void apply(self, Configuration* c, int kind, int label) noexcept nogil:
        cdef int s = top(c, 0), b = next_word(c)
        cdef bint came_back = b != NONE and c.on_stack[b] == BACK
        if kind == UNSHIFT:
            hand_back(c)
            return
        if kind == LEFT or kind == REDUCE:
            pop(c)
            if kind == LEFT and not is_barred(c, b, s, self.single_root):
                if c.head[s] != NONE:
                    remove_right_arc(c, s)
                add_arc(c, b, s, label)
            return
        if kind == RIGHT and not is_leaf(c, s):
            add_arc(c, s, b, label)
        shift_next(c)
        if came_back:
            c.on_stack[b] = AGAIN

    cdef int static_kind(self, const Configuration* c, const Gold* g) noexcept nogil:
        return canonical_kind(c, g)

    cdef int costs(self, const Configuration* c, const Gold* g, int* cost) except -1 nogil:
        cdef int s = top(c, 0), b = next_word(c), lost
        cost[SHIFT] = cost[REDUCE] = cost[LEFT] = cost[RIGHT] = cost[UNSHIFT] = 0
        if s == NONE:
            return 0
        # RIGHT: b has a head, and can no longer get another from the stack, nor dependents there.
        if b != c.root:
            cost[RIGHT] = <int>(g.head[b] != s and stacked(c, g.head[b])) + stacked_dependents(c, g, b)
        # Popping s: it can no longer get dependents, from the buffer or, coming back, from the stack.
        lost = dependents_ahead(c, g, s)
        if can_come_back(c, s):
            lost += stacked_dependents(c, g, s)
        # REDUCE: s keeps its head, or loses what it could get.
        cost[REDUCE] = lost + <int>(c.head[s] != g.head[s] and self.head_in_reach(c, g, s))
        # LEFT: s gets b as its head, whatever it has or could get; where b is ROOT, the gold root word does not.
        if g.head[s] != b and g.head[s] != NONE:
            if c.head[s] == g.head[s]:
                lost += <int>(c.label[s] == g.label[s] or c.label[s] == NONE)
            else:
                lost += <int>self.head_in_reach(c, g, s)
        cost[LEFT] = lost
        if b == c.root and self.single_root and g.root != NONE and g.root != s and stacked(c, g.root):
            cost[LEFT] += 1
        return 0

    cdef bint head_in_reach(self, const Configuration* c, const Gold* g, int s) noexcept nogil:
        """Can the top of the stack still get its gold head: from the buffer, or from the stack, coming back?"""
        cdef int head = g.head[s]
        if head == NONE or (head == c.root and self.single_root and c.roots > 0):
            return False
        return ahead(c, head) or (can_come_back(c, s) and stacked(c, head))

    cdef unsigned economical(self, const Configuration* c, const Gold* g, unsigned kinds) noexcept nogil:
        """Of moves that cost nothing, those that leave least to repair."""
        cdef int s = top(c, 0), b = next_word(c), repairs[MAX_KINDS]
        cdef int least
        if s == NONE:
            return kinds
        repairs[REDUCE] = 0
        repairs[LEFT] = <int>(g.head[s] != b)
        repairs[RIGHT] = <int>(g.head[b] != s)
        # SHIFT is undone for arcs with the stack, and UNSHIFT is made for nothing else.
        repairs[SHIFT] = stacked_dependents(c, g, b) + <int>stacked(c, g.head[b]) if b != c.root else 0
        repairs[UNSHIFT] = 2 if stacked_dependents(c, g, s) == 0 and not stacked(c, g.head[s]) else 0
        return cheapest(self.n_kinds, kinds, repairs, &least)

    cdef bint in_reach(self, const Configuration* c, int head, int dependent) noexcept nogil:
        """Some word of the two is in the buffer, or can come back to it; a wrong head may be replaced."""
        return True

    cdef int pose(self, Configuration* c, int head, int dependent) noexcept nogil:
        return RIGHT if face(c, head, dependent) else LEFT


cdef inline bint stacked(const Configuration* c, int node) noexcept nogil:
    """Is the node on the stack, for the first time or again?"""
    return c.on_stack[node] & 1


cdef inline bint ahead(const Configuration* c, int node) noexcept nogil:
    """Is the node in the buffer?"""
    return c.on_stack[node] == BACK or node >= c.buffer


cdef inline bint can_come_back(const Configuration* c, int s) noexcept nogil:
    return c.on_stack[s] == 1 and c.head[s] == NONE


cdef int dependents_ahead(const Configuration* c, const Gold* g, int head) noexcept nogil:
    """Return how many gold dependents of a word are in the buffer."""
    cdef int k, n = 0
    for k in range(g.first_child[head], g.first_child[head + 1]):
        n += <int>ahead(c, g.children[k])
    return n


cdef int stacked_dependents(const Configuration* c, const Gold* g, int head) noexcept nogil:
    """Return how many gold dependents of a word lie on the stack without it."""
    cdef int k, n = 0
    for k in range(g.first_child[head], g.first_child[head + 1]):
        n += <int>(stacked(c, g.children[k]) and c.head[g.children[k]] != head)
    return n
