"""The lexicon of the tagger and the known lemmas. See lexicon.pyx."""
from libc.stdint cimport int32_t, uint32_t, uint64_t

from treewright.learners.text_keys cimport KeyNumbers

cdef enum KnownLimits:
    ONLY_FORM = 0x80000000   # in a mask: the lemma was seen with one form only
    MOST_POS = 31            # parts of speech that are told apart; further ones share the last bit


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


cdef class KnownLemmas:
    cdef readonly object keys            # array: hashes of lemmas in lower case
    cdef readonly object masks           # array: a bit for each part of speech; ONLY_FORM: seen with one form only
    cdef KeyNumbers places
    cdef const uint32_t[::1] mask_view
    cdef uint32_t mask_of(self, const char* lower, int length) noexcept nogil


cdef inline uint32_t bit_of(int pos) noexcept nogil:
    return <uint32_t>1 << min(pos, MOST_POS - 1)


cdef uint64_t key_of(const char* lower, int length) noexcept nogil
