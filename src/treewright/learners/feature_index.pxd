from libc.stdint cimport int32_t, int64_t, uint64_t


cdef class FeatureIndex:
    cdef uint64_t* keys                  # by number - 1
    cdef int32_t* slots                  # number of the key in the slot; 0: empty
    cdef int64_t n_slots, room
    cdef readonly int32_t n_features
    cdef int32_t find(self, uint64_t key) noexcept nogil
    cdef int32_t number_of(self, uint64_t key) except -1 nogil
    cdef int grow(self) except -1 nogil
