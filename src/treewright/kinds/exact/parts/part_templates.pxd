from libc.stdint cimport int64_t, uint64_t

from treewright.treebank.blocks.owned_memory cimport Owner

cdef extern from "text_hash.h" nogil:
    uint64_t tw_mix(uint64_t a, uint64_t b)

cdef enum:
    MAX_TEMPLATES = 256
    N_DISTANCES = 40
    ADVISED = 3              # added to `near` of templates that also ask the adviser


cdef enum:                   # the roles of words
    THIRD = 0                # the grandparent, or the sibling
    HEAD = 1
    CHILD = 2


cdef struct Entry:           # a value in a template
    int template, role, offset, attribute, place


cdef struct Shape:           # what else is in a template
    uint64_t seed
    int near                 # head and child: 0 nothing, 1 direction, 2 distance; 3 more if the adviser is asked
    int far                  # the head and the third word: the same
    bint order
    bint each_head, each_child
    int between              # which of the two sets of tags, or -1


cdef struct Hashes:          # of what lies between words
    uint64_t direction[2]
    uint64_t distance[N_DISTANCES]
    uint64_t order[6]
    uint64_t of_adviser[5]
    uint64_t nothing         # instead of a direction or a distance to a word that is missing


cdef Hashes HASHES


cdef class Templates(Owner):
    """The templates of one kind of part, simple ones first, then those with lists."""
    cdef readonly int count, simple
    cdef int n_entries
    cdef Entry* entries
    cdef Shape* shapes
    cdef void spread(self, int role, const uint64_t* values, int n_attributes, int n, uint64_t* out) noexcept nogil
    cdef void spread_word(self, int role, const uint64_t* values, int n_attributes, int n, int64_t node,
                          uint64_t* out) noexcept nogil


cdef inline uint64_t turn(uint64_t x, int place) noexcept nogil:
    cdef int by = 11 * place + 5
    return x << by | x >> (64 - by)


cdef inline uint64_t mixed(uint64_t key) noexcept nogil:
    return tw_mix(key ^ 0x9E3779B97F4A7C15ULL, 0xD6E8FEB86659FD93ULL)


cdef inline int bucket(int distance) noexcept nogil:
    """The class of a signed distance: 1 to 5 have a class each, then classes get wider."""
    cdef int far = distance if distance > 0 else -distance
    cdef int at = far if far <= 5 else 6 if far <= 7 else 7 if far <= 10 else 8 if far <= 15 else 9 if far <= 25 else 10
    return at if distance > 0 else at + 16


cdef inline int thinned(uint64_t* keys, int n, uint64_t noise, uint64_t dropped) noexcept nogil:
    """Drop a random share of the keys, the same ones for the same noise; return how many remain."""
    cdef int i, out = 0
    for i in range(n):
        keys[out] = keys[i]
        out += ((keys[i] ^ noise) * 0x9E3779B97F4A7C15ULL) >> 32 >= dropped
    return out
