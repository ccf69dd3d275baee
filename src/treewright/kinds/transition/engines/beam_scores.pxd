"""Scores of moves, remembered within a sentence. See beam_scores.pyx."""
from libc.stdint cimport int16_t, int32_t, int64_t, uint64_t

from treewright.features.encoder cimport Encoded
from treewright.features.extractor cimport Extractor, Seen
from treewright.learners.table cimport LinearTable, tw_rows
from treewright.kinds.transition.engines.chooser cimport Chooser
from treewright.kinds.transition.engines.memo cimport Memo
from treewright.systems.configuration cimport Configuration
from treewright.systems.system cimport MAX_KINDS
from treewright.treebank.blocks.owned_memory cimport Owner

cdef enum:
    N_PARTS = 4


cdef struct Ranked:          # a legal move and its score
    float score
    int16_t kind, label_class


cdef struct Record:          # of a context; behind it in the pool: ranked moves, then sums or scores of all classes
    int32_t n                # moves ranked so far
    int32_t kinds[MAX_KINDS]
    float scores[MAX_KINDS]          # of kinds
    int16_t first[MAX_KINDS]         # classes that a kind may take
    int16_t end[MAX_KINDS]
    int16_t next[MAX_KINDS]          # by kind: the best class that is not ranked, UNLABELLED, or NONE


cdef struct BestMoves:       # the best legal moves of a configuration, best first, as far as reach() has gone
    Record* record
    Ranked* moves
    int16_t* sums            # of all classes, with a LinearTable; what is ranked is struck out
    float* scores            # of all classes, otherwise


cdef class Part:
    cdef Extractor extractor             # None of a part without templates
    cdef Memo memo
    cdef long computed


cdef class BeamScores(Owner):
    cdef readonly Chooser parser
    cdef Part words, first, second, others
    cdef LinearTable table
    cdef int most                        # moves to rank
    cdef bint keep_all
    cdef int n_padded
    cdef Memo contexts
    cdef uint64_t* pool
    cdef int64_t pool_size, pool_room
    cdef uint64_t* keys
    cdef tw_rows* rows
    cdef Seen* seen                      # by part
    cdef float* kind_scores
    cdef float* class_scores
    cdef readonly long asked, computed
    cdef void forget(self) noexcept nogil
    cdef int64_t take(self, int64_t size) except -1 nogil
    cdef uint64_t look(self, Part part, const Configuration* c, Seen* seen) noexcept nogil
    cdef int best(self, const Configuration* c, Encoded e, int64_t row, unsigned legal, BestMoves* out) except -1 nogil
    cdef bint reach(self, BestMoves* best, int rank) noexcept nogil
