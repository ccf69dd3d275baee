"""The difference between two sequences of moves, as features. See beam_update.pyx."""
from libc.stdint cimport int32_t, uint64_t

from treewright.kinds.transition.engines.memo cimport Memo
from treewright.learners.perceptron cimport Perceptron
from treewright.treebank.blocks.owned_memory cimport Owner


cdef struct Touched:         # a feature that a sequence has
    uint64_t key
    int32_t first            # its first change, NONE


cdef struct WeightChange:    # of one weight of a feature
    int32_t next
    int32_t weight           # a kind, or MAX_KINDS + class
    float size


cdef class FeatureDifference(Owner):
    cdef Memo places         # among those touched, by key
    cdef Touched* touched    # as they were met
    cdef int n_touched, touched_room
    cdef WeightChange* changes
    cdef int n_changes, changes_room
    cdef void clear(self) noexcept nogil
    cdef int add(self, const uint64_t* keys, const int* counts, int kind, int label_class, float size) except -1 nogil
    cdef int teach(self, Perceptron learner, float step) except -1 nogil
