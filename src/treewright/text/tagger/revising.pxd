"""Choosing tags a second time. See revising.pyx."""
from libc.stdint cimport int32_t, uint64_t

from treewright.text.tagger.decoder cimport Decoder, History
from treewright.text.tagger.words cimport WordCodes


cdef struct Following:                   # what the first pass found after a word
    int32_t tag1, tag2                   # the tags of the next two words
    int32_t nominal_tag, verbal_tag      # of the next noun or pronoun, of the next verb


cdef class RevisingDecoder(Decoder):
    cdef void look_ahead(self, const int32_t* tags, int n, Following* out) noexcept nogil
    cdef int following_keys(
        self, const WordCodes* word, const History* history, const Following* after, uint64_t* out
    ) noexcept nogil
