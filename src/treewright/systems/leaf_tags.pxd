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


cdef inline bint is_underscore(Block block, int word, int column) noexcept nogil:
    return block.field_length(word, column) == 1 and block.field_start(word, column)[0] == c'_'


cdef inline int tag_column(Block block, int word) noexcept nogil:
    """The column of a word's tag: UPOS, or XPOS where UPOS is empty; -1 if neither is filled."""
    cdef int column = block.layout.upos
    if column < 0 or is_underscore(block, word, column):
        return block.layout.xpos if block.layout.xpos >= 0 else column
    return column
