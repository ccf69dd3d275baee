"""Choosing tags a second time. See revising.pyx."""
from libc.stdint cimport int32_t, uint64_t

from treewright.kinds.tagger.decoder cimport Decoder, History
from treewright.kinds.tagger.words cimport KeptScores, WordCodes


cdef struct Seen:                        # what the first pass found of a word, and after it
    float lead                           # of its tag, ahead of others
    int32_t tag1, tag2                   # the tags of the next two words
    int32_t nominal_tag, verbal_tag      # of the next noun or pronoun, of the next verb


cdef class RevisingDecoder(Decoder):
    cdef readonly float sure             # lead from which on the first pass is believed
    cdef void ask_next(
        self, const WordCodes* words, int i, int n, KeptScores kept, uint64_t* out, int* n_out
    ) noexcept nogil
    cdef int choose(
        self, const WordCodes* word, const uint64_t* keys, int n_keys, const float* fixed, float* scores, float* lead
    ) noexcept nogil
    cdef void look_ahead(self, const int32_t* tags, int n, Seen* out) noexcept nogil
    cdef int following_keys(
        self, const WordCodes* word, const History* history, const Seen* after, uint64_t* out
    ) noexcept nogil
