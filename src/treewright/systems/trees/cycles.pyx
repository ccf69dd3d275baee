"""Systems in which gold arcs that can each be built can be built together, unless they close a cycle.

In covington and in planar systems, no arc stands in the way of another, except that a word has one head and that no arc
closes a cycle. So gold arcs that are *reachable*, each by itself, may close a cycle together with arcs there are, which
are not gold: every such cycle loses one gold arc (Gómez-Rodríguez & Fernández-González 2015):
loss = gold arcs out of reach + cycles among the arcs there are and those in reach.
No word has two heads, so no word is on two cycles. A subclass says which arcs are in reach.
"""


cdef class AcyclicSystem(System):
    """What moves cost: see above."""

    cdef bint reachable(self, const Configuration* c, const Gold* g, int word) noexcept nogil:
        """Can the gold arc to a word still be built, looked at by itself?"""
        return False

    cdef bint leads(self, const Configuration* c, const Gold* g, int start, int target) noexcept nogil:
        """Does the way up from a word lead to another, over arcs there are and gold arcs in reach?"""
        cdef int _step
        for _step in range(c.n + 2):
            if start == target:
                return True
            if start == NONE or start == c.root:
                return False
            if c.head[start] != NONE:
                start = c.head[start]
            elif self.reachable(c, g, start):
                start = g.head[start]
            else:
                return False
        return False

    cdef int price_of_loss(self, const Configuration* c, const Gold* g, int word) noexcept nogil:
        """What it costs never to build the gold arc to a word: nothing if a cycle would have cost it anyway."""
        if not self.reachable(c, g, word):
            return 0
        return not self.leads(c, g, g.head[word], word)

    cdef int price_of_arc(self, const Configuration* c, const Gold* g, int head, int dependent) noexcept nogil:
        """What it costs to add an arc."""
        cdef int price
        if g.head[dependent] == head:
            return 0
        price = self.price_of_loss(c, g, dependent)
        # The gold root word loses the one arc that ROOT has to give.
        if head == c.root and self.single_root and g.root != NONE and self.reachable(c, g, g.root):
            price += g.root != dependent
        # A cycle with gold arcs in reach: one of them is lost.
        return price + self.leads(c, g, head, dependent)

    cdef int price_of_parting(self, const Configuration* c, const Gold* g, int word, int first, int end,
                              int plane, bint gets_head) noexcept nogil:
        """What it costs to build no arc between a word and the nodes first .. end - 1, of a plane or (NONE) of all.

        ``gets_head``: the arc to the word is lost whatever its plane. All arcs that lie on a cycle lie on one, which
        costs an arc anyway.
        """
        cdef int k, other, lost = 0
        cdef bint on_cycle = False
        if first <= g.head[word] < end and (gets_head or plane == NONE or g.plane[word] == plane):
            if self.reachable(c, g, word):
                lost += 1
                on_cycle = self.leads(c, g, g.head[word], word)
        for k in range(g.first_child[word], g.first_child[word + 1]):
            other = g.children[k]
            if first <= other < end and (plane == NONE or g.plane[other] == plane) and self.reachable(c, g, other):
                lost += 1
                on_cycle = on_cycle or self.leads(c, g, word, other)
        return lost - <int>on_cycle
