from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

from treewright.features.extractor cimport tw_place
from treewright.learners.learner cimport Scorer

cdef extern from "weight_lines.h" nogil:
    ctypedef struct tw_line:
        uint16_t tag[6]
        uint32_t row[6]
        int8_t move[6][4]

    enum:
        TW_AT_ONCE

    ctypedef struct tw_rows:
        int32_t n_dense, n_sparse

    ctypedef struct tw_table:
        const tw_line* lines
        const uint8_t* rows
        uint32_t n_lines
        int32_t n_classes
        int32_t has_avx2
        int32_t wide


cdef class LinearTable(Scorer):
    cdef tw_table table
    cdef tw_place place                  # lets the extractor prefetch lines early
    cdef tw_line* lines
    cdef uint8_t* rows
    cdef readonly object weights         # the FrozenWeights it was made from
    cdef void sum_moves(self, const uint64_t* keys, int n, int32_t* kinds, tw_rows* rows) noexcept nogil
    cdef void sum_moves_only(self, const uint64_t* keys, int n, int32_t* kinds) noexcept nogil
    cdef void sum_rows(self, const tw_rows* rows, int first, int end, int16_t* classes) noexcept nogil
    cdef void add_classes(
        self, const uint64_t* keys, int n, const float* before, float* classes
    ) noexcept nogil
    cdef void begin_rows(self, const tw_rows* rows, int first, int end, int16_t* classes) noexcept nogil
