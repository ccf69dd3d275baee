from libc.stdint cimport int64_t

from treewright.kinds.transition.engines.chooser cimport Chooser
from treewright.kinds.transition.engines.walk cimport Scratch, Walker
from treewright.treebank.blocks.owned_memory cimport Owner


cdef class Margins(Owner):
    cdef float* values                   # by how much the chosen move is better than each other one
    cdef int64_t* starts                 # [n + 1]; a decision in two steps has two rows
    cdef int64_t* words                  # the word that got its head by the move of a row
    cdef int64_t n, n_values, room, values_room
    cdef int add(self, const float* row, int64_t n, int64_t word) except -1 nogil


cdef class ConfidentParser(Walker):
    cdef readonly Chooser parser
    cdef readonly double beta
    cdef float[::1] knots                # of the isotonic function: confidences, rising …
    cdef float[::1] levels               # … and their calibrated values; both empty without one
    cdef int record(self, Scratch s, int dependent, int64_t n_first, int64_t n) except -1 nogil
