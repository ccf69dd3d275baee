"""Moves chosen by their scores. See chooser.pyx."""
from libc.stdint cimport int16_t, int32_t, int64_t, uint32_t, uint64_t

from treewright.features.extractor cimport tw_place, tw_sentence
from treewright.learners.learner cimport Scorer
from treewright.learners.table cimport LinearTable, tw_rows, tw_table
from treewright.kinds.transition.engines.walk cimport (
    Configuration, Encoded, Extractor, Moves, Output, Scratch, Sentence, System, Walker,
)


cdef extern from "moves.h" nogil:
    ctypedef struct tw_range:
        int first, end

    ctypedef struct tw_moves:            # the header says what each is
        uint32_t labelled
        const int32_t* label
        tw_range range[2][8]
        tw_range span[256]

    ctypedef struct tw_desk:
        uint64_t* keys
        int room
        int* counts
        tw_rows* rows
        int16_t* sums
        int32_t best

    ctypedef int (*tw_decision)(const tw_table* t, const tw_place* place, const tw_moves* m, const Configuration* c,
                                const tw_sentence* s, unsigned legal, unsigned from_root, tw_desk* d,
                                int* label) noexcept nogil


cdef class Chooser(Walker):
    cdef readonly Scorer scorer
    cdef readonly bint split             # decide the kind first, then the relation
    cdef bint mends                      # may earlier arcs get other relations where a rule would be broken?
    cdef LinearTable table               # the scorer, if it is one
    cdef tw_moves ranges                 # the classes of moves
    cdef tw_decision decision            # from a configuration to its move, for bundled feature models; or NULL
    cdef int equip(self, System system, Extractor extractor, Moves moves, Scorer scorer, bint split,
                   bint fast) except -1
    cdef int put(self, Encoded e, const Sentence* sentence, Scratch s, const Output* out) except -1 nogil
    cdef int choose(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                    int* label) noexcept nogil
    cdef int choose_by_table(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                             int* label) noexcept nogil
    cdef int choose_twice(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                          int* label) noexcept nogil
    cdef int choose_by_scores(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                              int* label) noexcept nogil
    cdef int best_by_sums(self, const Configuration* c, Scratch s, unsigned legal, const int32_t* kinds,
                          int* label) noexcept nogil
    cdef void score(self, const Configuration* c, Encoded e, int64_t row, Scratch s) noexcept nogil
    cdef int64_t measure(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal, int kind, int label,
                         int64_t* n_first) except -1 nogil
    cdef int64_t add_margins(self, const Configuration* c, Scratch s, unsigned legal, float score,
                             int64_t n) except -1 nogil
    cdef int note(self, const Configuration* c, Scratch s, int kind, int label, float confidence) except -1 nogil


cdef int broken_by(Chooser self, const Configuration* c, int kind, int label) noexcept nogil
cdef float price_of(Chooser self, const Configuration* c, int kind, int label) noexcept nogil
cdef int least_broken(Chooser self, const Configuration* c, unsigned legal) noexcept nogil
