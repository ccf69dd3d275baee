"""Scores of moves, remembered within a sentence. See beam_scores.pyx."""
from libc.stdint cimport int16_t, int32_t, int64_t, uint8_t, uint32_t, uint64_t

from treewright.features.encoder cimport Encoded
from treewright.features.extractor cimport Extractor, Seen
from treewright.learners.learner cimport Scorer
from treewright.learners.table cimport LinearTable, tw_rows
from treewright.parsing.greedy cimport GreedyParser
from treewright.systems.configuration cimport Configuration


cdef struct Known:           # an entry of a table of what has been computed
    uint64_t key
    uint32_t sentence        # of another sentence: the entry is empty
    uint32_t record          # place in the pool, in units of 8 bytes


cdef struct Ranked:          # a legal move and its score
    float score
    int16_t kind, label_class


cdef struct Best:            # the best legal moves of a configuration, best first
    int32_t n
    Ranked* moves
    const float* kinds       # the scores of all kinds and of all classes, if they are kept
    const float* classes


cdef class Memo:
    """A table from keys to places in a pool; forgotten at the end of every sentence."""
    cdef Known* entries
    cdef uint64_t mask
    cdef uint32_t sentence
    cdef int64_t n
    cdef int grow(self) except -1 nogil
    cdef void forget(self) noexcept nogil
    cdef Known* find(self, uint64_t key) noexcept nogil
    cdef Known* add(self, uint64_t key, uint32_t record) except NULL nogil


cdef class BeamScores:
    cdef readonly GreedyParser parser
    cdef Extractor pair, context         # of templates that look at the anchors alone; of the others
    cdef int depth                       # the anchors: so many words of the stack, and the buffer
    cdef LinearTable table
    cdef int most                        # moves to rank
    cdef bint keep_all
    cdef int n_padded
    cdef Memo pairs, contexts
    cdef uint64_t* pool
    cdef int64_t pool_size, pool_room
    cdef uint64_t* keys
    cdef tw_rows* rows
    cdef int16_t* class_sums
    cdef float* kind_scores
    cdef float* class_scores
    cdef Ranked* ranked
    cdef readonly long asked, computed, pairs_computed
    cdef void forget(self) noexcept nogil
    cdef int best(self, const Configuration* c, Encoded e, int64_t row, unsigned legal, Best* out) except -1 nogil
    cdef int64_t take(self, int64_t size) except -1 nogil
    cdef int64_t pair_record(self, uint64_t key, const Configuration* c, Encoded e, int64_t row) except -1 nogil
    cdef int add_keys(self, Extractor extractor, const Seen* seen, Encoded e, int64_t row, int first, int end,
                      int32_t* kinds) noexcept nogil
    cdef void rank_sums(self, const Configuration* c, unsigned legal, const int32_t* kinds, int* n) noexcept nogil
    cdef void rank_scores(self, const Configuration* c, unsigned legal, int* n) noexcept nogil
    cdef uint64_t context_key(self, const Configuration* c, const Seen* seen, unsigned legal, uint64_t pair) noexcept nogil
