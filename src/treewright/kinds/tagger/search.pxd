"""Choosing the tags of a sentence together. See search.pyx."""
from libc.stdint cimport int32_t, uint64_t

from treewright.kinds.tagger.decoder cimport Decoder, History
from treewright.kinds.tagger.words cimport WordCodes

cdef enum:
    MOST_WIDTH = 256


cdef struct Step:                        # tags for the first words of a sentence
    History history
    double score
    int32_t tag, before                  # the last tag; the step that it goes on from


cdef struct Lattice:                     # the steps of a sentence: those of i words are start[i] .. start[i + 1]
    Step* steps
    int32_t* start
    int32_t* tried                       # the tags that a word may have
    double* totals                       # their scores without history


cdef class SearchingDecoder(Decoder):
    cdef readonly int width
    cdef readonly bint first_order
    cdef int open_lattice(self, int n, Lattice* lattice) except -1 nogil
    cdef void fill(
        self, const WordCodes* words, int n, const int32_t* gold, float margin, Lattice* lattice
    ) noexcept nogil
    cdef int extend(
        self, const WordCodes* words, int n, int i, int gold, float margin, Lattice* lattice
    ) noexcept nogil
    cdef int pass_on(self, const WordCodes* word, int i, int tag, Lattice* lattice) noexcept nogil
    cdef int try_tags(
        self, const WordCodes* words, int n, int i, int gold, float margin, Lattice* lattice
    ) noexcept nogil
    cdef int search_keys(self, const WordCodes* word, const History* history, uint64_t* out) noexcept nogil
    cdef void follow(self, History* history, const WordCodes* word, int tag) noexcept nogil
    cdef double score_of(self, const WordCodes* words, int n, int i, int tag, const History* history) noexcept nogil
    cdef int best(self, int i, const Lattice* lattice) noexcept nogil


cdef void close_lattice(Lattice* lattice) noexcept nogil
cdef void read_back(const Lattice* lattice, int step, int n, int32_t* out) noexcept nogil
