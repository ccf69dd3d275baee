from libc.stdint cimport int32_t, uint64_t

from treewright.learners.feature_index cimport FeatureIndex
from treewright.learners.learner cimport Scorer


cdef class DecisionScorer(Scorer):
    cdef readonly int n_classes
    cdef readonly int n_decisions
    cdef readonly FeatureIndex index
    cdef int n_plain                     # kinds of move without a relation: the first decisions
    cdef int plain[8]
    cdef void decide(self, const int32_t* numbers, int n, float* scores) noexcept nogil


cdef class ForeignScorer(DecisionScorer):
    cdef readonly object model
    cdef readonly object failure         # the exception of a call that could not raise it
    cdef void ask(self, const int32_t* numbers, int n, float* scores) noexcept
