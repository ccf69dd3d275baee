from libc.stdint cimport int32_t, int64_t

from treewright.features.extractor cimport MAX_NODES
from treewright.learners.learner cimport Scorer
from treewright.kinds.network.kernel.positions cimport PositionLayers, PositionSums
from treewright.kinds.transition.engines.chooser cimport Chooser
from treewright.kinds.graph.dag_greedy cimport GreedyGraphParser
from treewright.kinds.transition.engines.greedy cimport GreedyParser
from treewright.kinds.transition.engines.walk cimport Configuration, Extractor, Moves, Scratch

cdef enum:
    PAST_MOVES = 2


cdef class MoveInput:
    """What a network sees of the sentences at hand."""
    cdef PositionSums sums
    cdef int64_t start, next             # rows of the sentence at hand, and of the next one
    cdef int n_places
    cdef int32_t places[258]             # MAX_NODES and PAST_MOVES
    cdef int enter(self, int n) except -1 nogil
    cdef void look(self, Extractor extractor, const Configuration* c) noexcept nogil


cdef class NetworkScorer(Scorer):
    cdef readonly PositionLayers layers


cdef class NetworkParser(GreedyParser):
    pass


cdef class NetworkGraphParser(GreedyGraphParser):
    pass


cdef inline MoveInput input_of(Scratch s):
    return <MoveInput?>s.network_input


cdef void score_kinds(Chooser parser, const Configuration* c, MoveInput m, Scratch s) noexcept nogil
cdef void score_classes(Chooser parser, MoveInput m, Scratch s) noexcept nogil
cdef int choose_move(Chooser parser, const Configuration* c, MoveInput m, Scratch s, unsigned legal,
                     int* label) noexcept nogil
