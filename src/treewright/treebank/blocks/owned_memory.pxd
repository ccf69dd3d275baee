
cdef class Owner:
    cdef void** blocks
    cdef int n_blocks
    cdef void** place_of(self, void* block) except NULL nogil
    cdef void* new_block(self, size_t count, size_t size) except NULL nogil
    cdef void* resized(self, void* block, size_t count, size_t size) except NULL nogil
    cdef void release(self, void* block) noexcept nogil
