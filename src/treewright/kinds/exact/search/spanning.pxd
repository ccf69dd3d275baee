from libc.stdint cimport int32_t, int64_t

from treewright.treebank.blocks.owned_memory cimport Owner

cdef double NEVER                        # the score of a forbidden arc


cdef class SpanningScratch(Owner):
    cdef readonly int capacity
    cdef double* reduced                 # [n + 1][n + 1]: arc scores minus the duals of the sets they enter, <= 0
    cdef int32_t* group                  # by word: the outermost contracted set it is in; one block up to ``mark``
    cdef int32_t* next_word              # words of one set, as a list
    cdef int32_t* first_word             # by set
    cdef int32_t* last_word
    cdef int32_t* enter_from             # the arc that enters a set
    cdef int32_t* enter_to
    cdef int32_t* parent_set
    cdef int32_t* mark
    cdef double* chart                   # for Eisner's algorithm
    cdef int32_t* split
    cdef int64_t chart_size
    cdef int reserve(self, int n) except -1 nogil
    cdef double best(self, const double* scores, int n, bint single_root, bint projective,
                     int32_t* heads) except? -1 nogil
    cdef double best_tree(self, const double* scores, int n, bint single_root, int32_t* heads) except? -1 nogil
    cdef double best_projective(self, const double* scores, int n, bint single_root, int32_t* heads) except? -1 nogil
    cdef int reduce_projective(self, const double* scores, int n, bint single_root, double best) except -1 nogil
