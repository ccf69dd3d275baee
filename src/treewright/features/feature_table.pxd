from libc.stdint cimport int16_t, uint64_t

from treewright.features.extractor cimport tw_place

cdef extern from "join.h" nogil:
    uint64_t tw_turn(uint64_t x, int by)
    uint64_t tw_ask(const tw_place* p, uint64_t key)

cdef enum:
    MOST_FEATURES = 48       # of a section
    MOST_READ = 24           # values of words that other values stand beside


cdef struct Feature:
    uint64_t seed            # of its key: made of its number
    int16_t value[3]         # places of its values
    int16_t place            # of its key


cdef struct Section:
    Feature features[MOST_FEATURES]      # those with one value first, then those with two, with three
    int n, end[4]                        # of all; of those with so many values or fewer
    int16_t read[MOST_READ]              # places of values in the row of the word, to be copied
    int n_read


cdef inline void count_up(uint64_t* values, int n) noexcept nogil:
    """Give each value its place, as ``places_in`` expects."""
    cdef int k
    for k in range(n):
        values[k] = k


cdef inline int put_keys(
    const Section* section, const uint64_t* values, const tw_place* place, uint64_t* out
) noexcept nogil:
    """Write the keys of a section's features, each asked for where its weights will be read; return how many.

    ``values`` is the row of a word, or a structure that has all values.
    """
    cdef const Feature* f = section.features
    cdef tw_place lines = place[0]
    cdef int k
    for k in range(section.end[1]):
        out[f[k].place] = tw_ask(&lines, f[k].seed + values[f[k].value[0]])
    for k in range(section.end[1], section.end[2]):
        out[f[k].place] = tw_ask(&lines, f[k].seed + values[f[k].value[0]] + tw_turn(values[f[k].value[1]], 17))
    for k in range(section.end[2], section.n):
        out[f[k].place] = tw_ask(&lines, f[k].seed + values[f[k].value[0]] + tw_turn(values[f[k].value[1]], 17)
                                 + tw_turn(values[f[k].value[2]], 31))
    return section.n


cdef dict places_in(dict numbered)
cdef int load_section(Section* out, str name, tuple sections, dict places, dict rows, uint64_t multiplier) except -1
