"""The features of arcs and of the parts of a sentence as 64-bit keys, with nothing computed twice.

Each word's share in each template's key is computed once per sentence (part_templates.pyx). The key of an arc is the
sum of two shares and a measure, mixed.
"""

from treewright.kinds.exact.parts.part_templates cimport (
    ADVISED, CHILD, HASHES, HEAD, Shape, bucket, mixed, thinned, turn,
)
from treewright.kinds.exact.parts.templates import tag_between

cdef extern from *:
    """
    static inline int tw_lowest_bit(uint64_t x) {
    #if defined(__GNUC__)
        return __builtin_ctzll(x);
    #else
        int i = 0;
        while (!(x & 1)) { x >>= 1; i++; }
        return i;
    #endif
    }
    """
    int tw_lowest_bit(uint64_t x) nogil


cdef class PartProgram:
    """A model's templates, ready to run. Read-only: any number of threads may share one."""

    def __init__(self, model, leaf_tags=()):
        self.model = model
        attributes = {}
        for attribute in model.attributes:
            if not attribute.many:
                attributes.setdefault(attribute.encoded, len(attributes))
        self.between_attribute[0] = self.between_attribute[1] = -1
        for template in model.templates:
            for function in template.functions:
                if function.name == "between":
                    which = 0 if function.argument == "p" else 1
                    self.between_attribute[which] = attributes[tag_between(function).encoded]
        self.encoder = Encoder(list(attributes), any(attribute.many for attribute in model.attributes), leaf_tags)
        self.arcs = Templates(model.of("arc"), attributes)
        self.relations = Templates(model.of("relation"), attributes)
        self.grandparents = Templates(model.of("grandparent"), attributes)
        self.siblings = Templates(model.of("sibling"), attributes)
        self.second_order = self.grandparents.count + self.siblings.count > 0
        self.advised = model.advised


cdef class PartScratch:
    def __cinit__(self, PartProgram program, bint single_root=True):
        self.program, self.single_root = program, single_root
        self.grandparents = TripleKeys(program.grandparents, False)
        self.siblings = TripleKeys(program.siblings, True)
        self.keys = <uint64_t*>self.new_block(MAX_KEYS, sizeof(uint64_t))
        self.reserve(64)

    cdef int reserve(self, int n) except -1 nogil:
        cdef int i
        cdef int64_t width = n + 2
        cdef int64_t counts[4]
        if width <= self.capacity:
            return 0
        counts[0] = counts[1] = self.program.arcs.count
        counts[2] = counts[3] = self.program.relations.count
        for i in range(4):
            self.shares[i] = <uint64_t*>self.resized(self.shares[i], width * (counts[i] + 1), sizeof(uint64_t))
        for i in range(2):
            if self.program.between_attribute[i] >= 0:
                self.between[i] = <uint64_t*>self.resized(self.between[i], width * width, sizeof(uint64_t))
        self.capacity = width
        return 0

    cdef int load(self, Encoded encoded, int64_t row, int n, const int32_t* adviser) except -1 nogil:
        """Prepare a sentence that begins at ``row`` of the encoded sentences.

        ``adviser``: the adviser's heads, from adviser[1] on; NULL without an adviser. The scratch space points to both
        until the next call: they must stay where they are.
        """
        self.reserve(n)
        self.n = n
        self.adviser = adviser
        self.leaf = encoded.leaves_at(row)
        self.n_attributes = encoded.n_attributes
        self.values = encoded.values + (row + 1) * encoded.n_attributes
        self.item_start = encoded.item_start + row + 1
        self.items = encoded.items
        self.program.arcs.spread(HEAD, self.values, self.n_attributes, n, self.shares[0])
        self.program.arcs.spread(CHILD, self.values, self.n_attributes, n, self.shares[1])
        self.program.relations.spread(HEAD, self.values, self.n_attributes, n, self.shares[2])
        self.program.relations.spread(CHILD, self.values, self.n_attributes, n, self.shares[3])
        self.grandparents.load(self.values, self.n_attributes, n)
        self.siblings.load(self.values, self.n_attributes, n)
        find_between(self, 0)
        find_between(self, 1)
        return 0

    cdef bint barred(self, int head, int child) noexcept nogil:
        """Would an arc come from a leaf (systems/leaf_tags.pyx), or from the root to a leaf as the only root?"""
        if self.leaf == NULL:
            return False
        return self.leaf[head] == 1 or (head == 0 and self.single_root and self.leaf[child] == 1)

    cdef void drop(self, uint64_t noise, uint64_t dropped) noexcept nogil:
        """From now on leave out a random share of the features: ``dropped`` of 2**32."""
        self.noise = self.grandparents.noise = self.siblings.noise = noise
        self.dropped = self.grandparents.dropped = self.siblings.dropped = dropped

    cdef int arc_keys(self, int head, int child) noexcept nogil:
        return pair_keys(self, self.program.arcs, self.shares[0], self.shares[1], head, child)

    cdef int relation_keys(self, int head, int child) noexcept nogil:
        return pair_keys(self, self.program.relations, self.shares[2], self.shares[3], head, child)


