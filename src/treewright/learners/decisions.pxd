from libc.stdint cimport int32_t, uint64_t

from treewright.learners.feature_index cimport FeatureIndex
from treewright.learners.learner cimport Scorer
from treewright.systems.system cimport MAX_KINDS


cdef class DecisionScorer(Scorer):
    cdef readonly int n_decisions
    cdef readonly FeatureIndex index
    cdef int n_plain                     # kinds of move without a relation; they are the first decisions
    cdef int plain[MAX_KINDS]
    cdef void decide(self, const int32_t* numbers, int n, float* scores) noexcept nogil


cdef class ForeignScorer(DecisionScorer):
    cdef readonly object model
    cdef void ask(self, const int32_t* numbers, int n, float* scores) noexcept
