"""What online trainers share: rounds over shuffled sentences. See rounds.pyx."""
from libc.stdint cimport int32_t, int64_t, uint64_t

from treewright.training.corpus cimport EncodedSentences


cdef class Rounds:
    cdef EncodedSentences sentences
    cdef uint64_t random_state
    cdef readonly int64_t decisions, mistakes    # in this round
    cdef readonly int round
    cdef int32_t[::1] order                      # of the sentences, and one number more, so that it is never empty
    cdef void prepare(self, EncodedSentences sentences, uint64_t seed)
    cdef int learn_sentence(self, int sentence, int n) except -1 nogil
    cdef uint64_t random(self) noexcept nogil
    cdef double uniform(self) noexcept nogil
