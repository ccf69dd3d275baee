from libc.stdint cimport int16_t, int32_t, int64_t, uint64_t

from treewright.features.encoder cimport Encoded
from treewright.features.extractor cimport Extractor
from treewright.learners.learner cimport Choice, Moves, Scorer
from treewright.learners.table cimport LinearTable, tw_rows
from treewright.systems.configuration cimport Configuration
from treewright.systems.graph_system cimport GraphSystem, GraphWorkspace
from treewright.systems.system cimport MAX_KINDS


cdef class GraphScratch:
    """The memory of one thread."""
    cdef GraphWorkspace graph
    cdef Encoded encoded
    cdef uint64_t* keys
    cdef tw_rows* rows
    cdef float* kind_scores
    cdef float* class_scores
    cdef int16_t* class_sums
    cdef int16_t* kept_sums          # of classes, from features that new arcs leave as they are
    cdef int32_t kept_kinds[MAX_KINDS]
    cdef bint kept                   # are these of the stack and buffer at hand?


cdef class GreedyGraphParser:
    cdef readonly GraphSystem system
    cdef readonly Extractor extractor
    cdef readonly Moves moves
    cdef readonly Scorer scorer
    cdef LinearTable table               # the scorer, if it is one
    cdef Extractor without_arcs          # the extractor in two parts, see features/split.pyx
    cdef Extractor with_arcs
    cdef int most_kept                   # features of the first part that are summed, so that all fit
    cdef void class_range(self, const Configuration* c, int kind, int* first, int* end) noexcept nogil
    cdef void score(self, const Configuration* c, Encoded e, int64_t row, GraphScratch s, int* counts) noexcept nogil
    cdef void best(self, const Configuration* c, GraphScratch s, unsigned legal, Choice* found) noexcept nogil
    cdef void choose_fast(self, const Configuration* c, Encoded e, int64_t row, GraphScratch s, unsigned legal,
                          Choice* found) noexcept nogil
    cdef void keep(self, const uint64_t* keys, int n_both, int n_moves, GraphScratch s) noexcept nogil
    cdef int parse(self, Encoded e, int64_t row, int n, GraphScratch s) except -1 nogil
