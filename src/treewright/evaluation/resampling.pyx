"""The resampling loop of the paired bootstrap."""
from array import array

from libc.stdint cimport uint64_t


cdef inline uint64_t next_random(uint64_t* state) noexcept nogil:
    """splitmix64 (Steele, Lea, Flood 2014): the same draws on every machine."""
    cdef uint64_t z
    state[0] += <uint64_t>0x9E3779B97F4A7C15ULL
    z = state[0]
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9ULL
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EBULL
    return z ^ (z >> 31)


def resampled_ratios(
    const double[::1] numerators, const double[::1] denominators, int resamples, unsigned long long seed
):
    """Return sum(numerators) / sum(denominators) for ``resamples`` samples drawn with replacement."""
    cdef uint64_t state = seed
    cdef uint64_t n = numerators.shape[0]
    cdef uint64_t _i, place
    cdef int resample
    cdef double above, below
    ratios = array("d", bytes(8 * resamples))
    cdef double[::1] ratio = ratios
    with nogil:
        for resample in range(resamples):
            above = below = 0.0
            for _i in range(n):
                place = ((next_random(&state) >> 32) * n) >> 32
                above += numerators[place]
                below += denominators[place]
            ratio[resample] = above / below if below > 0 else 0.0
    return ratios
