"""Words that may not govern others, by their tags. See leaf_tags.pyx."""
from treewright.treebank.blocks.block cimport Block


cdef class LeafTags:
    cdef readonly tuple tags
    cdef list texts                      # the same as bytes
    cdef int n
    cdef const char** text
    cdef int* length
    cdef bint has(self, Block block, int word) noexcept nogil
    cdef void mark(self, Block block, int sentence, unsigned char* out) noexcept nogil


cdef void waive(unsigned char* flags, int n) noexcept nogil
