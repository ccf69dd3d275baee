"""Lemmas seen in training. See known_lemmas.pyx."""
from libc.stdint cimport uint32_t, uint64_t

from treewright.text.key_numbers cimport KeyNumbers

cdef enum KnownLimits:
    ONLY_FORM = 0x80000000   # in a mask: the lemma was seen with one form only
    MOST_POS = 31            # parts of speech that are told apart; further ones share the last bit


cdef class KnownLemmas:
    cdef readonly object keys            # array: hashes of lemmas in lower case
    cdef readonly object masks           # array: a bit for each part of speech; ONLY_FORM: seen with one form only
    cdef KeyNumbers places
    cdef const uint32_t[::1] mask_view
    cdef uint32_t mask_of(self, const char* lower, int length) noexcept nogil


cdef inline uint32_t bit_of(int pos) noexcept nogil:
    return <uint32_t>1 << min(pos, MOST_POS - 1)


cdef uint64_t key_of(const char* lower, int length) noexcept nogil
