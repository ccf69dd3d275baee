"""What online trainers share: rounds over shuffled sentences. See rounds.pyx."""
from libc.stdint cimport int32_t, int64_t, uint64_t


cdef class Rounds:
    cdef uint64_t random_state
    cdef readonly int64_t decisions, mistakes    # in this round
    cdef readonly int round
    cdef int32_t[::1] order                      # of the sentences, and one number more, so that it is never empty
    cdef void prepare(self, int n_sentences, uint64_t seed)
    cdef uint64_t random(self) noexcept nogil
    cdef double uniform(self) noexcept nogil
