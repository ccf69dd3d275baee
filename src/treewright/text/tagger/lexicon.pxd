"""The lexicon of the tagger. See lexicon.pyx."""
from libc.stdint cimport int32_t, uint64_t

from treewright.text.key_numbers cimport KeyNumbers


cdef class Lexicon:
    cdef readonly object keys            # array of 64-bit numbers
    cdef readonly object classes         # array of 16-bit numbers: the class of each key
    cdef readonly object class_start     # array: where the tags of a class begin
    cdef readonly object class_tags      # array: tags, in order of frequency
    cdef readonly object class_codes     # array: a 64-bit number per class, for features
    cdef readonly object closed          # bytes: 1 where words of the class have no other tags
    cdef KeyNumbers class_of
    cdef const int32_t[::1] start_view
    cdef const int32_t[::1] tag_view
    cdef const uint64_t[::1] code_view
    cdef const unsigned char[::1] closed_view
    cdef void look_up(self, uint64_t key, int32_t* entry, uint64_t* ambiguity) noexcept nogil

    cdef inline bint has_one_tag(self, int32_t entry) noexcept nogil:
        """Can words of this class (-1: unknown words) have one tag only?"""
        return entry >= 0 and self.closed_view[entry] and self.start_view[entry + 1] == self.start_view[entry] + 1
