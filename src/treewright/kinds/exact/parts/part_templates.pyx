"""The templates of one kind of part, compiled: which value of which word is where in which template.

The key of a template is a sum: a seed, and the hash of every value, rotated by its place. So each word's share in each
template's key is computed once per sentence (``spread``).
"""

from treewright.errors import FeatureModelError
from treewright.kinds.exact.parts.templates import MOST_FUNCTIONS, TRIPLES, key_text
from treewright.features.templates import Measure

cdef extern from "text_hash.h" nogil:
    uint64_t tw_hash(const char* text, int n, uint64_t seed)

ROLES = {"grandparent": THIRD, "sibling": THIRD, "head": HEAD, "child": CHILD}
NEARNESS = {"direction": 1, "distance": 2}


cdef uint64_t measure_hash(str text):
    cdef bytes name = text.encode()
    return tw_hash(name, len(name), 7)


for _i in range(2):
    HASHES.direction[_i] = measure_hash(f"direction {_i}")
for _i in range(N_DISTANCES):
    HASHES.distance[_i] = measure_hash(f"distance {_i}")
for _i in range(6):
    HASHES.order[_i] = measure_hash(f"order {_i}")
for _i in range(5):
    HASHES.of_adviser[_i] = measure_hash(f"guided {_i}")
HASHES.nothing = measure_hash("nothing")


cdef class Templates:
    def __cinit__(self, templates, attributes):
        cdef int at, i, n = len(templates)
        cdef Shape* shape
        if n > MAX_TEMPLATES:
            raise FeatureModelError(f"more than {MAX_TEMPLATES} templates for one kind of part")
        self.count = n
        self.shapes = <Shape*>self.new_block(n + 1, sizeof(Shape))
        self.entries = <Entry*>self.new_block(n * MOST_FUNCTIONS + 1, sizeof(Entry))
        self.simple = 0
        for template in sorted(templates, key=has_lists):
            at = self.simple
            self.simple += 1
            shape = &self.shapes[at]
            text = key_text(template).encode()
            shape.seed = tw_hash(text, len(text), 6)
            shape.between = -1
            for i, function in enumerate(template.functions):
                if isinstance(function, Measure):
                    self._measure(at, function)
                elif function.many:
                    shape.each_head |= function.address.base == "head"
                    shape.each_child |= function.address.base == "child"
                else:
                    self.entries[self.n_entries].template = at
                    self.entries[self.n_entries].role = ROLES[function.address.base]
                    self.entries[self.n_entries].offset = sum(function.address.steps)
                    self.entries[self.n_entries].attribute = attributes[function.encoded]
                    self.entries[self.n_entries].place = i
                    self.n_entries += 1
        self.simple = sum(not has_lists(template) for template in templates)

    def _measure(self, int at, function):
        cdef Shape* shape = &self.shapes[at]
        if function.name == "order":
            shape.order = True
        elif function.name == "between":
            shape.between = 0 if function.argument == "p" else 1
        elif function.name == "advised":
            shape.near = shape.near % ADVISED + ADVISED
        elif any(address.base in TRIPLES for address in function.addresses):
            shape.far = max(shape.far, NEARNESS[function.name])
        else:
            shape.near = shape.near // ADVISED * ADVISED + max(shape.near % ADVISED, NEARNESS[function.name])

    cdef void spread(self, int role, const uint64_t* values, int n_attributes, int n, uint64_t* out) noexcept nogil:
        """Sum up each word's values in each template, the root's first. The shares of heads include the seed."""
        cdef int64_t node
        for node in range(n + 1):
            self.spread_word(role, values, n_attributes, n, node, out + node * self.count)

    cdef void spread_word(self, int role, const uint64_t* values, int n_attributes, int n, int64_t node,
                          uint64_t* out) noexcept nogil:
        """The same for one word; node -1 stands for a word that is missing."""
        cdef int t, i
        cdef int64_t at
        cdef Entry* entry
        for t in range(self.count):
            out[t] = self.shapes[t].seed if role == HEAD else 0
        for i in range(self.n_entries):
            entry = &self.entries[i]
            if entry.role != role:
                continue
            at = node + entry.offset
            if node < 0 or (entry.offset != 0 and (at < 1 or at > n)):
                at = -1
            out[entry.template] += turn(values[at * n_attributes + entry.attribute], entry.place)


def has_lists(template):
    """Return whether a template can yield any number of features."""
    return any(f.many or f.name == "between" for f in template.functions)
