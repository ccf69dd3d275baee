"""The features of arcs and grandparent parts as 64-bit keys, with nothing computed twice.

The key of a template is a sum: a seed, and the hash of every value, rotated by its place. So each word's share in each
template's key is computed once per sentence. The key of an arc is the sum of two shares and a measure, mixed.
"""
from libc.stdlib cimport free

from treewright.errors import FeatureModelError
from treewright.exact.templates import OLD_NAMES, Measure, Value
from treewright.treebank.memory cimport allocate, allocate_zeroed, resize

cdef extern from "text_hash.h" nogil:
    uint64_t tw_hash(const char* text, int n, uint64_t seed)
    uint64_t tw_mix(uint64_t a, uint64_t b)

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

ROLES = {"grandparent": GRANDPARENT, "head": HEAD, "child": CHILD}
NEARNESS = {"direction": 1, "distance": 2}

cdef uint64_t DIRECTION[2]
cdef uint64_t DISTANCE[N_DISTANCES]
cdef uint64_t ORDER[6]
cdef uint64_t OF_ADVISER[5]


cdef uint64_t measure_hash(str text):
    cdef bytes name = text.encode()
    return tw_hash(name, len(name), 7)


for _i in range(2):
    DIRECTION[_i] = measure_hash(f"direction {_i}")
for _i in range(N_DISTANCES):
    DISTANCE[_i] = measure_hash(f"distance {_i}")
for _i in range(6):
    ORDER[_i] = measure_hash(f"order {_i}")
for _i in range(5):
    OF_ADVISER[_i] = measure_hash(f"guided {_i}")  # its name when the first models were trained


cdef inline uint64_t turn(uint64_t x, int place) noexcept nogil:
    cdef int by = 11 * place + 5
    return x << by | x >> (64 - by)


cdef inline uint64_t mixed(uint64_t key) noexcept nogil:
    return tw_mix(key ^ 0x9E3779B97F4A7C15ULL, 0xD6E8FEB86659FD93ULL)


cdef inline int bucket(int distance) noexcept nogil:
    """The class of a signed distance: 1 to 5 have a class each, then classes get wider."""
    cdef int far = distance if distance > 0 else -distance
    cdef int at = far if far <= 5 else 6 if far <= 7 else 7 if far <= 10 else 8 if far <= 15 else 9 if far <= 25 else 10
    return at if distance > 0 else at + 16


cdef class Templates:
    def __cinit__(self, templates, attributes):
        cdef int at, i, n = len(templates)
        cdef Shape* shape
        if n > MAX_TEMPLATES:
            raise FeatureModelError(f"more than {MAX_TEMPLATES} templates for one kind of part")
        self.count = n
        self.shapes = <Shape*>allocate_zeroed(n + 1, sizeof(Shape))
        self.entries = <Entry*>allocate_zeroed(n * 6 + 1, sizeof(Entry))
        self.simple = 0
        for template in sorted(templates, key=has_lists):
            at = self.simple
            self.simple += 1
            shape = &self.shapes[at]
            text = keyed_text(template).encode()
            shape.seed = tw_hash(text, len(text), 6)
            shape.between = -1
            for i, function in enumerate(template.functions):
                if isinstance(function, Measure):
                    self._measure(at, function)
                elif function.many:
                    shape.each_head |= function.word == "head"
                    shape.each_child |= function.word == "child"
                else:
                    self.entries[self.n_entries].template = at
                    self.entries[self.n_entries].role = ROLES[function.word]
                    self.entries[self.n_entries].offset = function.offset
                    self.entries[self.n_entries].attribute = attributes[function.encoded]
                    self.entries[self.n_entries].place = i
                    self.n_entries += 1
        self.simple = sum(not has_lists(template) for template in templates)

    def _measure(self, int at, function):
        cdef Shape* shape = &self.shapes[at]
        if function.name == "order":
            shape.order = True
        elif function.name == "between":
            shape.between = 0 if function.attribute.name == "p" else 1
        elif function.name == "advised":
            shape.near = shape.near % ADVISED + ADVISED
        elif function.words[0] == "grandparent":
            shape.far = max(shape.far, NEARNESS[function.name])
        else:
            shape.near = shape.near // ADVISED * ADVISED + max(shape.near % ADVISED, NEARNESS[function.name])

    def __dealloc__(self):
        free(self.shapes)
        free(self.entries)


