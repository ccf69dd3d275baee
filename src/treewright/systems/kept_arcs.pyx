"""Arcs that a parse must contain, and arcs that it must not: by legality, the same for every system.

An arc is still possible as long as the dynamic oracle says so. So the arcs to keep are a gold tree that is known in
part, and a move is allowed if it costs none of them. No system needs rules of its own; tests/systems/test_kept_arcs.py
proves by enumeration that exactly the trees with these arcs are left.

A move whose arc must not be is not allowed either, unless nothing else is: the word is attached again afterwards. The
same holds for arcs that no sequence of moves can build, such as crossing ones in a projective system
(steps/given_arcs.py).
"""
from treewright.systems.configuration cimport NONE
from treewright.systems.system cimport MAX_KINDS, cheapest


cdef class KeptArcs:
    """What is given for the words of a block; one thread uses it at a time.

    ``heads`` and ``labels``: by word, -1 where free. ``banned[first_banned[w] .. first_banned[w + 1]]``: the heads that
    word w must not have. Heads are numbers of words of the sentence, 0 is the root; whoever makes this checks them.
    """

    def __init__(self, const int32_t[::1] heads, const int32_t[::1] labels, const int32_t[::1] first_banned,
                 const int32_t[::1] banned):
        cdef Py_ssize_t word
        self.n_words = <int>heads.shape[0]
        if labels.shape[0] != self.n_words or first_banned.shape[0] != self.n_words + 1:
            raise ValueError("one head, one relation and one offset per word")
        for word in range(self.n_words):
            if not 0 <= first_banned[word] <= first_banned[word + 1] <= banned.shape[0]:
                raise ValueError("offsets that do not fit what they point at")
        self.heads, self.labels, self.first_banned, self.banned = heads, labels, first_banned, banned
        self.gold = GoldStandard()

    cdef int enter(self, System system, int first, int n, unsigned char* leaf) except -1 nogil:
        """Go to the sentence of n words that begins at word ``first``; heads of arcs to keep are no leaves there."""
        cdef int word, head
        if first < 0 or n < 1 or first + n > self.n_words:
            with gil:
                raise IndexError("a sentence of another block")
        self.first, self.n, self.given_up = first, n, False
        for word in range(1, n + 1):
            head = self.heads[first + word - 1]
            if head > n:
                with gil:
                    raise IndexError("a head outside its sentence")
            if leaf != NULL and head >= 0:
                leaf[head if head else word] = 0
        self.gold.bind_tree(n, system.root_node(n), &self.heads[first], &self.labels[first])
        return 0

    cdef unsigned allowed(self, System system, const Configuration* c, unsigned legal) except? 0 nogil:
        """Return those of the legal kinds of move that lose no arc to keep and add none that must not be.

        With places, there may be none here. Without, the kinds that lose least are left.
        """
        cdef int cost[MAX_KINDS]
        cdef int kind, head, dependent, least
        cdef unsigned kept, clean = 0
        if self.given_up or legal == 0:
            return legal
        system.costs(c, &self.gold.gold, cost)
        kept = cheapest(system.n_kinds, legal, cost, &least)
        if least > 0 and system.has_places:
            return 0
        for kind in range(system.n_kinds):
            if kept >> kind & 1:
                system.arc(c, kind, &head, &dependent)
                if dependent == NONE or not self.is_banned(c, head, dependent):
                    clean |= 1 << kind
        return clean if clean or system.has_places else kept

    cdef bint is_banned(self, const Configuration* c, int head, int dependent) noexcept nogil:
        cdef int i, number = 0 if head == c.root else head
        if not 1 <= dependent <= self.n:
            return False
        for i in range(self.first_banned[self.first + dependent - 1], self.first_banned[self.first + dependent]):
            if self.banned[i] == number:
                return True
        return False

    cdef int label_of(self, const Configuration* c, int head, int dependent, int otherwise) noexcept nogil:
        """Return the relation of an arc to keep, where it is given."""
        cdef int number = 0 if head == c.root else head
        if not 1 <= dependent <= self.n or self.heads[self.first + dependent - 1] != number:
            return otherwise
        number = self.labels[self.first + dependent - 1]
        return number if number != NONE else otherwise
