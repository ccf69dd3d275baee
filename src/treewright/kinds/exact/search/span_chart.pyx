"""The best projective tree with grandparents and siblings, by dynamic programming over g-spans (Koo & Collins 2010).

A g-span is a span of words on one side of its head h, together with h's own head g, which is outside of it. An arc from
g to h therefore has a row of spans for each side:

- *closed* (g, h, e): h with all its descendants from h to e;
- *open* (g, h, m): h with its descendants up to the child m, and m's descendants on the side of h;
- *between* (h, s, m): what lies between two children of h in a row, s and m: descendants of s, then those of m.

An open span ends with an arc from h to m. It is made of the open span of the child before, s, and what lies between s
and m, and gets the scores of the arc, of the grandparent g and of the sibling s. Each needs O(n⁴) time if all arcs are
in use; usually bounds have dropped most of them (search.pyx), and dropped arcs have no spans.

Parts that were not scored yet count as much as their bounds (*column generation in the dynamic programme*, Riedel et
al. 2012, §4.5): ``TreeSearch.chart`` scores those of the best tree and fills the chart again, until the best tree has
no part with a mere bound. Then its score is its value, and no tree has a higher one.
"""
from libc.math cimport isnan


cdef double IMPOSSIBLE = -1e30


cdef class SpanChart:
    def __cinit__(self, PartFamily grandparents, PartFamily siblings):
        self.grandparents, self.siblings = grandparents, siblings

    cdef double best(self, int n, const double* scores, const unsigned char* alive, bint single_root,
                     int32_t* heads) except? -1 nogil:
        """Find the best projective tree of the arcs in use; return its value, with bounds for parts not scored yet.

        Where these arcs form no tree, the value is far below any score, and ``heads`` stay as they are.
        """
        cdef int m, root = 0
        cdef int64_t arc
        cdef double value, best = IMPOSSIBLE
        self.n, self.width, self.scores = n, n + 1, scores
        number_arcs(self, alive)
        self.fill()
        if not single_root:
            best = self.closed[self.n_arcs * self.width + n]
            if best > IMPOSSIBLE / 2:
                trace_closed(self, self.n_arcs, n, heads)
            return best
        for m in range(1, self.width):
            arc = self.number[m]
            if arc < 0:
                continue
            value = (scores[m] + self.closed[arc * self.width + 1] + self.closed[arc * self.width + n]
                     + known_or_cap(self, self.siblings, 0, 0, m))
            if value > best:
                best, root = value, m
        if root > 0 and best > IMPOSSIBLE / 2:
            heads[root] = 0
            trace_closed(self, self.number[root], 1, heads)
            trace_closed(self, self.number[root], n, heads)
        return best

    cdef int fill(self) except -1 nogil:
        """Fill the chart, short spans first."""
        cdef int length, side, h, e, s
        cdef int64_t arc
        for length in range(1, self.width):
            for side in range(-1, 2, 2):
                for h in range(self.width):
                    for s in range(1, self.width):
                        e = s + side * length
                        if 1 <= e < self.width and (s - h) * side > 0:
                            fill_between(self, h, s, e)
            for arc in range(self.n_arcs + 1):
                h = self.to[arc]
                for side in range(-1, 2, 2):
                    e = h + side * length
                    # The head's own head is outside of the span.
                    if 1 <= e < self.width and (arc == self.n_arcs or (self.from_[arc] - h) * side < 0
                                                or (self.from_[arc] - e) * side > 0):
                        fill_open(self, arc, e)
                        fill_closed(self, arc, e)
        return 0


