"""What has been computed for a sentence, by key: an open-addressed table that is emptied by changing a number.

Keys are 64-bit hashes. An entry carries the number of its sentence, so forgetting takes no time.
"""
from libc.string cimport memset


cdef class Memo:
    def __cinit__(self):
        self.mask = 1023
        self.sentence = 1
        self.entries = <Known*>self.new_block(self.mask + 1, sizeof(Known))

    cdef void forget(self) noexcept nogil:
        """Begin with nothing known."""
        self.n = 0
        self.sentence += 1
        if self.sentence == 0:
            memset(self.entries, 0, (self.mask + 1) * sizeof(Known))
            self.sentence = 1

    cdef Known* find(self, uint64_t key) noexcept nogil:
        """Return the entry of a key, or NULL."""
        cdef uint64_t at = key >> 20 & self.mask
        while self.entries[at].sentence == self.sentence:
            if self.entries[at].key == key:
                return &self.entries[at]
            at = (at + 1) & self.mask
        return NULL

    cdef Known* add(self, uint64_t key, uint32_t record) except NULL nogil:
        """Make an entry for a key that has none."""
        cdef uint64_t at
        if 2 * self.n > <int64_t>self.mask:
            self.grow()
        at = key >> 20 & self.mask
        while self.entries[at].sentence == self.sentence:
            at = (at + 1) & self.mask
        self.entries[at].key = key
        self.entries[at].sentence = self.sentence
        self.entries[at].record = record
        self.n += 1
        return &self.entries[at]

    cdef int grow(self) except -1 nogil:
        cdef uint64_t i, at, size = self.mask + 1, mask = 2 * size - 1
        cdef Known* entries = <Known*>self.new_block(mask + 1, sizeof(Known))
        for i in range(size):
            if self.entries[i].sentence == self.sentence:
                at = self.entries[i].key >> 20 & mask
                while entries[at].sentence == self.sentence:
                    at = (at + 1) & mask
                entries[at] = self.entries[i]
        self.release(self.entries)
        self.entries, self.mask = entries, mask
        return 0
