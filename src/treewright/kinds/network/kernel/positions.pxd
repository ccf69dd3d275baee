from libc.stdint cimport int16_t, int32_t, int64_t

from treewright.kinds.network.kernel.packed cimport Packed
from treewright.kinds.network.kernel.rows cimport Rows
from treewright.treebank.blocks.owned_memory cimport Owner

cdef class PositionLayers:
    cdef Packed first, second
    cdef readonly Rows fixed             # rows that stand for no word: positions that are empty, past moves
    cdef readonly int first_size, second_size, width

cdef class PositionSums(Owner):
    cdef readonly PositionLayers layers
    cdef Rows words
    cdef readonly int n_slots            # of a word's row
    cdef int32_t* sums
    cdef float* floats
    cdef int16_t* hidden
    cdef float* out
    cdef int bind_rows(self, Rows words) except -1
    cdef const float* score(self, const int32_t* places, int n, bint second) noexcept nogil
