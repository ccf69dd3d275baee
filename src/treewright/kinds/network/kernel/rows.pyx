"""Matrices that layers take and give: activations (16-bit integers) and scores (floats)."""
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_ND, PyBUF_STRIDES, PyBUF_WRITABLE
from libc.stdint cimport int16_t, int32_t
from libc.string cimport memcpy

from treewright.errors import TreewrightError
from treewright.kinds.network.kernel.paths cimport current_path

cdef extern from "neural_elements.h" nogil:
    void tw_quantise_row(int path, const float* x, int n, int16_t* out)

cdef enum:
    WIDEST = 1 << 20
    PADDING = 16


cdef Py_ssize_t padded(Py_ssize_t n, Py_ssize_t width) except -1:
    """Return the distance of rows. The padding is zero, which products rely on."""
    if not 0 < width <= WIDEST or n < 0:
        raise TreewrightError(f"{n} rows of {width} numbers: rows have 1 to {WIDEST} numbers")
    return (width + PADDING - 1) // PADDING * PADDING


cdef Rows new_rows(Py_ssize_t n, Py_ssize_t width):
    cdef Rows rows = Rows.__new__(Rows)
    rows.data = <int16_t*>rows.reserve(n, width, sizeof(int16_t), b"h")
    return rows


cdef FloatRows new_float_rows(Py_ssize_t n, Py_ssize_t width):
    cdef FloatRows rows = FloatRows.__new__(FloatRows)
    rows.data = <float*>rows.reserve(n, width, sizeof(float), b"f")
    return rows


cdef class Matrix:
    """What both kinds of rows share: their memory, which they lend by the buffer protocol, for reading only."""

    cdef void* reserve(self, Py_ssize_t n, Py_ssize_t width, Py_ssize_t item, char* format) except NULL:
        """Return zeroed memory for rows of numbers of ``item`` bytes, once only."""
        cdef Py_ssize_t stride = padded(n, width)
        if self.memory != NULL:
            raise TypeError("rows cannot be changed")
        self.memory = self.new_block(n, stride * item)
        self.n, self.width, self.stride, self.format = n, <int>width, stride, format
        self.lengths[0], self.lengths[1] = n, width
        self.steps[0], self.steps[1] = stride * item, item
        return self.memory

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        cdef bint strided = flags & PyBUF_STRIDES == PyBUF_STRIDES
        if self.memory == NULL:
            raise BufferError("rows without numbers")
        if flags & PyBUF_WRITABLE == PyBUF_WRITABLE:
            raise BufferError("rows cannot be changed")
        if not strided and self.stride != self.width:
            raise BufferError("rows do not follow each other without gaps: ask for strides")
        buffer.buf, buffer.obj, buffer.readonly = self.memory, self, 1
        buffer.len, buffer.itemsize, buffer.ndim = self.n * self.width * self.steps[1], self.steps[1], 2
        buffer.format = self.format if flags & PyBUF_FORMAT else NULL
        buffer.shape = self.lengths if flags & PyBUF_ND else NULL
        buffer.strides = self.steps if strided else NULL
        buffer.suboffsets, buffer.internal = NULL, NULL

    @property
    def shape(self):
        return self.n, self.width

    def __len__(self):
        return self.n

    def view(self):
        """Return the numbers, without a copy."""
        return memoryview(self)

    def tolist(self):
        """Return the numbers as a list per row."""
        return memoryview(self).tolist()


cdef class Rows(Matrix):
    """A matrix of activations: 16-bit integers in units of 1/2048, from -32767 to 32767.

    ``values`` is a two-dimensional buffer of format ``h``; ``memoryview(rows)`` gives the numbers back.
    """

    def __init__(self, const int16_t[:, :] values):
        cdef Py_ssize_t r, k
        self.data = <int16_t*>self.reserve(values.shape[0], values.shape[1], sizeof(int16_t), b"h")
        for r in range(self.n):
            for k in range(self.width):
                if values[r, k] == -32768:
                    raise TreewrightError(f"row {r} has the activation -32768; the smallest is -32767")
                self.data[r * self.stride + k] = values[r, k]

    def take(self, const int32_t[::1] which):
        """Return the rows with these numbers, in this order; one may come several times."""
        cdef Rows made = new_rows(which.shape[0], self.width)
        cdef Py_ssize_t i, k
        require_rows(which, self.n)
        with nogil:
            for i in range(which.shape[0]):
                for k in range(self.stride):
                    made.data[i * self.stride + k] = self.data[which[i] * self.stride + k]
        return made


cdef class FloatRows(Matrix):
    """A matrix of floats, such as scores. ``values`` is a two-dimensional buffer of format ``f``."""

    def __init__(self, const float[:, :] values):
        cdef Py_ssize_t r, k
        self.data = <float*>self.reserve(values.shape[0], values.shape[1], sizeof(float), b"f")
        for r in range(self.n):
            for k in range(self.width):
                self.data[r * self.stride + k] = values[r, k]

    def quantised(self):
        """Return them as activations: times 2048, clipped to 16 bits, rounded to the nearest, halves to even."""
        cdef Rows made = new_rows(self.n, self.width)
        cdef Py_ssize_t r
        cdef int path = current_path()
        with nogil:
            for r in range(self.n):
                tw_quantise_row(path, self.data + r * self.stride, self.width, made.data + r * made.stride)
        return made


cdef int require_width(Rows rows, int width, str what) except -1:
    if rows.width != width:
        raise TreewrightError(f"{what} takes rows of {width} numbers, not of {rows.width}")
    return 0


cdef int require_rows(const int32_t[::1] which, Py_ssize_t n) except -1:
    cdef Py_ssize_t i
    for i in range(which.shape[0]):
        if not 0 <= which[i] < n:
            raise TreewrightError(f"row {which[i]} is not one of {n}")
    return 0


cdef Py_ssize_t require_lengths(const int32_t[::1] lengths, Py_ssize_t n) except -1:
    """Check that the lengths of sentences add up to the number of rows; return how many sentences there are."""
    cdef Py_ssize_t total = 0, s
    for s in range(lengths.shape[0]):
        if lengths[s] < 0:
            raise TreewrightError(f"sentence {s} has the length {lengths[s]}")
        total += lengths[s]
    if total != n:
        raise TreewrightError(f"sentences of {total} words in all, but {n} rows")
    return lengths.shape[0]


def side_by_side(Rows left not None, Rows right not None):
    """Return each row of ``left`` followed by the same row of ``right``: inputs that come from two places."""
    cdef Rows made
    cdef Py_ssize_t r
    if left.n != right.n:
        raise TreewrightError(f"{left.n} rows beside {right.n}")
    made = new_rows(left.n, left.width + right.width)
    with nogil:
        for r in range(left.n):
            memcpy(made.data + r * made.stride, left.data + r * left.stride, left.width * sizeof(int16_t))
            memcpy(
                made.data + r * made.stride + left.width, right.data + r * right.stride, right.width * sizeof(int16_t)
            )
    return made
