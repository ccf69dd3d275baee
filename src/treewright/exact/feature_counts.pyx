"""Which features gold trees have, and how often: only those that are frequent enough get a weight."""
from libc.stdint cimport int64_t, uint64_t

from treewright.exact.part_bounds cimport sibling_before
from treewright.exact.part_templates cimport MAX_TEMPLATES


cdef class TripleCounts:
    """Features of one kind of part of three words, and the bounds that they contribute to."""

    def __init__(self, TripleKeys parts):
        self.parts, self.keys, self.bounded = parts, KeySet(), {}

    cdef int add(self, int third, int head, int child) except -1:
        """Count the features of a part."""
        cdef uint64_t keys[MAX_TEMPLATES]
        cdef uint64_t above[MAX_TEMPLATES]
        cdef uint64_t below[MAX_TEMPLATES]
        cdef int i, count = self.parts.keys(third, head, child, keys)
        self.parts.above_keys(head, child, above)
        self.parts.below_keys(third, head, below)
        for i in range(count):
            self.keys.add(keys[i])
            self.bounded[keys[i]] = (above[i], below[i])
        return 0

    def found(self, int cutoff):
        """Return the keys that are frequent enough, and by key the keys of the bounds it contributes to."""
        return self.keys.most_common(cutoff), self.bounded


cdef class FeatureCounts:
    """The features of all kinds of parts. Its scratch space goes from sentence to sentence."""

    def __init__(self, PartScratch parts):
        self.parts, self.arcs, self.relations = parts, KeySet(), KeySet()
        self.grandparents, self.siblings = TripleCounts(parts.grandparents), TripleCounts(parts.siblings)

    cdef int add_arc(self, int head, int child) except -1 nogil:
        cdef int i, count = self.parts.arc_keys(head, child)
        for i in range(count):
            self.arcs.add(self.parts.keys[i])
        return 0

    cdef int add_tree(self, const int32_t* heads, const unsigned char* likely) except -1:
        """Count the features of a tree; ``likely``: by arc, 2 for other arcs to count, NULL for none."""
        cdef int head, word, i, count, n = self.parts.n
        with nogil:
            for head in range(n + 1 if likely != NULL else 0):
                for word in range(1, n + 1):
                    if likely[<int64_t>head * (n + 1) + word] > 1 and head != heads[word]:
                        self.add_arc(head, word)
            for word in range(1, n + 1):
                self.add_arc(heads[word], word)
                count = self.parts.relation_keys(heads[word], word)
                for i in range(count):
                    self.relations.add(self.parts.keys[i])
        for word in range(1, n + 1):
            if heads[word] > 0:
                self.grandparents.add(heads[heads[word]], heads[word], word)
            self.siblings.add(sibling_before(heads, word), heads[word], word)
        return 0

    def found(self, int cutoff):
        """Return the frequent features of arcs, of relations, of grandparents and of siblings."""
        return (self.arcs.most_common(cutoff), self.relations.most_common(cutoff), self.grandparents.found(cutoff),
                self.siblings.found(cutoff))