cdef int number_arcs(SpanChart self, const unsigned char* alive) except -1 nogil:
    """Number the arcs in use, and make room for their spans."""
    cdef int64_t arc, size = self.width * self.width, count = 0
    if size > self.capacity:
        self.number = <int32_t*>self.resized(self.number, size, sizeof(int32_t))
        self.from_ = <int32_t*>self.resized(self.from_, 2 * (size + 1), sizeof(int32_t))
        self.to = self.from_ + size + 1
        self.capacity = size
    for arc in range(size):
        self.number[arc] = -1
        if alive[arc]:
            self.number[arc] = <int32_t>count
            self.from_[count], self.to[count] = <int32_t>(arc // self.width), <int32_t>(arc % self.width)
            count += 1
    self.from_[count], self.to[count] = -1, 0
    self.n_arcs = count
    size = (count + 1) * self.width
    if size > self.arc_capacity:
        self.closed = <double*>self.resized(self.closed, 3 * size, sizeof(double))
        self.open_, self.between = self.closed + size, self.closed + 2 * size
        self.closed_child = <int32_t*>self.resized(self.closed_child, 3 * size, sizeof(int32_t))
        self.open_sibling, self.between_split = self.closed_child + size, self.closed_child + 2 * size
        self.arc_capacity = size
    for arc in range(size):
        self.closed[arc] = self.open_[arc] = self.between[arc] = IMPOSSIBLE
    for arc in range(count + 1):
        self.closed[arc * self.width + self.to[arc]] = 0
    return 0


cdef double known_or_cap(SpanChart self, PartFamily family, int third, int h, int c) except? -1 nogil:
    """The score of a part, or the bound on it if it was not scored yet; 0 if there are no such parts."""
    cdef int64_t at
    if not family.has_parts(h):
        return 0
    at = family.parts_of(h * self.width + c) + third
    return family.caps[at] if isnan(family.pool[at]) else family.pool[at]


cdef void fill_between(SpanChart self, int h, int s, int m) noexcept nogil:
    """What lies between two children of h on the same side, s before m."""
    cdef int64_t before = self.number[h * self.width + s], after = self.number[h * self.width + m]
    cdef int r, side = 1 if s < m else -1
    cdef double value
    cdef double* place
    if before < 0 or after < 0:
        return
    place = &self.between[before * self.width + m]
    r = s
    while r != m:
        value = self.closed[before * self.width + r] + self.closed[after * self.width + r + side]
        if value > place[0]:
            place[0] = value
            self.between_split[before * self.width + m] = r
        r += side


cdef double first_child(SpanChart self, int64_t arc, int m) except? -1 nogil:
    """The value of a span with m as the first child on its side, without the arc to it."""
    cdef int h = self.to[arc], side = 1 if h < m else -1
    cdef double value = self.closed[self.number[h * self.width + m] * self.width + h + side]
    return value + known_or_cap(self, self.siblings, h, h, m)


cdef int fill_open(SpanChart self, int64_t arc, int m) except -1 nogil:
    """Spans up to a child m: it is the first, or there is one before it."""
    cdef int h = self.to[arc], side = 1 if h < m else -1, s = h + side, chosen = h
    cdef int64_t child = self.number[h * self.width + m], before
    cdef double value, best
    if child < 0 or self.from_[arc] == m:
        return 0
    best = first_child(self, arc, m)
    while s != m:
        before = self.number[h * self.width + s]
        if before >= 0 and self.open_[arc * self.width + s] > IMPOSSIBLE / 2:
            value = self.open_[arc * self.width + s] + self.between[before * self.width + m]
            value += known_or_cap(self, self.siblings, s, h, m)
            if value > best:
                best, chosen = value, s
        s += side
    if best > IMPOSSIBLE / 2:
        best += self.scores[h * self.width + m]
        best += known_or_cap(self, self.grandparents, self.from_[arc], h, m)
        self.open_[arc * self.width + m] = best
        self.open_sibling[arc * self.width + m] = chosen
    return 0


cdef void fill_closed(SpanChart self, int64_t arc, int e) noexcept nogil:
    """Spans up to a word e, which a last child m of h governs."""
    cdef int h = self.to[arc], side = 1 if h < e else -1, m = h + side
    cdef int64_t child
    cdef double value
    cdef double* place = &self.closed[arc * self.width + e]
    while True:
        child = self.number[h * self.width + m]
        if child >= 0:
            value = self.open_[arc * self.width + m] + self.closed[child * self.width + e]
            if value > place[0]:
                place[0] = value
                self.closed_child[arc * self.width + e] = m
        if m == e:
            return
        m += side


cdef void trace_closed(SpanChart self, int64_t arc, int e, int32_t* heads) noexcept nogil:
    """Write the heads of a closed span."""
    cdef int h = self.to[arc], m
    if e == h:
        return
    m = self.closed_child[arc * self.width + e]
    trace_open(self, arc, m, heads)
    trace_closed(self, self.number[h * self.width + m], e, heads)


cdef void trace_open(SpanChart self, int64_t arc, int m, int32_t* heads) noexcept nogil:
    """Write the heads of an open span, from its last child to its first."""
    cdef int h = self.to[arc], side = 1 if h < m else -1, s, r
    while True:
        heads[m] = h
        s = self.open_sibling[arc * self.width + m]
        if s == h:
            trace_closed(self, self.number[h * self.width + m], h + side, heads)
            return
        r = self.between_split[self.number[h * self.width + s] * self.width + m]
        trace_closed(self, self.number[h * self.width + s], r, heads)
        trace_closed(self, self.number[h * self.width + m], r + side, heads)
        m = s
