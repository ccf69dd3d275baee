from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint64_t

from treewright.learners.learner cimport OnlineLearner

cdef struct Slot:
    uint64_t key             # 0: empty
    int32_t feature


cdef struct Feature:         # behind it in memory: its weights for kinds, then their sums of (step × time)
    int64_t row              # place of its entries in the pool, or of its dense row
    int32_t row_size, row_room   # row_room DENSE: one weight for every class


cdef struct Entry:           # a weight for a class
    float weight
    int32_t label_class
    float late               # the sum of (step × time) that averaging needs


cdef enum:
    DENSE = -1
    LONG = 4                 # rows of 2 ** 4 entries are long: the next entry makes them dense, if classes are few
    FEW_KINDS = 4            # a feature has as many weights for kinds of move, or MAX_KINDS if that is too few


cdef inline uint64_t canonical(uint64_t line, uint16_t tag, uint64_t n_lines) noexcept nogil:
    """Return the least key with this line and tag."""
    return ((line << 32) + n_lines - 1) // n_lines << 32 | tag


cdef inline float* kind_weights_of(const Feature* feature) noexcept nogil:
    return <float*>(feature + 1)


cdef class Perceptron(OnlineLearner):
    cdef public double time              # decisions so far, from 1
    cdef Slot* slots
    cdef int64_t n_slots, n_features
    cdef uint64_t* keys                  # by feature
    cdef char* features                  # n_features of them, feature_size bytes each; see at()
    cdef int64_t features_room, feature_size
    cdef Entry* pool
    cdef int64_t pool_size, pool_room
    cdef int64_t free_rows[8]            # first free row of each size class, or -1
    cdef float* dense                    # rows of n_padded weights, each followed by as many sums for averaging
    cdef int64_t n_dense, dense_room
    cdef int n_padded, has_avx2
    cdef int longest                     # rows have room for 2 ** longest entries, or are dense
    cdef uint8_t* seen                   # how often a key was requested before it became a feature, by its low bits
    cdef unsigned weightless             # bit k: a kind of move has no weights that its labelled moves share
    cdef readonly int cutoff
    cdef readonly int64_t n_lines        # if not 0, features are known by line and tag only, as in a model of n_lines

    cdef inline Feature* at(self, int32_t feature) noexcept nogil:
        return <Feature*>(self.features + feature * self.feature_size)

    cdef int32_t find(self, uint64_t key) noexcept nogil
    cdef int32_t find_or_add(self, uint64_t key) except -2 nogil
    cdef int32_t add(self, uint64_t key) except -1 nogil
    cdef void add_to_kind(self, int32_t feature, int kind, float step, float late) noexcept nogil
    cdef int add_to_class(self, int32_t number, int label_class, float step, float late) except -1 nogil
    cdef Entry kind_weight(self, const Feature* feature, int kind) noexcept nogil
    cdef Entry class_weight(self, const Feature* feature, int at) noexcept nogil
    cdef int n_entries(self, const Feature* feature) noexcept nogil
    cdef void add_rows(self, const int32_t* found, int n_rows, int first, int end, float* classes) noexcept nogil
