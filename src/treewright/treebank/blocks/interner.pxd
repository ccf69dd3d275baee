from treewright.treebank.blocks.key_numbers cimport KeyNumbers


cdef class Interner:
    cdef readonly list strings           # the strings, as str
    cdef KeyNumbers numbers              # by hash
    cdef int find(self, const char* text, int length) noexcept nogil
    cdef int intern(self, const char* text, int length) except -1
    cdef int grow(self) except -1
