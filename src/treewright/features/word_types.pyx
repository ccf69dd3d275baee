"""Words seen before, with their hashes.

Most words of a text occurred a moment ago with the same form, lemma, tags and features. One hash of all columns that a
feature model reads identifies them, so their attributes need not be extracted and hashed again.

The memory is bounded. When it is full, new words are hashed without it, and the next sentence (``Encoded.clear``)
empties it.
"""
from libc.string cimport memcpy, memset


cdef enum:
    PLACES = 2 * 8192        # a power of two


cdef class WordTypes:
    """A bounded memory of encoded words, for one thread."""

    def __cinit__(self, int n_attributes):
        self.n_attributes = n_attributes
        self.keys = <uint64_t*>self.new_block(MAX_TYPES, sizeof(uint64_t))
        self.leaf = <unsigned char*>self.new_block(MAX_TYPES, 1)
        self.tag = <unsigned char*>self.new_block(MAX_TYPES, 1)
        self.values = <uint64_t*>self.new_block(MAX_TYPES * (n_attributes + 1), sizeof(uint64_t))
        self.item_start = <int32_t*>self.new_block(MAX_TYPES + 1, sizeof(int32_t))
        self.items = <uint64_t*>self.new_block(MAX_TYPE_ITEMS, sizeof(uint64_t))
        self.places = <uint16_t*>self.new_block(PLACES, sizeof(uint16_t))
        self.reset()

    cdef void reset(self) noexcept nogil:
        """Forget all words."""
        memset(self.places, 0, PLACES * sizeof(uint16_t))
        self.item_start[0] = 0
        self.n_types = 0
        self.full = False

    cdef int find(self, uint64_t key) noexcept nogil:
        """Return the type with this key, or UNKNOWN_TYPE."""
        cdef uint32_t at = <uint32_t>(key >> 40) & (PLACES - 1)
        while self.places[at] != 0:
            if self.keys[self.places[at] - 1] == key:
                return <int>self.places[at] - 1
            at = (at + 1) & (PLACES - 1)
        return UNKNOWN_TYPE

    cdef int add(self, uint64_t key, bint leaf, unsigned char tag, const uint64_t* values, const uint64_t* items,
                 int64_t n_items) noexcept nogil:
        """Remember a word that ``find`` did not; return its type, or UNKNOWN_TYPE where there is no room."""
        cdef int number = self.n_types
        cdef uint32_t at = <uint32_t>(key >> 40) & (PLACES - 1)
        if n_items > MOST_ITEMS:
            return UNKNOWN_TYPE
        if number == MAX_TYPES or self.item_start[number] + n_items > MAX_TYPE_ITEMS:
            self.full = True
            return UNKNOWN_TYPE
        while self.places[at] != 0:
            at = (at + 1) & (PLACES - 1)
        self.places[at] = <uint16_t>(number + 1)
        self.keys[number] = key
        self.leaf[number], self.tag[number] = leaf, tag
        memcpy(self.values + <int64_t>number * self.n_attributes, values, self.n_attributes * sizeof(uint64_t))
        if n_items:
            memcpy(self.items + self.item_start[number], items, n_items * sizeof(uint64_t))
        self.item_start[number + 1] = self.item_start[number] + <int32_t>n_items
        self.n_types += 1
        return number
