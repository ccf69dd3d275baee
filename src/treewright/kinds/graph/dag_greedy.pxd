from libc.stdint cimport int16_t, int32_t, int64_t, uint64_t

from treewright.kinds.transition.engines.chooser cimport Chooser
from treewright.kinds.transition.engines.walk cimport Configuration, Encoded, Extractor, Scratch
from treewright.systems.graphs.graph_system cimport GraphSystem
from treewright.systems.system cimport MAX_KINDS


cdef class GraphScratch(Scratch):
    """The memory of one thread, with the arcs of the sentences so far."""
    cdef int n_arcs, arc_room, n_finished    # finished: arcs of sentences that were parsed before
    cdef int32_t* arc_head
    cdef int32_t* arc_dependent
    cdef int32_t* arc_label
    cdef float* arc_confidence
    cdef int16_t* kept_sums              # of classes, from features that new arcs do not change
    cdef int32_t kept_kinds[MAX_KINDS]
    cdef bint kept                       # are these of the present stack and buffer?
    cdef int add_arc(self, int head, int dependent, int label, float confidence) except -1 nogil


cdef class GreedyGraphParser(Chooser):
    cdef GraphSystem graph_system        # the system again, by its own type
    cdef Extractor without_arcs          # the extractor in two parts, see features/split.pyx
    cdef Extractor with_arcs
    cdef int most_kept                   # features of the first part that are summed, so that all fit
    cdef void keep(self, const uint64_t* keys, int n_both, int n_moves, GraphScratch s) noexcept nogil


cdef copied(str code, const void* numbers, int n)
