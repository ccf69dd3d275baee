from libc.stdint cimport int32_t, int64_t, uint64_t

from treewright.kinds.exact.parts.parts cimport PartProgram, PartScratch
from treewright.kinds.exact.parts.triples cimport TripleKeys
from treewright.kinds.exact.parts.weights cimport RowTable, WeightTable
from treewright.treebank.blocks.owned_memory cimport Owner


cdef class TripleWeights:
    """The weights of one kind of part of three words, and bounds on them."""
    cdef WeightTable weights, above, below
    cdef double score(self, TripleKeys parts, int third, int head, int child) noexcept nogil
    cdef double bound_above(self, TripleKeys parts, int head, int child) noexcept nogil
    cdef double bound_below(self, TripleKeys parts, int third, int head) noexcept nogil
    cdef void bounds_above(self, TripleKeys parts, int head, int child, float* out) noexcept nogil
    cdef void bounds_below(self, TripleKeys parts, int third, int head, float* out) noexcept nogil


cdef class PartScorer(Owner):
    cdef readonly PartProgram program
    cdef WeightTable arcs
    cdef TripleWeights grandparents, siblings
    cdef RowTable relations
    cdef readonly int n_labels
    cdef float* masks[2]                 # [width]: 0, or far below it, for arcs from the root and from words
    cdef double relation_scores(self, PartScratch parts, int head, int child, float* out, int32_t* best) noexcept nogil
    cdef void score_arcs(self, PartScratch parts, bint summed, const unsigned char* wanted, double* scores,
                         int32_t* labels, float* row) noexcept nogil


cdef double log_sum(const float* values, int n) noexcept nogil
