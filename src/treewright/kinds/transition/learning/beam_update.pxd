"""The difference between two sequences of moves, as features. See beam_update.pyx."""
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from treewright.learners.perceptron cimport Perceptron


cdef struct Touched:         # a feature that a sequence has
    uint64_t key
    uint32_t update          # of another update: the entry is empty
    int32_t first            # its first change, NONE


cdef struct WeightChange:    # of one weight of a feature
    int32_t next
    int32_t weight           # a kind, or MAX_KINDS + class
    float size


cdef class FeatureDifference:
    cdef Touched* table
    cdef int64_t mask
    cdef uint32_t update
    cdef int32_t* order      # places in the table, as they were met
    cdef int n_touched
    cdef WeightChange* changes
    cdef int n_changes, changes_room
    cdef void clear(self) noexcept nogil
    cdef int add(self, const uint64_t* keys, const int* counts, int kind, int label_class, float size) except -1 nogil
    cdef int change(self, uint64_t key, int kind, int label_class, float size) except -1 nogil
    cdef int change_weight(self, Touched* entry, int weight, float size) except -1 nogil
    cdef int grow(self) except -1 nogil
    cdef int teach(self, Perceptron learner, float step) except -1 nogil
