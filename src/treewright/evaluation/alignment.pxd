from libc.stdint cimport int32_t, uint8_t

from treewright.evaluation.side cimport Side
from treewright.treebank.blocks.interner cimport Interner


cdef class Alignment:
    cdef Side gold, system
    cdef Interner folded                 # lower-cased forms inside multiword spans
    cdef int gold_first, gold_end, system_first, system_end     # words
    cdef int gold_base, system_base      # start of the sentences in the two texts
    cdef int32_t* system_of              # [gold word - gold_first]: index of the system word, or NOT_ALIGNED
    cdef int32_t* gold_of                # [system word - system_first]: index of the gold word, or NOT_ALIGNED
    cdef int n_aligned

    cdef int _align(self) except -1
    cdef int _multiword_span(self, Side gold, Side system, int* gold_from, int* system_from,
                             int* gold_to, int* system_to) noexcept nogil
    cdef int _align_by_form(self, int gold_from, int gold_to, int system_from, int system_to) except -1
    cdef uint8_t* _gains(self, int32_t* gold_forms, int n, int32_t* system_forms, int m) except NULL
    cdef void _follow(self, uint8_t* gains, int32_t* gold_forms, int n, int32_t* system_forms, int m,
                      int gold_from, int system_from) noexcept nogil
    cdef int _fold(self, Side side, int word) except -1

    cdef inline void match(self, int gold_word, int system_word) noexcept nogil:
        self.system_of[gold_word - self.gold_first] = system_word
        self.gold_of[system_word - self.system_first] = gold_word
        self.n_aligned += 1
