"""Where the scores of grandparent parts come from. See part_scores.pyx."""
from treewright.exact.parts cimport PartScratch
from treewright.exact.scorer cimport PartScorer


cdef class PartScores:
    cdef readonly int n
    cdef double grandparent(self, int g, int h, int c) noexcept nogil
    cdef double above(self, int h, int c) noexcept nogil
    cdef double below(self, int g, int h) noexcept nogil
    cdef int n_templates(self) noexcept nogil
    cdef void each_above(self, int h, int c, float* out) noexcept nogil
    cdef void each_below(self, int g, int h, float* out) noexcept nogil


cdef class ModelParts(PartScores):
    cdef PartScorer scorer
    cdef PartScratch parts
    cdef bint bounded


cdef class GivenParts(PartScores):
    cdef const double[:, :, ::1] scores
