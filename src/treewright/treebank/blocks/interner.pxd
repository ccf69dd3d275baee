"""Number strings. See interner.pyx."""
from libc.stdint cimport int32_t, uint64_t


cdef class Interner:
    cdef readonly list strings           # the strings, as str
    cdef uint64_t* keys
    cdef int32_t* values
    cdef int capacity
    cdef int find(self, const char* text, int length) noexcept nogil
    cdef int intern(self, const char* text, int length) except -1
    cdef int grow(self) except -1
