from treewright.kinds.exact.parts.parts cimport PartScratch
from treewright.kinds.exact.parts.scorer cimport PartScorer, TripleWeights
from treewright.kinds.exact.parts.triples cimport TripleKeys


cdef class PartScores:
    cdef readonly bint siblings
    cdef int length(self) noexcept nogil
    cdef double score(self, int third, int h, int c) noexcept nogil
    cdef double above(self, int h, int c) noexcept nogil
    cdef double below(self, int third, int h) noexcept nogil
    cdef int n_templates(self) noexcept nogil
    cdef void each_above(self, int h, int c, float* out) noexcept nogil
    cdef void each_below(self, int third, int h, float* out) noexcept nogil


cdef class ModelParts(PartScores):
    cdef TripleWeights weights
    cdef TripleKeys keys
    cdef bint bounded


cdef class GivenParts(PartScores):
    cdef const double[:, :, ::1] scores
