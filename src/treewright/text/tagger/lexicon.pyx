"""What is known of words: which tags each may have.

Words with the same tags share a *class* (the "ambiguity class" of the tagging literature): its number is a feature of
the word and of its neighbours. A class is *closed* where its words have been seen so often that no other tag need be
tried.
"""
from libc.stdint cimport int32_t, uint16_t, uint64_t
from libc.stdlib cimport calloc, free

from treewright.errors import ModelFileError


cdef class Lexicon:
    """Classes of words, by the number of their lower-cased form."""

    def __cinit__(self):
        self.slot_key = NULL
        self.slot_entry = NULL

    def __init__(self, keys, classes, class_start, class_tags, class_codes, closed, int n_tags):
        cdef int i, slot, n = len(keys)
        cdef const uint64_t[::1] key_view
        self.keys, self.classes, self.class_start = keys, classes, class_start
        self.class_tags, self.class_codes, self.closed = class_tags, class_codes, closed
        self._check(n_tags)
        key_view = keys
        self.class_view, self.start_view, self.tag_view = classes, class_start, class_tags
        self.code_view, self.closed_view = class_codes, closed
        self.n_slots = 1024
        while self.n_slots < 2 * n:
            self.n_slots *= 2
        self.slot_key = <uint64_t*>calloc(self.n_slots, sizeof(uint64_t))
        self.slot_entry = <int32_t*>calloc(self.n_slots, sizeof(int32_t))
        if self.slot_key == NULL or self.slot_entry == NULL:
            raise MemoryError
        for i in range(n):
            slot = <int>(key_view[i] >> 33) & (self.n_slots - 1)
            while self.slot_key[slot] != 0:
                slot = (slot + 1) & (self.n_slots - 1)
            self.slot_key[slot] = key_view[i]
            self.slot_entry[slot] = i

    def _check(self, int n_tags):
        """Nothing that was read from disk is trusted."""
        n_classes = len(self.class_codes)
        starts = list(self.class_start)
        if not (
            len(self.keys) == len(self.classes) and 0 not in set(self.keys)
            and len(starts) == n_classes + 1 and len(self.closed) == n_classes
            and starts[0] == 0 and starts[n_classes] == len(self.class_tags)
            and all(a < b for a, b in zip(starts, starts[1:]))
            and max(self.classes, default=0) < max(n_classes, 1)
            and min(self.class_tags, default=0) >= 0 and max(self.class_tags, default=0) < max(n_tags, 1)
        ):
            raise ModelFileError("the model is damaged: the tagger's lexicon does not fit together")

    def __dealloc__(self):
        free(self.slot_key)
        free(self.slot_entry)

    def __len__(self):
        return len(self.keys)

    cdef void look_up(self, uint64_t key, int32_t* entry, uint64_t* ambiguity) noexcept nogil:
        """Find the class of a form; leave both as they are if it is unknown."""
        cdef int slot = <int>(key >> 33) & (self.n_slots - 1)
        while self.slot_key[slot] != 0:
            if self.slot_key[slot] == key:
                entry[0] = self.class_view[self.slot_entry[slot]]
                ambiguity[0] = self.code_view[entry[0]]
                return
            slot = (slot + 1) & (self.n_slots - 1)