def keyed_text(template):
    """Return the text that a template's keys are made from, with the function names of the first models."""
    text = f"{template.part}: {template}"
    for old, name in OLD_NAMES.items():
        text = text.replace(f"{name}(", f"{old}(")
    return text


def has_lists(template):
    """Return whether a template can yield any number of features."""
    return any(f.many if isinstance(f, Value) else f.name == "between" for f in template.functions)


cdef class PartProgram:
    """A model's templates, ready to run. Read-only: any number of threads may share one."""

    def __init__(self, model, leaf_tags=()):
        self.model = model
        attributes = {}
        for value in model.values:
            if not value.many:
                attributes.setdefault(value.encoded, len(attributes))
        self.between_attribute[0] = self.between_attribute[1] = -1
        for template in model.templates:
            for function in template.functions:
                if isinstance(function, Measure) and function.attribute is not None:
                    which = 0 if function.attribute.name == "p" else 1
                    self.between_attribute[which] = attributes[function.attribute.encoded]
        self.encoder = Encoder(list(attributes), any(value.many for value in model.values), leaf_tags)
        self.arcs = Templates(model.of("arc"), attributes)
        self.relations = Templates(model.of("relation"), attributes)
        self.grandparents = Templates(model.of("grandparent"), attributes)
        self.has_grandparents = self.grandparents.count > 0
        self.advised = model.advised


