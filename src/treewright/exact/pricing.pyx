"""Which grandparent parts the linear programme needs next: pricing with factorised bounds, and violated ArcGP rows.

A part is a number, (g * width + p) * width + c, with width = n + 1.
"""
from array import array

from libc.stdint cimport int64_t
from libc.stdlib cimport free

from treewright.exact.search cimport TreeSearch
from treewright.treebank.memory cimport allocate_zeroed


cdef class Pricing:
    """The parts of a sentence, and which of them are in the programme."""
    cdef TreeSearch search
    cdef unsigned char* chosen
    cdef readonly int n
    cdef readonly int64_t width          # 64 bits: it is multiplied by itself
    cdef readonly long added

    def __cinit__(self, TreeSearch search):
        self.search = search
        self.n, self.width = search.n, search.width
        self.chosen = <unsigned char*>allocate_zeroed(self.width * self.width * self.width, 1)

    def __dealloc__(self):
        free(self.chosen)

    def arcs(self):
        """Return the arcs that were not dropped, as head * width + child."""
        cdef int64_t arc
        return array("q", [arc for arc in range(self.width * self.width) if self.search.alive[arc]])

    def all_parts(self):
        """Return all parts of these arcs."""
        cdef int g, p, c
        parts = array("q")
        for p in range(1, self.width):
            for g in range(self.width):
                if not self.search.alive[g * self.width + p]:
                    continue
                for c in range(1, self.width):
                    if c != g and self.search.alive[p * self.width + c]:
                        parts.append((g * self.width + p) * self.width + c)
        return parts

    def root_parts(self):
        """Return for every arc its part with the root as grandparent: the first columns of Algorithm 1."""
        cdef int p, c
        return array("q", [p * self.width + c for p in range(1, self.width) for c in range(1, self.width)
                           if self.search.alive[p * self.width + c] and self.search.alive[p]])

    def first_parts(self):
        """Return the parts of the best tree, the parts that the search priced, and one part for every arc.

        This last part makes OneGP feasible, as ⟨0, h, m⟩ does in Algorithm 1. It has the grandparent that the search
        chose, or the head that the best tree gives to the arc's head. Pricing finds better ones.
        """
        cdef int p, c, g
        cdef int64_t i
        parts = set()
        for i in range(self.search.n_priced):
            g, p = divmod(self.search.priced[3 * i + 1], self.width)
            c = self.search.priced[3 * i + 2]
            if self.search.alive[g * self.width + p] and self.search.alive[p * self.width + c]:
                parts.add((g * self.width + p) * self.width + c)
        for c in range(1, self.width):
            p = self.search.best_heads[c]
            if p > 0:
                parts.add((self.search.best_heads[p] * self.width + p) * self.width + c)
            for p in range(1, self.width):
                if self.search.alive[p * self.width + c]:
                    g = self.search.chosen[p * self.width + c]
                    if g < 0 or not self.search.alive[g * self.width + p]:
                        g = self.search.best_heads[p]
                    if g == c or not self.search.alive[g * self.width + p]:
                        self.search.settle(p, c)
                        g = self.search.chosen[p * self.width + c]
                    if g >= 0:
                        parts.add((g * self.width + p) * self.width + c)
        return array("q", sorted(parts))

    def admit(self, parts):
        """Count parts as in the programme; return their scores."""
        cdef int64_t part
        cdef int64_t w = self.width
        scores = array("d")
        for part in parts:
            if not self.chosen[part]:
                self.chosen[part] = 1
                self.added += 1
            scores.append(self.search.part(part // (w * w), part // w % w, part % w))
        return scores

    def priced(self, const double[::1] one_gp, const double[::1] no_gp, double least):
        """Return the parts that are not in the programme yet and have a positive reduced cost.

        ``one_gp`` are the duals of OneGP by arc (p, c), ``no_gp`` those of NoGP (not negative) by arc (g, p). Arcs with
        a bound over all grandparents that is not above their dual are skipped, then parts with a bound that is not
        above both duals. Only the rest are scored.
        """
        cdef int g, p, c
        cdef int64_t w = self.width, arc, upper
        parts = array("q")
        for p in range(1, w):
            for c in range(1, w):
                arc = p * w + c
                if not self.search.alive[arc] or self.search.above[arc] - one_gp[arc] <= least:
                    continue
                for g in range(w):
                    upper = g * w + p
                    if g == c or not self.search.alive[upper] or self.chosen[<int64_t>upper * w + c]:
                        continue
                    if self.search.below[upper] - one_gp[arc] - no_gp[upper] <= least:
                        continue
                    if self.search.cap(g, p, c) - one_gp[arc] - no_gp[upper] <= least:
                        continue
                    if self.search.part(g, p, c) - one_gp[arc] - no_gp[upper] > least:
                        parts.append(<int64_t>upper * w + c)
        return parts

    def violated(self, const double[::1] z, double tolerance):
        """Return the parts that are not in the programme yet and have arcs that sum to more than 1."""
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

    def score_of(self, heads):
        """Return the true score of a tree; heads[1] to heads[n] are read."""
        cdef int c, p
        cdef double total = 0
        for c in range(1, self.width):
            p = heads[c]
            total += self.search.first_order[p * self.width + c]
            if p > 0:
                total += self.search.part(heads[p], p, c)
        return total

    def first_order(self, arcs):
        """Return the scores of arcs."""
        cdef int arc
        return array("d", [self.search.first_order[arc] for arc in arcs])
