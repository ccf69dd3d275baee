"""Easy-first parsing. See easy_first.pyx."""
from libc.stdint cimport int32_t, int64_t

from treewright.features.encoder cimport Encoded
from treewright.parsing.greedy cimport GreedyParser, Scratch
from treewright.systems.configuration cimport Configuration


cdef class ListScratch(Scratch):
    cdef int capacity
    cdef int n_leaves
    cdef float* score                # of the best move at the place left of which a node stands, by node
    cdef int32_t* kind
    cdef int32_t* label
    cdef int32_t* winner             # a tournament: winner[1] is the node with the highest score
    cdef int prepare(self, int n) except -1 nogil
    cdef void enter(self, int node, float score) noexcept nogil
    cdef void play(self) noexcept nogil


cdef class EasyFirstParser(GreedyParser):
    cdef int before, behind          # places that features look at, left and right of the word in focus
    cdef int parse_list(self, Encoded e, int64_t row, int n, ListScratch s, int32_t* heads, int32_t* labels) except -1 nogil
    cdef void judge(self, Configuration* c, Encoded e, int64_t row, ListScratch s, int node) noexcept nogil
    cdef void judge_all(self, Configuration* c, Encoded e, int64_t row, ListScratch s) noexcept nogil
    cdef void judge_around(self, Configuration* c, Encoded e, int64_t row, ListScratch s) noexcept nogil
