"""Moves chosen by their scores. See chooser.pyx."""
from libc.stdint cimport int32_t, int64_t

from treewright.learners.learner cimport Scorer
from treewright.learners.table cimport LinearTable
from treewright.parsing.walk cimport Configuration, Encoded, Extractor, Moves, Output, Scratch, Sentence, System, Walker


cdef class Chooser(Walker):
    cdef readonly Scorer scorer
    cdef readonly bint split             # decide the kind first, then the relation
    cdef LinearTable table               # the scorer, if it is one
    cdef int equip(self, System system, Extractor extractor, Moves moves, Scorer scorer, bint split,
                   bint fast) except -1
    cdef int put(self, Encoded e, const Sentence* sentence, Scratch s, const Output* out) except -1 nogil
    cdef int choose(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
                    int* label) noexcept nogil
    cdef int choose_by_table(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal,
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
