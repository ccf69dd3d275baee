"""Weights as products read them: expanded to 16 bits, in panels of 16 outputs (``native/neural_product.h``)."""
from libc.stdint cimport int8_t, int16_t, int32_t, uintptr_t

from treewright.treebank.blocks.owned_memory cimport Owner

from treewright.errors import ModelFileError

cdef extern from "neural_tiles.h" nogil:
    tw_tile tw_tile_of(int path)

cdef enum:
    LINE = 64                            # bytes that panels are aligned to

#: larger scales and biases could leave the range of floats
cdef float LARGEST = 1e6


cdef int16_t* aligned(int16_t* memory) noexcept nogil:
    """Return the first place in memory where a cache line begins; there must be 64 bytes more than needed."""
    return <int16_t*>((<uintptr_t>memory + LINE - 1) // LINE * LINE)


cdef tw_tile tile_of(int path) noexcept nogil:
    """Return the tile of a path. All modules ask for it here, so that tiles are compiled once."""
    return tw_tile_of(path)


cdef class Packed:
    """The weights of one product. Made by ``pack`` only."""

    cdef void multiply(self, int path, const int16_t* inputs, Py_ssize_t stride, int n, float* out,
                       Py_ssize_t out_stride) noexcept nogil:
        """Multiply up to ``TW_SLICE`` rows, and add the bias."""
        cdef const int16_t* rows[TW_SLICE]
        cdef const float* biases[TW_SLICE]
        cdef float* to[TW_SLICE]
        cdef int r
        for r in range(n):
            rows[r] = inputs + r * stride
            biases[r] = self.bias
            to[r] = out + r * out_stride
        tw_multiply(tw_tile_of(path), path, &self.weights, n, rows, biases, to)


cdef int check_numbers(const float[::1] numbers, Py_ssize_t wanted, str name, str what) except -1:
    cdef Py_ssize_t i
    if numbers.shape[0] != wanted:
        raise ModelFileError(f"{what} has {numbers.shape[0]} {name}, not {wanted}")
    for i in range(wanted):
        if not -LARGEST <= numbers[i] <= LARGEST:
            raise ModelFileError(f"{what}: {name} {i} is {numbers[i]}, not a number from {-LARGEST} to {LARGEST}")
    return 0


cdef int check_sums(const int8_t[:, ::1] weights, str what) except -1:
    """Check that no product can leave 32 bits. Up to 512 inputs none can; weights drawn from a bell curve fit too."""
    cdef Py_ssize_t r, k
    cdef int32_t total
    for r in range(weights.shape[0]):
        total = 0
        for k in range(weights.shape[1]):
            total += -weights[r, k] if weights[r, k] < 0 else weights[r, k]
        if total > TW_LARGEST_SUM:
            raise ModelFileError(f"{what}: the absolute weights of row {r} add up to {total}, more than "
                                 f"{TW_LARGEST_SUM}. Halve the row and double its scale")
    return 0


cdef Packed pack(const int8_t[:, ::1] weights, const float[::1] scales, const float[::1] bias, const int32_t* order,
                 int n_panels, str what):
    """Check and pack weights. ``order`` has the row of each output, or -1 for one that is always zero."""
    cdef Packed packed = Packed.__new__(Packed)
    cdef Py_ssize_t n = weights.shape[0], width = weights.shape[1], outputs = <Py_ssize_t>n_panels * TW_PANEL
    cdef Py_ssize_t n_pairs = (width + 1) // 2, i, k, row
    cdef int16_t* panel
    if not (0 < n <= 1 << 20 and 0 < width <= 1 << 20):
        raise ModelFileError(f"{what} has {n} times {width} weights; both must be from 1 to {1 << 20}")
    check_numbers(scales, n, "scales", what)
    check_numbers(bias, n, "biases", what)
    check_sums(weights, what)
    packed.memory = <int16_t*>packed.new_block(outputs * n_pairs * 2 + LINE, sizeof(int16_t))
    packed.scales = <float*>packed.new_block(outputs, sizeof(float))
    packed.bias = <float*>packed.new_block(outputs, sizeof(float))
    for i in range(outputs):
        row = order[i]
        if row < 0:
            continue
        panel = aligned(packed.memory) + i // TW_PANEL * n_pairs * 2 * TW_PANEL
        for k in range(width):
            panel[(k // 2 * TW_PANEL + i % TW_PANEL) * 2 + k % 2] = weights[row, k]
        packed.scales[i] = scales[row] / 2048
        packed.bias[i] = bias[row]
    packed.n_outputs, packed.n_inputs, packed.padded = <int>n, <int>width, <int>outputs
    packed.weights.panels, packed.weights.scales = aligned(packed.memory), packed.scales
    packed.weights.bias, packed.weights.n_panels, packed.weights.n_pairs = packed.bias, n_panels, <int>n_pairs
    return packed


cdef Packed pack_in_order(const int8_t[:, ::1] weights, const float[::1] scales, const float[::1] bias, str what):
    """Check and pack weights, one output for each row."""
    cdef int i, n_panels = <int>((weights.shape[0] + TW_PANEL - 1) // TW_PANEL)
    cdef Owner memory = Owner()
    cdef int32_t* order = <int32_t*>memory.new_block(n_panels * TW_PANEL, sizeof(int32_t))
    for i in range(n_panels * TW_PANEL):
        order[i] = i if i < weights.shape[0] else -1
    return pack(weights, scales, bias, order, n_panels, what)