cdef class PartScratch:
    def __cinit__(self, PartProgram program, bint single_root=True):
        self.program, self.single_root = program, single_root
        self.keys = <uint64_t*>allocate(MAX_KEYS, sizeof(uint64_t))
        self.reserve(64)

    def __dealloc__(self):
        cdef int i
        free(self.keys)
        for i in range(7):
            free(self.shares[i])
        for i in range(2):
            free(self.between[i])

    cdef int reserve(self, int n) except -1 nogil:
        cdef int i
        cdef int64_t width = n + 2
        cdef int64_t counts[7]
        if width <= self.capacity:
            return 0
        counts[0] = counts[1] = self.program.arcs.count
        counts[2] = counts[3] = self.program.relations.count
        counts[4] = counts[5] = counts[6] = self.program.grandparents.count
        for i in range(7):
            self.shares[i] = <uint64_t*>resize(self.shares[i], width * (counts[i] + 1), sizeof(uint64_t))
        for i in range(2):
            if self.program.between_attribute[i] >= 0:
                self.between[i] = <uint64_t*>resize(self.between[i], width * width, sizeof(uint64_t))
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
        self.spread(self.program.arcs, HEAD, self.shares[0])
        self.spread(self.program.arcs, CHILD, self.shares[1])
        self.spread(self.program.relations, HEAD, self.shares[2])
        self.spread(self.program.relations, CHILD, self.shares[3])
        if self.program.has_grandparents:
            self.spread(self.program.grandparents, GRANDPARENT, self.shares[4])
            self.spread(self.program.grandparents, HEAD, self.shares[5])
            self.spread(self.program.grandparents, CHILD, self.shares[6])
        self.find_between(0)
        self.find_between(1)
        return 0

    cdef bint barred(self, int head, int child) noexcept nogil:
        """Would an arc come from a leaf (systems/leaf_tags.pyx), or from the root to a leaf as the only root?"""
        if self.leaf == NULL:
            return False
        return self.leaf[head] == 1 or (head == 0 and self.single_root and self.leaf[child] == 1)

    cdef void spread(self, Templates templates, int role, uint64_t* out) noexcept nogil:
        """Sum up each word's values in each template. The shares of heads include the seed."""
        cdef int t, i
        cdef int64_t node, at, count = templates.count
        cdef Entry* entry
        cdef const uint64_t* values = self.values
        for node in range(self.n + 1):
            for t in range(count):
                out[node * count + t] = templates.shapes[t].seed if role == HEAD else 0
            for i in range(templates.n_entries):
                entry = &templates.entries[i]
                if entry.role != role:
                    continue
                at = node + entry.offset
                if entry.offset != 0 and (at < 1 or at > self.n):
                    at = -1
                out[node * count + entry.template] += turn(
                    values[at * self.n_attributes + entry.attribute], entry.place)

    cdef void find_between(self, int which) noexcept nogil:
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

    cdef int pair_keys(self, Templates templates, uint64_t* heads, uint64_t* children, int head,
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
        measure[1] = DIRECTION[head < child]
        measure[2] = DISTANCE[bucket(child - head)]
        for t in range(ADVISED):
            measure[ADVISED + t] = measure[t] + OF_ADVISER[self.advised(head, child)]
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
        return self.thin(keys, out) if self.dropped else out

    cdef int advised(self, int head, int child) noexcept nogil:
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

    cdef int thin(self, uint64_t* keys, int n) noexcept nogil:
        """Drop a random share of the keys, the same ones for the same noise; return how many remain."""
        cdef int i, out = 0
        for i in range(n):
            keys[out] = keys[i]
            out += ((keys[i] ^ self.noise) * 0x9E3779B97F4A7C15ULL) >> 32 >= self.dropped
        return out

    cdef int arc_keys(self, int head, int child) noexcept nogil:
        return self.pair_keys(self.program.arcs, self.shares[0], self.shares[1], head, child)

    cdef int relation_keys(self, int head, int child) noexcept nogil:
        return self.pair_keys(self.program.relations, self.shares[2], self.shares[3], head, child)

    cdef int grandparent_keys(self, int grandparent, int head, int child, uint64_t* out) noexcept nogil:
        """Write the keys of a grandparent part; return how many: one per template."""
        cdef int t
        cdef int64_t count = self.program.grandparents.count
        cdef uint64_t near[3]
        cdef uint64_t far[3]
        cdef uint64_t* g = self.shares[4] + grandparent * count
        cdef uint64_t* h = self.shares[5] + head * count
        cdef uint64_t* c = self.shares[6] + child * count
        cdef uint64_t order = turn(ORDER[order_of(grandparent, head, child)], 4)
        cdef Shape* shape
        near[0] = far[0] = 0
        near[1] = DIRECTION[head < child]
        near[2] = DISTANCE[bucket(child - head)]
        far[1] = turn(DIRECTION[grandparent < head], 5)
        far[2] = turn(DISTANCE[bucket(head - grandparent)], 5)
        for t in range(<int>count):
            shape = &self.program.grandparents.shapes[t]
            out[t] = mixed(g[t] + h[t] + c[t] + near[shape.near] + far[shape.far] + (order if shape.order else 0))
        return self.thin(out, <int>count) if self.dropped else <int>count

    cdef int bound_keys(self, uint64_t* upper, uint64_t* lower, uint64_t seed, int first, int second, bint far,
                        uint64_t* out) noexcept nogil:
        """Write a key per grandparent template for two adjacent words of a part, with the third word left open."""
        cdef int t, measure, count = self.program.grandparents.count
        cdef uint64_t measures[3]
        cdef Shape* shape
        measures[0] = seed
        measures[1] = seed + DIRECTION[first < second]
        measures[2] = seed + DISTANCE[bucket(second - first)]
        for t in range(count):
            shape = &self.program.grandparents.shapes[t]
            measure = shape.far if far else shape.near
            out[t] = mixed(upper[t] + lower[t] + measures[measure if measure or not shape.order else 1])
        return count

    cdef int above_keys(self, int head, int child, uint64_t* out) noexcept nogil:
        """Write the keys of the bounds on what any grandparent may add to an arc: one per template."""
        cdef int64_t count = self.program.grandparents.count
        return self.bound_keys(self.shares[5] + head * count, self.shares[6] + child * count, 0x243F6A8885A308D3ULL,
                               head, child, False, out)

    cdef int below_keys(self, int grandparent, int head, uint64_t* out) noexcept nogil:
        """Write the keys of the bounds on what an arc into the head may add for any child: one per template."""
        cdef int64_t count = self.program.grandparents.count
        return self.bound_keys(self.shares[4] + grandparent * count, self.shares[5] + head * count,
                               0x13198A2E03707344ULL, grandparent, head, True, out)


cdef inline int order_of(int g, int h, int c) noexcept nogil:
    """The order of three words in the sentence, from 0 to 5."""
    return (g < h) + 2 * (h < c) if (g < h) == (h < c) else 4 + (c < g) if g < h else 1 + (c < g)
