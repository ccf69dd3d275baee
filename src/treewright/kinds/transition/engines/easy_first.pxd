"""Easy-first parsing. See easy_first.pyx."""
from libc.math cimport INFINITY
from libc.stdint cimport int32_t, int64_t

from treewright.kinds.transition.engines.greedy cimport GreedyParser
from treewright.kinds.transition.engines.walk cimport Configuration, Encoded, Scratch


cdef class ListScratch(Scratch):
    cdef int capacity
    cdef int n_leaves
    cdef float* score                # of the best move at the place right of a node, by node
    cdef int32_t* kind
    cdef int32_t* label
    cdef int32_t* winner             # a tournament: winner[1] is the node with the highest score
    cdef int prepare(self, int n) except -1 nogil
    cdef void enter(self, int node, float score) noexcept nogil


cdef class EasyFirstParser(GreedyParser):
    cdef int before, behind          # places that features look at, left and right of the word in focus
    cdef void judge_all(self, Configuration* c, Encoded e, int64_t row, ListScratch s) noexcept nogil


cdef inline void leave_list(Configuration* c, ListScratch s) noexcept nogil:
    """Take the place of the word that the last move attached out of the tournament; its head is in focus."""
    s.enter(c.leftmost[c.focus] if c.last_kind[0] == 0 else c.rightmost[c.focus], -INFINITY)
