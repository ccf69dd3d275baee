from libc.stdint cimport int8_t, int16_t, int32_t

from treewright.kinds.network.kernel.rows cimport Rows
from treewright.treebank.blocks.owned_memory cimport Owner

cdef extern from "neural_product.h" nogil:
    enum:
        TW_PANEL
        TW_SLICE
        TW_LARGEST_SUM

    ctypedef struct tw_weights16:
        const int16_t* panels
        const float* scales
        const float* bias
        int32_t n_panels, n_pairs

    ctypedef void (*tw_tile)(int n, const int16_t** inputs, const int16_t* panel, int n_pairs, const float* scales,
                             const float** added, float** out)

    void tw_multiply(tw_tile tile, int path, const tw_weights16* w, int n, const int16_t** inputs, const float** added,
                     float** out)

cdef class Packed(Owner):
    cdef tw_weights16 weights
    cdef readonly int n_outputs, n_inputs
    cdef int padded                      # outputs of all panels
    cdef int16_t* memory                 # what panels are a part of
    cdef float* scales
    cdef float* bias
    cdef void multiply(self, int path, const int16_t* inputs, Py_ssize_t stride, int n, float* out,
                       Py_ssize_t out_stride) noexcept nogil

cdef Packed pack(const int8_t[:, ::1] weights, const float[::1] scales, const float[::1] bias, const int32_t* order,
                 int n_panels, str what)
cdef Packed pack_in_order(const int8_t[:, ::1] weights, const float[::1] scales, const float[::1] bias, str what)
cdef tw_tile tile_of(int path) noexcept nogil
cdef int16_t* aligned(int16_t* memory) noexcept nogil
