from libc.stdint cimport int32_t, uint64_t

from treewright.treebank.blocks.block cimport Block


cdef class Arcs:
    cdef int32_t* first                  # [n_words + 1]: first arc of a word
    cdef int32_t* head                   # [n_arcs]: word index in the block, -1 for the root
    cdef uint64_t* path                  # [n_arcs]: hash of the relation, or path of relations, as written
    cdef uint64_t* bare                  # [n_arcs]: the same without subtypes
    cdef int n_arcs, room
    cdef int most                        # largest number of arcs of a word

    cdef int _read(self, Block block, int sentence) except -1
    cdef int _arc(self, Block block, int sentence, int word, const char* text, const char* stop) except -1
    cdef int _grow(self) except -1


cdef uint64_t arc_key(int head, uint64_t path) noexcept nogil
cdef long long equal_pairs(uint64_t* left, int n_left, uint64_t* right, int n_right) noexcept nogil
