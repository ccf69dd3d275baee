from libc.stdint cimport int32_t, int64_t, uint64_t

from treewright.kinds.exact.parts.part_templates cimport Templates
from treewright.kinds.exact.parts.triples cimport TripleKeys
from treewright.features.encoder cimport Encoded, Encoder
from treewright.treebank.blocks.owned_memory cimport Owner

cdef enum:
    MAX_KEYS = 8192          # of one arc, products of single FEATS included


cdef class PartProgram:
    cdef readonly object model
    cdef readonly Encoder encoder
    cdef Templates arcs, relations, grandparents, siblings
    cdef int between_attribute[2]
    cdef bint second_order               # whether there are templates for parts of three words
    cdef readonly bint advised           # whether templates look at the tree of an adviser


cdef class PartScratch(Owner):
    """What is computed once per sentence: the share of every word in every template's key."""
    cdef PartProgram program
    cdef readonly int n
    cdef int64_t capacity
    cdef TripleKeys grandparents, siblings
    cdef uint64_t* shares[4]         # arc head, child; relation head, child
    cdef uint64_t tags[2][64]        # the distinct values of a tag in the sentence
    cdef uint64_t* between[2]        # [n + 2][n + 2] bits
    cdef int n_attributes
    cdef const uint64_t* values      # of the root, then of the words; the row before stands for nothing
    cdef const int64_t* item_start   # the same for their single FEATS
    cdef const uint64_t* items
    cdef uint64_t* keys              # [MAX_KEYS]
    cdef const unsigned char* leaf   # by node: words that may not govern others; NULL: all may
    cdef bint single_root
    cdef const int32_t* adviser      # the adviser's heads of words 1 to n, NULL without an adviser
    cdef uint64_t noise              # selects the features that training drops
    cdef uint64_t dropped            # how many of 2**32 it drops
    cdef void drop(self, uint64_t noise, uint64_t dropped) noexcept nogil
    cdef int load(self, Encoded encoded, int64_t row, int n, const int32_t* adviser) except -1 nogil
    cdef bint barred(self, int head, int child) noexcept nogil
    cdef int reserve(self, int n) except -1 nogil
    cdef int arc_keys(self, int head, int child) noexcept nogil
    cdef int relation_keys(self, int head, int child) noexcept nogil
