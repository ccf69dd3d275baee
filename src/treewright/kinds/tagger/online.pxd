"""Training the tagger. See online.pyx."""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint64_t

from treewright.learners.perceptron cimport Perceptron
from treewright.kinds.tagger.decoder cimport Decoder, History
from treewright.kinds.tagger.revising cimport Seen
from treewright.kinds.tagger.words cimport EncodedWords, WordCodes

cdef enum:
    MOST_COMPONENTS = 72


cdef class TaggerTrainer:
    cdef Decoder decoder
    cdef Perceptron learner
    cdef EncodedWords words
    cdef const int32_t[::1] gold
    cdef int64_t[::1] first_row          # of each sentence
    cdef int32_t[::1] first_word
    cdef int32_t[::1] order
    cdef readonly int n_sentences, round
    cdef readonly long decisions, mistakes
    cdef uint64_t random_state
    cdef float margin
    cdef float dropout
    cdef const int32_t[::1] counts       # how often each word's form occurs
    cdef EncodedWords scratch
    cdef uint8_t[:, ::1] rest            # of each pass and word: see learners/resting
    cdef uint64_t random(self) noexcept nogil
    cdef const WordCodes* with_unknown(self, const WordCodes* rows, int first, int n) except NULL nogil
    cdef int learn_sentence(self, const WordCodes* words, const int32_t* gold, int n, int first) except -1 nogil
    cdef int learn_pass(
        self, const WordCodes* words, const int32_t* gold, int n, const Seen* seen, int32_t* found, uint8_t* rest
    ) except -1 nogil
    cdef int following_keys(
        self, const WordCodes* word, const History* history, const Seen* seen, uint64_t* out
    ) noexcept nogil
    cdef bint is_resting(self, const WordCodes* word, uint8_t* rest) noexcept nogil
    cdef int correct(
        self, const WordCodes* word, const uint64_t* keys, int n, const float* scores, int gold, uint8_t* rest
    ) except -1 nogil
    cdef int update(self, const uint64_t* keys, int n, int gold, int predicted) except -1 nogil
