"""Which part of a kind each arc prefers, and the prices by which arcs come to agree with each other.

Left alone, every arc takes its best part, whether or not the arc that the part needs is in the tree. Prices (Lagrange
multipliers) repair this. A part pays a price for what it needs, and the price is credited to the arc that is needed:

- Grandparents: z(g,p,c) <= z(g,p), a price for each part (GPArc).
- Siblings: the parts ⟨p, s, c⟩ of all c together need at most z(p,s), because a word is before one sibling at most. So
  one price for each arc from p to s. Only one child on each side of p is the first: one price for each of these places.
  Where prices make these sums agree, every child has the sibling before it as its third word, and no other.
"""
from libc.math cimport isnan
from libc.string cimport memset

from treewright.kinds.exact.search.spanning cimport NEVER

cdef double INFINITE = 1e30
cdef int64_t LARGEST_POOL = 1 << 25      # parts with a place of their own, 800 MB; more only where a tree needs them


cdef class PartFamily(PartBounds):
    cdef int reserve(self, int n) except -1 nogil:
        cdef int64_t arcs = <int64_t>(n + 1) * (n + 1)
        if n <= self.capacity:
            return 0
        self.paid = <double*>self.resized(self.paid, 2 * arcs, sizeof(double))
        self.most = self.paid + arcs
        self.chosen = <int32_t*>self.resized(self.chosen, 2 * arcs, sizeof(int32_t))
        self.used = self.chosen + arcs
        return PartBounds.reserve(self, n)

    cdef int start(self) except -1 nogil:
        """Go to the sentence that the source of parts is at, with no prices."""
        cdef int64_t arc
        if not self.there:
            return 0
        self.take_up()
        self.n_priced = self.added = 0
        for arc in range(self.width * self.width):
            self.paid[arc] = 0
            self.most[arc] = self.above[arc]
            self.chosen[arc] = -1
        return 0

    cdef int score_all(self, const unsigned char* alive) except -1 nogil:
        """Score all parts of the arcs that were not dropped."""
        cdef int p, c, third
        for p in range(self.width):
            for c in range(1, self.width):
                if self.has_parts(p) and alive[p * self.width + c]:
                    for third in range(self.first_third(p, c), self.last_third(p, c) + 1):
                        if self.available(third, p, c, alive):
                            self.part(third, p, c)
        return 0

    cdef int settle_tree(self, const int32_t* heads, const unsigned char* alive) except -1 nogil:
        """Score parts until each arc of a tree knows its best one."""
        cdef int c
        for c in range(1, self.width):
            if self.has_parts(heads[c]) and self.chosen[heads[c] * self.width + c] < 0:
                self.settle(heads[c], c, alive)
        return 0

    cdef int settle(self, int p, int c, const unsigned char* alive) except -1 nogil:
        """Find the best part of an arc, scoring parts only while their bound is the highest."""
        cdef int third, best
        cdef int64_t arc = p * self.width + c, at = self.parts_of(arc)
        cdef double value, best_value
        while True:
            best, best_value = -1, -2 * INFINITE
            for third in range(self.first_third(p, c), self.last_third(p, c) + 1):
                if not self.available(third, p, c, alive):
                    continue
                value = self.pool[at + third]
                if isnan(value):
                    value = self.caps[at + third]
                value -= price(self, at, third, p, c)
                if value > best_value or best < 0:
                    best, best_value = third, value
            if best < 0 or not isnan(self.pool[at + best]):
                break
            self.part(best, p, c)
            at = self.place[arc]
        self.chosen[arc] = best
        self.most[arc] = best_value if best >= 0 else NEVER
        return 0

    cdef int bound(self, int p, int c, const unsigned char* alive, bint first) except -1 nogil:
        """Bound what an arc's part adds: scores, prices and dropped arcs may have changed since the last time.

        ``first``: nothing was priced or scored yet.
        """
        cdef int third
        cdef int64_t arc = p * self.width + c, at = self.place[arc]
        cdef double value, best = -INFINITE
        cdef bint known
        if at < 0 and not first:
            if not self.siblings:
                return 0                 # its parts have no prices, so that its bound still holds
            if self.pool_used < LARGEST_POOL:
                at = self.parts_of(arc)
        self.chosen[arc] = -1
        for third in range(self.first_third(p, c), self.last_third(p, c) + 1):
            if not self.available(third, p, c, alive):
                continue
            known = at >= 0 and not isnan(self.pool[at + third])
            if known:
                value = self.pool[at + third]
            else:
                value = self.caps[at + third] if at >= 0 else self.cap(third, p, c)
            value -= price(self, at, third, p, c)
            if value > best:
                best = value
                self.chosen[arc] = third if known else -1
        self.most[arc] = best
        return 0

    cdef double prepaid(self) noexcept nogil:
        """The prices of the first places: they are credited to every tree."""
        cdef int p
        cdef double total = 0
        for p in range(self.width if self.siblings else 0):
            total += self.paid[p * self.width + p]
            if p > 0:
                total += self.paid[p * self.width]
        return total

    cdef double disagreement(self, const int32_t* heads) noexcept nogil:
        """How far the parts that a tree's arcs prefer are from those it has: the squared length of the subgradient."""
        cdef int c, p
        cdef int64_t i
        cdef double total = 0
        if self.siblings:
            return sibling_disagreement(self, heads, 0)
        for c in range(1, self.width):
            p = heads[c]
            total += p > 0 and self.chosen[p * self.width + c] != heads[p]
        for i in range(self.n_priced):
            total += wasted(self, i, heads)
        return total

    cdef int pay(self, const int32_t* heads, double step) except -1 nogil:
        """Raise the prices of what is needed and not in the tree; lower those that nothing in the tree pays."""
        cdef int c, p, third
        cdef int64_t i, at
        cdef double lower
        if self.siblings:
            sibling_disagreement(self, heads, step)
            return 0
        for i in range(self.n_priced):
            if wasted(self, i, heads):
                at = self.priced[3 * i]
                lower = min(step, self.multipliers[at])
                self.paid[self.priced[3 * i + 1]] -= lower
                self.multipliers[at] -= lower
        for c in range(1, self.width):
            p = heads[c]
            third = self.chosen[p * self.width + c]
            if p == 0 or third < 0 or third == heads[p]:
                continue
            at = self.place[p * self.width + c] + third
            if self.multipliers[at] == 0:
                add_price(self, at, third, p, c)
            self.multipliers[at] += step
            self.paid[third * self.width + p] += step
        return 0


