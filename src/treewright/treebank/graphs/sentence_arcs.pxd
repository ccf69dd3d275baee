from libc.stdint cimport int32_t


cdef class SentenceArcs:
    cdef int n_words, n_arcs, room, word_room
    cdef int32_t* head               # of an arc; 0 is the root
    cdef int32_t* dependent
    cdef int32_t* label
    cdef int32_t* first_in           # [n_words + 2]: arcs to word w are arriving[first_in[w] .. first_in[w + 1]]
    cdef int32_t* arriving
    cdef int32_t* first_out          # [n_words + 2]: arcs from node h are leaving[first_out[h] .. first_out[h + 1]]
    cdef int32_t* leaving            # by dependent, ascending
    cdef int begin(self, int n_words) except -1 nogil
    cdef int add(self, int head, int dependent, int label) except -1 nogil
    cdef bint has(self, int head, int dependent, int label) noexcept nogil
    cdef int index(self) except -1 nogil
