"""Keys of the tagger's features, each looked up in advance where its weights will be read."""
from libc.stdint cimport uint64_t

from treewright.features.extractor cimport tw_place

cdef extern from "join.h" nogil:
    uint64_t tw_turn(uint64_t x, int by)
    uint64_t tw_ask(const tw_place* p, uint64_t key)


# A template is a number; its features are its number and their values, mixed.
cdef inline uint64_t seed(int template) noexcept nogil:
    return <uint64_t>template * 0x9E3779B97F4A7C15ULL


cdef inline int single(const tw_place* place, uint64_t* out, int n, int template, uint64_t a) noexcept nogil:
    out[n] = tw_ask(place, seed(template) + a)
    return n + 1


cdef inline int pair(const tw_place* place, uint64_t* out, int n, int template, uint64_t a, uint64_t b) noexcept nogil:
    out[n] = tw_ask(place, seed(template) + a + tw_turn(b, 17))
    return n + 1


cdef inline int triple(
    const tw_place* place, uint64_t* out, int n, int template, uint64_t a, uint64_t b, uint64_t c
) noexcept nogil:
    out[n] = tw_ask(place, seed(template) + a + tw_turn(b, 17) + tw_turn(c, 31))
    return n + 1
