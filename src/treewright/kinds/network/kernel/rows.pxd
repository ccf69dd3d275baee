from libc.stdint cimport int16_t, int32_t

from treewright.treebank.blocks.owned_memory cimport Owner

cdef class Matrix(Owner):
    cdef readonly Py_ssize_t n
    cdef readonly int width
    cdef Py_ssize_t stride               # numbers from one row to the next: a multiple of 16, the rest is 0
    cdef Py_ssize_t[2] lengths, steps    # for the buffer protocol
    cdef char* format
    cdef void* memory
    cdef void* reserve(self, Py_ssize_t n, Py_ssize_t width, Py_ssize_t item, char* format) except NULL

cdef class Rows(Matrix):
    cdef int16_t* data

cdef class FloatRows(Matrix):
    cdef float* data

cdef Rows new_rows(Py_ssize_t n, Py_ssize_t width)
cdef FloatRows new_float_rows(Py_ssize_t n, Py_ssize_t width)
cdef int require_rows(const int32_t[::1] which, Py_ssize_t n) except -1
cdef int require_width(Rows rows, int width, str what) except -1
cdef Py_ssize_t require_lengths(const int32_t[::1] lengths, Py_ssize_t n) except -1
