from libc.stdint cimport int32_t, int64_t

from treewright.features.encoder cimport Encoded
from treewright.learners.learner cimport Moves
from treewright.parsing.greedy cimport GreedyParser, Scratch
from treewright.systems.configuration cimport Configuration


cdef class Margins:
    cdef float* values                   # by how much the chosen move is better than each other one
    cdef int64_t* starts                 # [n + 1]; a decision in two steps has two rows
    cdef int64_t* words                  # the word that a row's move gave its head
    cdef int64_t n, n_values, room, values_room
    cdef int add(self, const float* row, int n, int64_t word) except -1 nogil


cdef class ConfidentParser:
    cdef readonly GreedyParser parser
    cdef readonly double beta
    cdef float[::1] knots                # of the isotonic function: confidences, rising …
    cdef float[::1] levels               # … and what they are worth; both empty without one
    cdef float* row
    cdef int margins_of(self, const Configuration* c, Scratch s, unsigned legal, int kind, int label, float* row,
                        int* first) noexcept nogil
    cdef float calibrated(self, double confidence) noexcept nogil
    cdef int parse(self, Encoded e, int64_t at, int n, Scratch s, float* row, int32_t* heads, int32_t* labels,
                   float* confidences, Margins margins, int64_t word) except -1 nogil
