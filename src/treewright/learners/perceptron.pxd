from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

from treewright.learners.learner cimport OnlineLearner

cdef struct Slot:
    uint64_t key             # 0: empty
    int32_t feature


cdef struct MoveWeights:     # of one feature: current, and the sum of (step × time) that averaging needs
    float weight[4]
    float late[4]
    int64_t row              # place of its entries in the pool, or of its dense row
    int32_t row_size, row_room   # row_room DENSE: one weight for every class


cdef struct Entry:
    float weight
    int32_t label_class
    float late


cdef enum:
    DENSE = -1
    MOST_ENTRIES = 16        # a longer list of entries becomes a dense row


cdef inline uint64_t canonical(uint64_t line, uint16_t tag, uint64_t n_lines) noexcept nogil:
    """The least key with this line and tag."""
    return ((line << 32) + n_lines - 1) // n_lines << 32 | tag


cdef class Perceptron(OnlineLearner):
    cdef readonly int n_kinds, n_classes
    cdef public double time              # decisions so far, from 1
    cdef Slot* slots
    cdef int64_t n_slots, n_features
    cdef uint64_t* keys                  # by feature
    cdef MoveWeights* features
    cdef int64_t features_room
    cdef Entry* pool
    cdef int64_t pool_size, pool_room
    cdef int64_t free_rows[8]            # first free row of each size class, -1: none
    cdef float* dense                    # rows of n_padded weights, then as many sums for averaging
    cdef int64_t n_dense, dense_room
    cdef int n_padded, has_avx2
    cdef uint8_t* seen                   # how often a key was asked for before it became a feature, by its low bits
    cdef readonly int cutoff
    cdef readonly int64_t n_lines        # not 0: features are known by line and tag only, as in a model of so many lines

    cdef int32_t find(self, uint64_t key) noexcept nogil
    cdef int32_t find_or_add(self, uint64_t key) except -2 nogil
    cdef int32_t add(self, uint64_t key) except -1 nogil
    cdef int grow_features(self) except -1 nogil
    cdef int grow_slots(self) except -1 nogil
    cdef int add_to_class(self, MoveWeights* feature, int label_class, float step, float late) except -1 nogil
    cdef int make_dense(self, MoveWeights* feature) except -1 nogil
    cdef Entry class_weight(self, const MoveWeights* feature, int at) noexcept nogil
    cdef int n_entries(self, const MoveWeights* feature) noexcept nogil
    cdef void add_rows(self, const int32_t* found, int n_rows, int first, int end, float* classes) noexcept nogil
    cdef int64_t new_row(self, int size_class) except -1 nogil
