"""What training has seen: the lexicon, which tags each known word may have, and the known lemmas.

Words with the same tags share a *class* (the "ambiguity class" of the tagging literature): its code is a feature of the
word and of its neighbours. A class is *closed* if its words were seen so often that no other tags need to be tried.

The tagger looks for the known lemma that an unknown word begins with; the lemmatiser prefers a lemma that it has met. A
lemma seen with one form only is marked: in training it says nothing about that form, which it was learnt from.
"""
from libc.stdint cimport int32_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free

from treewright.features.folding cimport SCRATCH, fold, make_tables
from treewright.learners.text_keys cimport add_number, make_room, number_of

cdef extern from "text_hash.h" nogil:
    uint64_t tw_hash(const char* text, int n, uint64_t seed)

cdef uint64_t SEED = 0x6C656D6D6173ULL
ONE_FORM = 1 << 31           # ONLY_FORM, for Python

make_tables()


cdef class Lexicon:
    """Classes of words, by the hash of their lower-cased form.

    Invariants, checked where a model is read (steps/border/arrays.py): ``class_start`` rises from 0 to the number of
    ``class_tags``, so that no class is empty; classes of words and tags of classes exist.
    """

    def __init__(self, keys, classes, class_start, class_tags, class_codes, closed):
        cdef const uint64_t[::1] every_key
        cdef const uint16_t[::1] every_class
        cdef int word
        self.keys, self.classes, self.class_start = keys, classes, class_start
        self.class_tags, self.class_codes, self.closed = class_tags, class_codes, closed
        self.start_view, self.tag_view = class_start, class_tags
        self.code_view, self.closed_view = class_codes, closed
        every_key, every_class = keys, classes
        make_room(&self.class_of, len(keys))
        for word in range(every_key.shape[0]):
            add_number(&self.class_of, every_key[word], every_class[word])

    def __dealloc__(self):
        free(self.class_of.slots)

    def __len__(self):
        return len(self.keys)

    cdef void look_up(self, uint64_t key, int32_t* entry, uint64_t* ambiguity) noexcept nogil:
        """Find the class of a form; leave both values alone if it is unknown."""
        cdef int32_t found = number_of(&self.class_of, key)
        if found >= 0:
            entry[0], ambiguity[0] = found, self.code_view[found]


cdef class KnownLemmas:
    """A bit per part of speech for every lemma, by the hash of its lower case."""

    def __init__(self, keys, masks):
        cdef const uint64_t[::1] every_key
        cdef int place
        self.keys, self.masks = keys, masks
        self.mask_view = masks
        make_room(&self.places, len(keys))
        every_key = keys
        for place in range(every_key.shape[0]):
            add_number(&self.places, every_key[place], place)

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