cdef double price(PartFamily self, int64_t at, int third, int p, int c) noexcept nogil:
    """What a part pays; its arc's parts begin at a place in the pool, or (-1) are not there yet."""
    if self.siblings:
        return self.paid[self.toll(third, p, c)]
    return self.multipliers[at + third] if at >= 0 else 0


cdef double sibling_disagreement(PartFamily self, const int32_t* heads, double step) noexcept nogil:
    """For siblings, both of the above: what tolls are paid in a tree, less what it has, squared and summed up."""
    cdef int c, p, surplus
    cdef int64_t arc
    cdef double total = 0
    memset(self.used, 0, self.width * self.width * sizeof(int32_t))
    for c in range(1, self.width):
        p = heads[c]
        if self.chosen[p * self.width + c] >= 0:
            self.used[self.toll(self.chosen[p * self.width + c], p, c)] += 1
    for p in range(self.width):
        for c in range(self.width):
            arc = p * self.width + c
            surplus = self.used[arc] - (c == 0 or c == p or heads[c] == p)
            if surplus > 0 or (surplus < 0 and self.paid[arc] > 0):
                total += surplus * surplus
                self.added += step > 0 and self.paid[arc] == 0
                self.paid[arc] += step * surplus
                if self.paid[arc] < 0:
                    self.paid[arc] = 0
    return total


cdef bint wasted(PartFamily self, int64_t i, const int32_t* heads) noexcept nogil:
    """Is a grandparent priced, and its upper arc in the tree, though the tree lacks the part?"""
    cdef int64_t at = self.priced[3 * i], arc = self.priced[3 * i + 1], c = self.priced[3 * i + 2]
    cdef int64_t g = arc // self.width, p = arc % self.width
    return self.multipliers[at] > 0 and heads[p] == g and not (
        heads[c] == p and self.chosen[p * self.width + c] == g)


cdef int add_price(PartFamily self, int64_t at, int third, int p, int c) except -1 nogil:
    """List a grandparent as priced, unless it is listed already."""
    cdef int64_t i, capacity = 256 + 2 * self.priced_capacity
    for i in range(self.n_priced):
        if self.priced[3 * i] == at:
            return 0
    if self.n_priced == self.priced_capacity:
        self.priced = <int64_t*>self.resized(self.priced, 3 * capacity, sizeof(int64_t))
        self.priced_capacity = capacity
    i = 3 * self.n_priced
    self.priced[i], self.priced[i + 1], self.priced[i + 2] = at, third * self.width + p, c
    self.n_priced += 1
    self.added += 1
    return 0
