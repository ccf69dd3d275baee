"""Easy-first (Goldberg & Elhadad 2010), with the dynamic oracle of Goldberg & Nivre 2013.

A list λ holds ROOT and the words that have no head yet. Any two neighbours in it can be linked, in any order: the
dependent leaves the list. The parse ends with ROOT alone, always in a tree. A move is made at a place: between l,
the word in focus, and r, the next one. (The paper numbers LEFTⁱ and RIGHTⁱ by the head's place in λ, ROOT being
the first.) With ``single_root``, ROOT gives its one arc when a single word is left.

Leaves (leaf_tags.pyx) give no arcs. A word that is no leaf stays in the list until ROOT takes it, and can take its
neighbours before. Since words leave in any order, the costs stay the same.
"""
from treewright.systems.configuration cimport NONE, Configuration, add_arc, clear, is_leaf
from treewright.systems.gold cimport Gold
from treewright.systems.system cimport System

cdef enum:
    LEFT = 0
    RIGHT = 1


cdef class EasyFirst(System):
    """LEFT(l): r → l, RIGHT(l): l → r, where l is the word in focus and r the next one."""

    def __init__(self, bint single_root=True):
        System.__init__(
            self, "easy-first", ("LEFT", "RIGHT"), "first", single_root, oracles=("nondeterministic", "dynamic")
        )
        self.has_places = True

    @property
    def addresses(self):
        """The names of the feature language for the places where features may begin."""
        return ("list",)

    cdef void start(self, Configuration* c, int n) noexcept nogil:
        cdef int node
        clear(c, n, 0)
        for node in range(n + 1):
            c.previous[node] = node - 1 if node > 0 else NONE
            c.next[node] = node + 1 if node < n else NONE
            c.on_stack[node] = 1
        c.focus = 0

    cdef bint terminal(self, const Configuration* c) noexcept nogil:
        return c.next[c.root] == NONE

    cdef unsigned legal(self, const Configuration* c) noexcept nogil:
        cdef int left = c.focus
        if c.next[left] == NONE:
            return 0
        # RIGHT from ROOT waits until one word is left, with a single root. LEFT: ROOT has no head.
        if left == c.root:
            return 0 if self.single_root and c.next[c.next[left]] != NONE else 1 << RIGHT
        # A leaf gives no arc.
        return (0 if is_leaf(c, c.next[left]) else 1 << LEFT) | (0 if is_leaf(c, left) else 1 << RIGHT)

    cdef void arc(self, const Configuration* c, int kind, int* head, int* dependent) noexcept nogil:
        head[0], dependent[0] = c.focus, c.next[c.focus]
        if kind == LEFT:
            head[0], dependent[0] = dependent[0], head[0]

    cdef void apply(self, Configuration* c, int kind, int label) noexcept nogil:
        # (… l r …) ⇒ (… r …), r → l by LEFT; ⇒ (… l …), l → r by RIGHT. The head is in focus then.
        cdef int head, dependent, before, after
        self.arc(c, kind, &head, &dependent)
        add_arc(c, head, dependent, label)
        before, after = c.previous[dependent], c.next[dependent]
        if before != NONE:
            c.next[before] = after
        if after != NONE:
            c.previous[after] = before
        c.on_stack[dependent] = 0
        c.focus = head

    cdef int costs(self, const Configuration* c, const Gold* g, int* cost) except -1 nogil:
        """The dependent leaves the list: it loses its gold head, if that is another one of the list, and those of
        its gold dependents that are in the list."""
        cdef int kind, head, dependent, k
        cost[LEFT] = cost[RIGHT] = 0
        if c.next[c.focus] == NONE:
            return 0
        for kind in range(2):
            self.arc(c, kind, &head, &dependent)
            if dependent == c.root:
                continue
            cost[kind] = <int>(g.head[dependent] != head and c.on_stack[g.head[dependent]] == 1)
            for k in range(g.first_child[dependent], g.first_child[dependent + 1]):
                cost[kind] += c.on_stack[g.children[k]]
        return 0

    cdef bint in_reach(self, const Configuration* c, int head, int dependent) noexcept nogil:
        """Both are in the list."""
        return c.on_stack[head] == 1 and c.on_stack[dependent] == 1

    cdef int pose(self, Configuration* c, int head, int dependent) noexcept nogil:
        c.focus = min(head, dependent)
        c.next[c.focus] = max(head, dependent)
        c.previous[c.next[c.focus]] = c.focus
        return RIGHT if head < dependent else LEFT
