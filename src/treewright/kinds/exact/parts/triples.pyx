"""The features of grandparent and sibling parts as 64-bit keys, and the keys of bounds on them.

A part belongs to an arc from a head to a child and has a third word: the head's own head, or the sibling before the
child, on the same side and nearer to the head. The first child on a side has no sibling: then the head itself stands in
the sibling's place, and all its attributes are those of a missing word. Bounds leave the third word or the child open.
"""

from treewright.kinds.exact.parts.part_templates cimport CHILD, HASHES, HEAD, THIRD, Shape, bucket, mixed, thinned, turn


cdef class TripleKeys:
    def __cinit__(self, Templates templates, bint siblings):
        self.templates, self.siblings = templates, siblings

    cdef int load(self, const uint64_t* values, int n_attributes, int n) except -1 nogil:
        """Prepare a sentence: the share of every word in every template's key."""
        cdef int role
        cdef int64_t rows = n + 2, count = self.templates.count
        self.n = n
        if rows > self.capacity:
            for role in range(3):
                self.shares[role] = <uint64_t*>self.resized(self.shares[role], rows * (count + 1), sizeof(uint64_t))
            self.capacity = rows
        if count:
            for role in range(3):
                self.templates.spread(role, values, n_attributes, n, self.shares[role])
            self.templates.spread_word(THIRD, values, n_attributes, n, -1, self.shares[THIRD] + (n + 1) * count)
        return 0

    cdef int keys(self, int third, int head, int child, uint64_t* out) noexcept nogil:
        """Write the keys of a part; return how many: one per template."""
        cdef int t
        cdef int64_t count = self.templates.count
        cdef uint64_t near[3]
        cdef uint64_t far[3]
        cdef uint64_t* g = shares_of_third(self, third, head)
        cdef uint64_t* h = self.shares[HEAD] + head * count
        cdef uint64_t* c = self.shares[CHILD] + child * count
        cdef uint64_t order = turn(HASHES.order[order_of(third, head, child)], 4)
        cdef Shape* shape
        near[0] = 0
        near[1] = HASHES.direction[head < child]
        near[2] = HASHES.distance[bucket(child - head)]
        far_measures(self, third, head, far)
        far[1], far[2] = turn(far[1], 5), turn(far[2], 5)
        for t in range(<int>count):
            shape = &self.templates.shapes[t]
            out[t] = mixed(g[t] + h[t] + c[t] + near[shape.near] + far[shape.far] + (order if shape.order else 0))
        return thinned(out, <int>count, self.noise, self.dropped) if self.dropped else <int>count

    cdef int above_keys(self, int head, int child, uint64_t* out) noexcept nogil:
        """Write the keys of the bounds on what any third word may add to an arc: one per template."""
        cdef int64_t count = self.templates.count
        cdef uint64_t measures[3]
        measures[0] = 0
        measures[1] = HASHES.direction[head < child]
        measures[2] = HASHES.distance[bucket(child - head)]
        bound_keys(self, self.shares[HEAD] + head * count, self.shares[CHILD] + child * count, 0x243F6A8885A308D3ULL,
                   measures, False, out)
        return <int>count

    cdef int below_keys(self, int third, int head, uint64_t* out) noexcept nogil:
        """Write the keys of the bounds on what a third word of a head may add to any child: one per template."""
        cdef uint64_t measures[3]
        far_measures(self, third, head, measures)
        bound_keys(self, shares_of_third(self, third, head), self.shares[HEAD] + <int64_t>head * self.templates.count,
                   0x13198A2E03707344ULL, measures, True, out)
        return self.templates.count


cdef uint64_t* shares_of_third(TripleKeys self, int word, int head) noexcept nogil:
    """The shares of the third word."""
    return self.shares[THIRD] + <int64_t>(self.n + 1 if word == head else word) * self.templates.count


cdef void far_measures(TripleKeys self, int word, int head, uint64_t* out) noexcept nogil:
    """Direction and distance between head and third word, in the direction of the arc between them."""
    cdef int first = head if self.siblings else word, second = word if self.siblings else head
    out[0] = 0
    out[1] = HASHES.nothing if word == head else HASHES.direction[first < second]
    out[2] = HASHES.nothing if word == head else HASHES.distance[bucket(second - first)]


cdef void bound_keys(TripleKeys self, uint64_t* one, uint64_t* other, uint64_t seed, uint64_t* measures, bint far,
                     uint64_t* out) noexcept nogil:
    """Write a key per template for two words of a part, with the third left open; order implies direction."""
    cdef int t, measure
    cdef Shape* shape
    for t in range(self.templates.count):
        shape = &self.templates.shapes[t]
        measure = shape.far if far else shape.near
        out[t] = mixed(one[t] + other[t] + seed + measures[measure if measure or not shape.order else 1])


cdef inline int order_of(int g, int h, int c) noexcept nogil:
    """The order of three words in the sentence, from 0 to 5."""
    return (g < h) + 2 * (h < c) if (g < h) == (h < c) else 4 + (c < g) if g < h else 1 + (c < g)
