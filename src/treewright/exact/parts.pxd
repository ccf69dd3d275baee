"""The features of the parts of a tree, as keys. See parts.pyx."""
from libc.stdint cimport int32_t, int64_t, uint64_t

from treewright.features.encoder cimport Encoded, Encoder

cdef enum:
    MAX_TEMPLATES = 256
    MAX_KEYS = 8192          # of one arc, products of single FEATS included
    N_DISTANCES = 40
    ADVISED = 3              # added to `near` of templates that also ask the adviser


cdef enum Role:
    GRANDPARENT = 0
    HEAD = 1
    CHILD = 2


cdef struct Entry:           # a value in a template
    int template, role, offset, attribute, place


cdef struct Shape:           # what else is in a template
    uint64_t seed
    int near                 # head and child: 0 nothing, 1 direction, 2 distance; 3 more if the adviser is asked
    int far                  # grandparent and head: the same
    bint order
    bint each_head, each_child
    int between              # which of the two sets of tags, or -1


cdef class Templates:
    """The templates of one kind of part, simple ones first, then those with lists."""
    cdef readonly int count, simple
    cdef int n_entries
    cdef Entry* entries
    cdef Shape* shapes


cdef class PartProgram:
    cdef readonly object model
    cdef readonly Encoder encoder
    cdef Templates arcs, relations, grandparents
    cdef int between_attribute[2]
    cdef bint has_grandparents
    cdef readonly bint advised           # whether templates look at the tree of an adviser


cdef class PartScratch:
    """What is computed once per sentence: the share of every word in every template's key."""
    cdef PartProgram program
    cdef readonly int n
    cdef int64_t capacity
    cdef uint64_t* shares[7]         # arc head, child; relation head, child; grandparent, head, child
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
    cdef int thin(self, uint64_t* keys, int n) noexcept nogil
    cdef int load(self, Encoded encoded, int64_t row, int n, const int32_t* adviser) except -1 nogil
    cdef int advised(self, int head, int child) noexcept nogil
    cdef bint barred(self, int head, int child) noexcept nogil
    cdef void spread(self, Templates templates, int role, uint64_t* out) noexcept nogil
    cdef int reserve(self, int n) except -1 nogil
    cdef void find_between(self, int which) noexcept nogil
    cdef int pair_keys(self, Templates templates, uint64_t* heads, uint64_t* children, int head,
                       int child) noexcept nogil
    cdef int arc_keys(self, int head, int child) noexcept nogil
    cdef int relation_keys(self, int head, int child) noexcept nogil
    cdef int grandparent_keys(self, int grandparent, int head, int child, uint64_t* out) noexcept nogil
    cdef int bound_keys(self, uint64_t* upper, uint64_t* lower, uint64_t seed, int first, int second, bint far,
                        uint64_t* out) noexcept nogil
    cdef int above_keys(self, int head, int child, uint64_t* out) noexcept nogil
    cdef int below_keys(self, int grandparent, int head, uint64_t* out) noexcept nogil
