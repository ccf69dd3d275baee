"""Lemmas seen in training, with their parts of speech.

The tagger looks for the lemma that an unknown word begins with; the lemmatiser prefers a lemma that it has met. A lemma
seen with one form only is marked: in training it says nothing about that form, which it was learnt from.
"""
from libc.stdint cimport int32_t, uint32_t, uint64_t
from libc.stdlib cimport free

from treewright.errors import ModelFileError
from treewright.features.folding cimport SCRATCH, fold, make_tables
from treewright.text.key_numbers cimport add_number, make_room, number_of

cdef extern from "text_hash.h" nogil:
    uint64_t tw_hash(const char* text, int n, uint64_t seed)

cdef uint64_t SEED = 0x6C656D6D6173ULL
ONE_FORM = 1 << 31           # ONLY_FORM, for Python

make_tables()


cdef class KnownLemmas:
    """A bit per part of speech for every lemma, by the hash of its lower case."""

    def __init__(self, keys, masks):
        if len(keys) != len(masks) or 0 in set(keys) or 0 in set(masks):
            raise ModelFileError("the model is damaged: its known lemmas are inconsistent")
        self.keys, self.masks = keys, masks
        self.mask_view = masks
        make_room(&self.places, len(keys))
        for place, key in enumerate(keys):
            add_number(&self.places, key, place)

    def __dealloc__(self):
        free(self.places.slots)

    def __len__(self):
        return len(self.keys)

    cdef uint32_t mask_of(self, const char* lower, int length) noexcept nogil:
        """Return the bits of a lemma in lower case; 0: unknown."""
        cdef int32_t place = number_of(&self.places, key_of(lower, length))
        return self.mask_view[place] if place >= 0 else 0

    def mask(self, lemma):
        """Return the bits of a lemma, 0 if it is unknown."""
        cdef char lower[SCRATCH]
        cdef bytes raw = lemma.encode("utf-8", "surrogateescape")
        return self.mask_of(lower, fold(raw, len(raw), lower, False))


cdef uint64_t key_of(const char* lower, int length) noexcept nogil:
    """Return the key of a lemma in lower case; it is never 0."""
    return tw_hash(lower, length, SEED) | 1


def lemma_key(lemma):
    """Return the key of a lemma: the hash of its lower case, never 0."""
    cdef char lower[SCRATCH]
    cdef bytes raw = lemma.encode("utf-8", "surrogateescape")
    return key_of(lower, fold(raw, len(raw), lower, False))


def pos_bit(int pos):
    """Return the bit of a part of speech."""
    return bit_of(pos)
