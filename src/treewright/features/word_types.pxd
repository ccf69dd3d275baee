from libc.stdint cimport int32_t, int64_t, uint16_t, uint32_t, uint64_t

from treewright.treebank.blocks.owned_memory cimport Owner

cdef enum:
    MAX_TYPES = 8192         # words remembered at most; then the next sentence begins with none
    UNKNOWN_TYPE = -1
    MAX_TYPE_ITEMS = 8 * 8192            # single FEATS of all of them
    MOST_ITEMS = 256                     # of one word


cdef class WordTypes(Owner):
    cdef int n_attributes
    cdef int n_types
    cdef bint full                       # there was no room for a word: forget all at the next sentence
    cdef uint64_t* keys                  # [MAX_TYPES]
    cdef unsigned char* leaf             # [MAX_TYPES]: 1 for words that may not govern others
    cdef unsigned char* tag              # [MAX_TYPES]: as rules number it
    cdef uint64_t* values                # [MAX_TYPES * n_attributes]
    cdef int32_t* item_start             # [MAX_TYPES + 1]
    cdef uint64_t* items
    cdef uint16_t* places                # open addressing: type + 1 by key, 0 where free
    cdef void reset(self) noexcept nogil
    cdef int find(self, uint64_t key) noexcept nogil
    cdef int add(self, uint64_t key, bint leaf, unsigned char tag, const uint64_t* values, const uint64_t* items,
                 int64_t n_items) noexcept nogil
