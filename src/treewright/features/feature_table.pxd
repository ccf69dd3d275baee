from libc.stdint cimport int16_t, uint64_t

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


cdef dict places_in(dict numbered)
cdef int load_section(Section* out, str name, tuple sections, dict places, dict rows, uint64_t multiplier) except -1
