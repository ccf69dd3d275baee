"""Scores of arcs and of parts of three words: sums of template scores, and bounds on them.

The score of an arc is its own plus that of its best relation. So relations are chosen with the tree, and the best tree
of these scores is the best labelled tree. A bound on a part is a sum of bounds on its templates, over all
values that the third word may have (Riedel et al. 2012, §4.3.2); a feature without a weight counts 0.
"""
from libc.math cimport expf, logf

from treewright.kinds.exact.parts.part_templates cimport MAX_TEMPLATES
from treewright.kinds.exact.search.spanning cimport NEVER


cdef class TripleWeights:
    def __init__(self, WeightTable weights, WeightTable above, WeightTable below):
        self.weights, self.above, self.below = weights, above, below

    cdef double score(self, TripleKeys parts, int third, int head, int child) noexcept nogil:
        cdef uint64_t keys[MAX_TEMPLATES]
        return self.weights.sum_of(keys, parts.keys(third, head, child, keys))

    cdef double bound_above(self, TripleKeys parts, int head, int child) noexcept nogil:
        """A bound on what any third word adds to an arc."""
        cdef uint64_t keys[MAX_TEMPLATES]
        return self.above.sum_of(keys, parts.above_keys(head, child, keys))

    cdef double bound_below(self, TripleKeys parts, int third, int head) noexcept nogil:
        """A bound on what a third word of a head adds to any one child."""
        cdef uint64_t keys[MAX_TEMPLATES]
        return self.below.sum_of(keys, parts.below_keys(third, head, keys))

    cdef void bounds_above(self, TripleKeys parts, int head, int child, float* out) noexcept nogil:
        """The same, template by template."""
        cdef uint64_t keys[MAX_TEMPLATES]
        self.above.each(keys, parts.above_keys(head, child, keys), out)

    cdef void bounds_below(self, TripleKeys parts, int third, int head, float* out) noexcept nogil:
        cdef uint64_t keys[MAX_TEMPLATES]
        self.below.each(keys, parts.below_keys(third, head, keys), out)


cdef class PartScorer:
    """A program and its weights. Read-only while it parses."""

    def __init__(self, PartProgram program, WeightTable arcs, RowTable relations, TripleWeights grandparents,
                 TripleWeights siblings, int n_labels, root_labels, word_labels):
        cdef int i
        self.program, self.arcs, self.relations = program, arcs, relations
        self.grandparents, self.siblings = grandparents, siblings
        self.n_labels = n_labels
        if not 0 < n_labels <= relations.width:
            raise ValueError("there must be a weight per relation")
        for i in range(2):
            allowed = set(root_labels if i == 0 else word_labels)
            if not allowed or not all(0 <= label < n_labels for label in allowed):
                raise ValueError("relations out of range")
            self.masks[i] = <float*>self.new_block(relations.width, sizeof(float))
            for j in range(relations.width):
                self.masks[i][j] = 0 if j in allowed else -1e6

    cdef double relation_scores(self, PartScratch parts, int head, int child, float* out, int32_t* best) noexcept nogil:
        """Write the score of every relation of an arc; return that of the best."""
        cdef int i, n = parts.relation_keys(head, child)
        cdef float* mask = self.masks[head > 0]
        for i in range(self.relations.width):
            out[i] = mask[i]
        self.relations.add_rows(parts.keys, n, out)
        best[0] = 0
        for i in range(1, self.n_labels):
            if out[i] > out[best[0]]:
                best[0] = i
        return out[best[0]]

    cdef void score_arcs(self, PartScratch parts, bint summed, const unsigned char* wanted, double* scores,
                         int32_t* labels, float* row) noexcept nogil:
        """Score every arc of a sentence, with its best relation or (``summed``) with all of them.

        ``wanted``: which arcs to score, head by child; NULL for all.
        """
        cdef int head, child
        cdef int64_t at, width = parts.n + 1
        cdef double score
        for head in range(width):
            for child in range(1, width):
                at = head * width + child
                if head == child or (wanted != NULL and not wanted[at]) or parts.barred(head, child):
                    scores[at] = NEVER
                    labels[at] = 0
                    continue
                score = self.relation_scores(parts, head, child, row, &labels[at])
                if summed:
                    score = log_sum(row, self.n_labels)
                scores[at] = score + self.arcs.sum_of(parts.keys, parts.arc_keys(head, child))


cdef double log_sum(const float* values, int n) noexcept nogil:
    """The logarithm of the sum of exponentials."""
    cdef int i
    cdef float largest = values[0], total = 0
    for i in range(1, n):
        if values[i] > largest:
            largest = values[i]
    for i in range(n):
        if values[i] > largest - 20:
            total += expf(values[i] - largest)
    return largest + logf(total)
