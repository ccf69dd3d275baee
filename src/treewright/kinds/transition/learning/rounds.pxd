"""What online trainers share: rounds over shuffled sentences. See rounds.pyx."""
from libc.stdint cimport int32_t, int64_t, uint64_t

from treewright.kinds.transition.engines.walk cimport Scratch, Walker
from treewright.systems.gold cimport GoldStandard
from treewright.systems.rules.live_gold cimport LiveGold
from treewright.kinds.transition.learning.corpus cimport EncodedSentences

cdef enum Policy:
    STATIC
    AMBIGUITY
    EXPLORE


cdef class Rounds(Walker):
    cdef EncodedSentences sentences
    cdef GoldStandard gold                       # of the sentence at hand
    cdef LiveGold live                           # the same where rules hold, or None: there are none
    cdef Scratch scratch
    cdef int policy, k, sentence
    cdef double p
    cdef bint follow_above
    cdef uint64_t random_state
    cdef readonly int64_t decisions, mistakes    # in this round
    cdef readonly int round
    cdef int32_t[::1] order                      # of the sentences, and one number more, so that it is never empty
    cdef int prepare(self, Walker parser, EncodedSentences sentences, Scratch scratch, policy) except -1
    cdef int learn_sentence(self, int sentence, int n) except -1 nogil
    cdef bint follows(self) noexcept nogil
    cdef uint64_t random(self) noexcept nogil
