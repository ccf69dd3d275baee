from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from treewright.treebank.blocks.owned_memory cimport Owner


cdef struct CountedKey:
    uint64_t key
    int64_t times            # 0: the slot is free


cdef class KeySet(Owner):
    """Keys with counts; grows."""
    cdef int64_t count, size
    cdef CountedKey* slots
    cdef int add(self, uint64_t key) except -1 nogil
    cdef int grow(self) except -1 nogil


cdef class KeyTable:
    """A fixed set of keys; a key's slot is its number."""
    cdef readonly int64_t size           # slots, a power of two
    cdef int shift
    cdef const uint32_t* tags
    cdef object owner                    # what keeps the tags alive
    cdef int64_t find(self, uint64_t key) noexcept nogil


cdef class WeightTable(KeyTable):
    cdef float* weights
    cdef object weight_owner
    cdef double sum_of(self, const uint64_t* keys, int n) noexcept nogil
    cdef void each(self, const uint64_t* keys, int n, float* out) noexcept nogil


cdef class RowTable(KeyTable):
    """Rows of weights by key, one weight per relation."""
    cdef readonly int width              # padded to a multiple of eight
    cdef readonly int64_t n_rows
    cdef const int32_t* numbers          # row by slot
    cdef float* rows
    cdef object number_owner, row_owner
    cdef void add_rows(self, const uint64_t* keys, int n, float* out) noexcept nogil


cdef class Gradient(Owner):
    """Steps on an array of weights: AdaGrad or plain, averaged over all steps."""
    cdef float* weights
    cdef float* gradient
    cdef float* squares
    cdef float* sums
    cdef readonly int64_t size
    cdef int64_t* touched
    cdef int64_t n_touched
    cdef unsigned char* is_touched
    cdef object owner
    cdef int width                       # weights that are touched together
    cdef void touch(self, int64_t unit) noexcept nogil
    cdef void add(self, int64_t unit, int64_t weight, float amount) noexcept nogil
    cdef double norm(self) noexcept nogil
    cdef void step(self, float rate, double time, bint adaptive) noexcept nogil
