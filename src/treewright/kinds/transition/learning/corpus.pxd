from libc.stdint cimport int32_t, int64_t

from treewright.kinds.transition.engines.walk cimport Encoded, Output, Scratch, Walker
from treewright.systems.gold cimport GoldStandard


cdef class EncodedSentences:
    """Encoded sentences in flat arrays."""
    cdef readonly int n_sentences
    cdef readonly long n_words
    cdef Encoded encoded
    cdef int64_t[::1] row_start          # row of node NONE of a sentence
    cdef int64_t[::1] word_start         # [n_sentences + 1]
    cdef readonly int longest
    cdef const unsigned char[::1] teaches        # by sentence: is it to be learnt from? None: all are
    cdef int length(self, int64_t sentence) noexcept nogil
    cdef bint has_gold(self, int64_t sentence) noexcept nogil
    cdef int bind(self, GoldStandard gold, int64_t sentence, int root) except -1 nogil
    cdef int parse(self, Walker parser, Scratch s, const Output* out) except -1


cdef class Corpus(EncodedSentences):
    """Encoded sentences with their trees, in flat arrays."""
    cdef int32_t[::1] heads              # as in the treebank: 0 is the root
    cdef int32_t[::1] labels
