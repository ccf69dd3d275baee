"""The parts of one kind in a sentence: bounds on their scores, and the scores themselves once they are needed.

A part belongs to an arc, its own, and needs a second one: a grandparent part ⟨g, p, c⟩ belongs to the arc from p to c
and needs the one from g to p; a sibling part belongs to the arc from p to c and needs the one from p to the sibling
before c, or none if c is the first child of p on its side. In a tree every arc has one part of each kind (those from
the root have no grandparent).

Bounds come from the model, template by template: what any third word may add to an arc (``above``), and what an arc
may add to any arc that needs it (``below``). The lower of both bounds a part. Bounds are cheap, scores are not. Memory
for the parts of an arc is allocated when the first of them is needed.
"""
from libc.math cimport NAN, isnan


cdef double SLACK = 1e-5         # for the rounding of bounds, which are sums in single precision


cdef class PartBounds:
    def __init__(self, PartScores source):
        """``source``: None where the model has no such parts: then there are none in any sentence."""
        self.source, self.there = source, source is not None
        self.siblings = self.there and source.siblings
        self.reserve(32)

    cdef int take_up(self) except -1 nogil:
        """Go to the sentence that the source of parts is at: bound its arcs, and forget all parts."""
        cdef int p, c
        cdef int64_t arc, needed
        self.n = self.source.length()
        self.width = self.n + 1
        self.reserve(self.n)
        self.scored = 0
        self.pool_used = self.width      # so that no place is negative
        bound_templates(self)
        for p in range(self.width):
            for c in range(self.width):
                arc = p * self.width + c
                self.place[arc] = -1
                self.above[arc] = self.below[arc] = 0
        for p in range(self.width):
            for c in range(self.width):
                arc, needed = p * self.width + c, self.needed(c, p)
                if c > 0 and p != c and self.has_parts(p):
                    self.above[arc] = (self.sum_of(self.each_above + arc * self.lanes) if self.n_templates else
                                       self.source.above(p, c))
                if self.is_third(c, p):
                    self.below[needed] = (self.sum_of(self.each_below + needed * self.lanes) if self.n_templates else
                                          self.source.below(c, p))
        return 0

    cdef int reserve(self, int n) except -1 nogil:
        """Allocate memory for the arcs of n words."""
        cdef int64_t arcs = <int64_t>(n + 1) * (n + 1)
        if n > self.capacity:
            self.above = <double*>self.resized(self.above, 2 * arcs, sizeof(double))
            self.below = self.above + arcs
            self.place = <int64_t*>self.resized(self.place, arcs, sizeof(int64_t))
            self.capacity = n
        return 0

    cdef int64_t parts_of(self, int64_t arc) except -1 nogil:
        """Return where the parts of an arc are in the pool, less the first third word; add missing ones."""
        cdef int third, p = <int>(arc // self.width), c = <int>(arc % self.width), first = self.first_third(p, c)
        cdef int64_t i, needed = self.pool_used + self.last_third(p, c) + 1 - first, capacity = 2 * needed
        if self.place[arc] >= 0:
            return self.place[arc]
        if needed > self.pool_capacity:
            self.pool = <double*>self.resized(self.pool, capacity, sizeof(double))
            self.multipliers = <double*>self.resized(self.multipliers, capacity, sizeof(double))
            self.caps = <double*>self.resized(self.caps, capacity, sizeof(double))
            self.pool_capacity = capacity
        for i in range(self.pool_used, needed):
            self.pool[i], self.multipliers[i], self.caps[i] = NAN, 0, 0
        self.place[arc] = self.pool_used - first
        for third in range(first, self.last_third(p, c) + 1):
            self.caps[self.place[arc] + third] = self.cap(third, p, c)
        self.pool_used = needed
        return self.place[arc]

    cdef double sum_of(self, const float* bounds) noexcept nogil:
        """The sum of the bounds of all templates."""
        cdef int t
        cdef double total = SLACK
        for t in range(self.n_templates):
            total += bounds[t]
        return total

    cdef double cap(self, int third, int p, int c) noexcept nogil:
        """A bound on the score of a part: the sum over templates of the lower bound."""
        cdef int t, i
        cdef int64_t needed = self.needed(third, p), arc = p * self.width + c
        cdef float sums[8]
        cdef const float* a = self.each_above + arc * self.lanes
        cdef const float* b = self.each_below + needed * self.lanes
        cdef double total = SLACK
        if third == c or p == c or not self.is_third(third, p):
            return 0
        if self.lanes == 0:
            return self.above[arc] if self.above[arc] < self.below[needed] else self.below[needed]
        for i in range(8):
            sums[i] = 0
        for t in range(0, self.lanes, 8):
            for i in range(8):
                sums[i] += a[t + i] if a[t + i] < b[t + i] else b[t + i]
        for i in range(8):
            total += sums[i]
        return total

    cdef double part(self, int third, int p, int c) except? -1 nogil:
        """The score of a part, computed on first use."""
        cdef int64_t at = self.parts_of(p * self.width + c) + third
        if isnan(self.pool[at]):
            self.pool[at] = self.source.score(third, p, c)
            self.scored += 1
        return self.pool[at]

    cdef double tree_score(self, const int32_t* heads) except? -1 nogil:
        """What the parts of a tree add to its score."""
        cdef int c
        cdef double total = 0
        for c in range(1, self.width):
            if self.has_parts(heads[c]):
                total += self.part(self.third_in(heads, c), heads[c], c)
        return total


cdef int bound_templates(PartBounds self) except -1 nogil:
    """Find the bounds of each template for the arcs of the sentence."""
    cdef int p, c, t
    cdef int64_t arc, needed
    self.n_templates = self.source.n_templates()
    self.lanes = (self.n_templates + 7) // 8 * 8
    needed = self.width * self.width * self.lanes
    if needed > self.each_capacity:
        self.each_above = <float*>self.resized(self.each_above, 2 * needed, sizeof(float))
        self.each_below = self.each_above + needed
        self.each_capacity = needed
    for p in range(self.width if self.n_templates else 0):
        for c in range(self.width):
            arc, needed = (p * self.width + c) * self.lanes, self.needed(c, p) * self.lanes
            for t in range(self.n_templates, self.lanes):
                self.each_above[arc + t] = self.each_below[needed + t] = 0
            if c > 0 and p != c and self.has_parts(p):
                self.source.each_above(p, c, self.each_above + arc)
            if self.is_third(c, p):
                self.source.each_below(c, p, self.each_below + needed)
    return 0