cdef void find_between(PartScratch self, int which) noexcept nogil:
    """Record which of the sentence's tags occur between each two words, as bits."""
    cdef int attribute = self.program.between_attribute[which]
    cdef int tag, count = 0
    cdef int64_t node, other, width = self.n + 1, k = self.n_attributes
    cdef uint64_t value, bits
    cdef uint64_t* between = self.between[which]
    cdef const uint64_t* values = self.values
    cdef uint64_t* tags = self.tags[which]
    if attribute < 0:
        return
    between[0] = 0
    for node in range(1, width):
        value = values[node * k + attribute]
        tag = 0
        while tag < count and tags[tag] != value:
            tag += 1
        if tag == count:
            if count == 64:
                tag = 63
            else:
                tags[count] = value
                count += 1
        between[node * width + node] = <uint64_t>1 << tag
    for node in range(width):
        bits = 0
        for other in range(node + 1, width):
            between[node * width + other] = bits
            bits |= between[other * width + other]


cdef int pair_keys(PartScratch self, Templates templates, uint64_t* heads, uint64_t* children, int head,
                   int child) noexcept nogil:
    """Write the keys of an arc's features to ``keys``; return how many."""
    cdef int t, out = 0
    cdef int64_t count = templates.count
    cdef int64_t low = head if head < child else child, high = child if head < child else head
    cdef uint64_t measure[6]
    cdef uint64_t base, bits
    cdef uint64_t* keys = self.keys
    cdef Shape* shape
    cdef int64_t i, j
    cdef const int64_t* start = self.item_start
    cdef const uint64_t* items = self.items
    heads += head * count
    children += child * count
    measure[0] = 0
    measure[1] = HASHES.direction[head < child]
    measure[2] = HASHES.distance[bucket(child - head)]
    for t in range(ADVISED):
        measure[ADVISED + t] = measure[t] + HASHES.of_adviser[advised(self, head, child)]
    for t in range(templates.simple):
        keys[t] = mixed(heads[t] + children[t] + measure[templates.shapes[t].near])
    out = templates.simple
    for t in range(templates.simple, count):
        shape = &templates.shapes[t]
        base = heads[t] + children[t] + measure[shape.near]
        if shape.between >= 0:
            bits = self.between[shape.between][low * (self.n + 1) + high]
            while bits and out < MAX_KEYS:
                keys[out] = mixed(base + turn(self.tags[shape.between][tw_lowest_bit(bits)], 5))
                bits &= bits - 1
                out += 1
        elif shape.each_head and shape.each_child:
            for i in range(start[head], start[head + 1]):
                for j in range(start[child], start[child + 1]):
                    if out < MAX_KEYS:
                        keys[out] = mixed(base + turn(items[i], 4) + turn(items[j], 5))
                        out += 1
        else:
            j = (head if shape.each_head else child)
            for i in range(start[j], start[j + 1]):
                if out < MAX_KEYS:
                    keys[out] = mixed(base + turn(items[i], 4))
                    out += 1
    return thinned(keys, out, self.noise, self.dropped) if self.dropped else out


cdef int advised(PartScratch self, int head, int child) noexcept nogil:
    """How the adviser relates two words: 1 by this arc, 2 by its reverse, 3 grandparent, 4 siblings, 0 not."""
    cdef int above
    if self.adviser == NULL:
        return 0
    above = self.adviser[child]
    if above == head:
        return 1
    if head > 0 and self.adviser[head] == child:
        return 2
    if 0 < above <= self.n and self.adviser[above] == head:
        return 3
    return 4 if head > 0 and self.adviser[head] == above else 0
