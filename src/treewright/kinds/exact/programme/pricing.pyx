"""Which parts of a kind the linear programme needs next: pricing with factorised bounds, and violated ArcGP rows.

A part is a number, needed arc * width + c, with width = n + 1: (g * width + p) * width + c for a grandparent part,
(p * width + s) * width + c for a sibling part, with s = p for the first child on a side (part_bounds.pyx).
"""
from array import array

from libc.stdint cimport int64_t

from treewright.kinds.exact.parts.part_family cimport PartFamily
from treewright.kinds.exact.search.search cimport TreeSearch
from treewright.treebank.blocks.owned_memory cimport Owner


cdef class Pricing(Owner):
    """The parts of one kind in a sentence, and which of them are in the programme."""
    cdef TreeSearch search
    cdef PartFamily family
    cdef unsigned char* chosen
    cdef readonly int n
    cdef readonly int64_t width          # 64 bits: it is multiplied by itself
    cdef readonly bint siblings
    cdef readonly long added

    def __cinit__(self, TreeSearch search, PartFamily family):
        self.search, self.family = search, family
        self.n, self.width, self.siblings = search.n, search.width, family.siblings
        self.chosen = <unsigned char*>self.new_block(self.width * self.width * self.width, 1)

    cdef inline int64_t number(self, int third, int p, int c) noexcept nogil:
        return self.family.needed(third, p) * self.width + c

    cdef list arcs_with_parts(self):
        """The arcs that were not dropped and can have parts: heads and children."""
        cdef int p, c
        return [
            (p, c) for p in range(self.width) if self.family.has_parts(p)
            for c in range(1, self.width) if self.search.alive[p * self.width + c]
        ]

    cdef int append_available(self, parts, int third, int p, int c) except -1:
        if self.family.available(third, p, c, self.search.alive):
            parts.append(self.number(third, p, c))
        return 0

    def all_parts(self):
        """Return all parts of the arcs that were not dropped."""
        cdef int third, p, c
        parts = array("q")
        for p, c in self.arcs_with_parts():
            for third in range(self.family.first_third(p, c), self.family.last_third(p, c) + 1):
                self.append_available(parts, third, p, c)
        return parts

    def plain_parts(self):
        """Return the first columns of Algorithm 1: the part with the root as grandparent for every arc.

        Of siblings, the parts of first children, and those with the neighbour as the sibling before: with these, each
        word can have any number of children.
        """
        cdef int p, c, third
        parts = array("q")
        for p, c in self.arcs_with_parts():
            self.append_available(parts, p if self.siblings else 0, p, c)
            third = c - 1 if p < c else c + 1
            if self.siblings and third != p:
                self.append_available(parts, third, p, c)
        return parts

    def first_parts(self):
        """Return the parts of the best tree, the parts that the search priced, and one part for every arc.

        This last part makes OneGP feasible, as ⟨0, h, m⟩ does in Algorithm 1. It has the third word that the search
        chose, or the one that the best tree gives to the arc. Pricing finds better ones.
        """
        cdef int p, c, third
        cdef int64_t i
        cdef const unsigned char* alive = self.search.alive
        parts = set()
        for i in range(self.family.n_priced):
            third, p = divmod(self.family.priced[3 * i + 1], self.width)
            c = self.family.priced[3 * i + 2]
            if alive[third * self.width + p] and alive[p * self.width + c]:
                parts.add(self.number(third, p, c))
        for c in range(1, self.width):
            p = self.search.best_heads[c]
            if self.family.has_parts(p):
                parts.add(self.number(self.family.third_in(self.search.best_heads, c), p, c))
            for p in range(self.width):
                if alive[p * self.width + c] and self.family.has_parts(p):
                    third = self.usual_third(p, c)
                    if third >= 0:
                        parts.add(self.number(third, p, c))
        return array("q", sorted(parts))

    cdef int usual_third(self, int p, int c) except? -2:
        """The third word that the search chose for an arc, or else a likely one; -1 without any."""
        cdef int third = self.family.chosen[p * self.width + c]
        cdef const unsigned char* alive = self.search.alive
        if third >= 0 and self.family.available(third, p, c, alive):
            return third
        if not self.siblings and self.family.available(self.search.best_heads[p], p, c, alive):
            return self.search.best_heads[p]
        self.family.settle(p, c, alive)
        return self.family.chosen[p * self.width + c]

    def most(self):
        """Return by arc the bound on what any of its parts adds."""
        cdef int64_t arc
        return array("d", [self.family.above[arc] for arc in range(self.width * self.width)])

    def admit(self, parts):
        """Count parts as in the programme; return their scores."""
        cdef int64_t part, needed, w = self.width
        scores = array("d")
        for part in parts:
            if not self.chosen[part]:
                self.chosen[part] = 1
                self.added += 1
            needed = part // w
            if self.siblings:
                scores.append(self.family.part(needed % w, needed // w, part % w))
            else:
                scores.append(self.family.part(needed // w, needed % w, part % w))
        return scores

    def priced(self, const double[::1] one, const double[::1] shared, double[::1] spare, double least):
        """Return the parts that are not in the programme yet and have a positive reduced cost.

        ``one`` are the duals by arc of the row that gives it one part (OneGP), ``shared`` those (not negative) of the
        row that parts share which need the same arc (NoGP). Arcs with a bound over all third words that is not above
        their dual are skipped, then parts with a bound that is not above both duals. Only the rest are scored.

        ``spare``: by arc, how much its reduced cost can still take (see ``Family.duals``). A part that needs the arc
        may use this up instead of joining the programme: the dual of the part's own GPArc row, or of the row that
        siblings share. Cheap parts come first, by their bounds, so that most of them are not even scored.
        """
        cdef int third, p, c
        cdef int64_t w = self.width, arc, row, needed
        cdef double cost
        waiting = {}
        for p in range(w):
            if not self.family.has_parts(p):
                continue
            for c in range(1, w):
                arc = p * w + c
                if not self.search.alive[arc] or self.family.above[arc] - one[arc] <= least:
                    continue
                for third in range(self.family.first_third(p, c), self.family.last_third(p, c) + 1):
                    if (not self.family.available(third, p, c, self.search.alive)
                            or self.chosen[self.number(third, p, c)]):
                        continue
                    needed = self.family.needed(third, p)
                    row = self.family.toll(third, p, c) if self.siblings else needed
                    cost = one[arc] + shared[row] + least
                    if self.family.below[needed] > cost and self.family.cap(third, p, c) > cost:
                        waiting.setdefault(needed, []).append((self.family.cap(third, p, c) - cost, cost, third, p, c))
        parts = array("q")
        for needed, found in waiting.items():
            for _, cost, third, p, c in self.unpaid(found, spare, needed):
                if self.family.part(third, p, c) > cost:
                    parts.append(self.number(third, p, c))
        return parts

    cdef object unpaid(self, list found, double[::1] spare, int64_t needed):
        """Let parts use up what the arc that they need can spare, cheapest first; return the rest."""
        cdef int i = 0
        cdef double shared = spare[needed]
        if shared <= 0:
            return found
        if self.siblings:                # one dual for all of them: what is spared for one is spared for all
            spare[needed] = 0
            return [(most - shared, cost + shared, *part) for most, cost, *part in found if most > shared]
        found.sort()
        while i < len(found) and found[i][0] <= spare[needed]:
            spare[needed] -= found[i][0]
            i += 1
        return found[i:]

    def violated(self, const double[::1] z, double tolerance):
        """Return the grandparent parts that are not in the programme yet and have arcs that sum to more than 1."""
        cdef int g, p, c
        cdef int64_t w = self.width
        parts = array("q")
        for p in range(1, w):
            for c in range(1, w):
                if z[p * w + c] <= tolerance:
                    continue
                for g in range(w):
                    if g == c or z[g * w + p] + z[p * w + c] <= 1 + tolerance:
                        continue
                    if not self.chosen[<int64_t>(g * w + p) * w + c]:
                        parts.append(<int64_t>(g * w + p) * w + c)
        return parts


def remaining_arcs(TreeSearch search):
    """Return the arcs that a search has not dropped, as head * width + child."""
    cdef int64_t arc
    return array("q", [arc for arc in range(search.width * search.width) if search.alive[arc]])


def scores_of(TreeSearch search, arcs):
    """Return the scores of arcs, without parts."""
    cdef int64_t arc
    return array("d", [search.first_order[arc] for arc in arcs])


def tree_score(TreeSearch search, heads):
    """Return the true score of a tree; heads[1] to heads[n] are read."""
    cdef int c
    for c in range(1, search.width):
        search.heads[c] = heads[c]
    return search.tree_score(search.heads)
