"""A dense layer: a product, a bias, an activation."""
from libc.stdint cimport int8_t, int16_t, int32_t
from libc.stdlib cimport free

from treewright.neural.kernel.packed cimport TW_SLICE, pack_in_order
from treewright.neural.kernel.paths cimport current_path
from treewright.neural.kernel.rows cimport FloatRows, Rows, new_float_rows, new_rows, require_width
from treewright.treebank.memory cimport allocate

from array import array

from treewright.errors import TreewrightError

cdef extern from "neural_elements.h" nogil:
    void tw_activate(int path, float* x, int n, int activation)
    void tw_quantise_row(int path, const float* x, int n, int16_t* out)
    int tw_best_float(const float* x, int n)

ACTIVATIONS = ("none", "relu", "leaky", "tanh")


cdef class Dense:
    """A layer of 8-bit ``weights`` (a row for each output) with a scale and a bias for each row.

    ``activation`` is none, relu, leaky (a tenth below zero) or tanh.
    """

    def __cinit__(self, const int8_t[:, ::1] weights, const float[::1] scales, const float[::1] bias,
                  str activation="none"):
        if activation not in ACTIVATIONS:
            raise TreewrightError(f"no activation '{activation}'; choose one of {', '.join(ACTIVATIONS)}")
        self.activation, self.code = activation, ACTIVATIONS.index(activation)
        self.packed = pack_in_order(weights, scales, bias, "a dense layer")

    @property
    def n_outputs(self):
        return self.packed.n_outputs

    @property
    def n_inputs(self):
        return self.packed.n_inputs

    def apply(self, Rows rows not None):
        """Return the activations of the layer for each row."""
        cdef Rows made
        require_width(rows, self.packed.n_inputs, "a dense layer")
        made = new_rows(rows.n, self.packed.n_outputs)
        with nogil:
            run(self, rows, made, NULL, 0)
        return made

    def scores(self, Rows rows not None):
        """Return the same as floats that were not rounded."""
        cdef FloatRows made
        cdef Py_ssize_t r = 0
        cdef int path = current_path(), size
        require_width(rows, self.packed.n_inputs, "a dense layer")
        made = new_float_rows(rows.n, self.packed.n_outputs)
        with nogil:
            while r < rows.n:
                size = <int>min(TW_SLICE, rows.n - r)
                multiply(self, path, rows, r, size, made.data + r * made.stride)
                r += size
        return made

    def best(self, Rows rows not None, const int32_t[::1] votes=None, float weight=0):
        """Return the number of the largest output for each row, the first one if several are equal.

        ``votes`` has the output of each row that ``weight`` is added to, or -1.
        """
        cdef int32_t[::1] places
        cdef Py_ssize_t r
        require_width(rows, self.packed.n_inputs, "a dense layer")
        if votes is None:
            result = array("i", [-1]) * rows.n
        else:
            if votes.shape[0] != rows.n:
                raise TreewrightError(f"{votes.shape[0]} votes for {rows.n} rows")
            result = array("i", votes)
        if rows.n:
            places = result
            for r in range(rows.n):
                if not -1 <= places[r] < self.packed.n_outputs:
                    raise TreewrightError(f"a vote for output {places[r]} of {self.packed.n_outputs}")
            with nogil:
                run(self, rows, None, &places[0], weight)
        return result


cdef void multiply(Dense layer, int path, Rows rows, Py_ssize_t first, int n, float* out) noexcept nogil:
    """Compute up to ``TW_SLICE`` rows of outputs, as floats."""
    layer.packed.multiply(path, rows.data + first * rows.stride, rows.stride, n, out, layer.packed.padded)
    tw_activate(path, out, n * layer.packed.padded, layer.code)


cdef int run(Dense layer, Rows rows, Rows made, int32_t* places, float weight) except -1 nogil:
    """Write activations to ``made``, or the places of the largest outputs if ``places`` is given.

    ``places`` has the outputs that ``weight`` is added to first.
    """
    cdef int path = current_path(), padded = layer.packed.padded, size, i
    cdef Py_ssize_t r = 0
    cdef float* outputs = <float*>allocate(TW_SLICE * <size_t>padded, sizeof(float))
    while r < rows.n:
        size = <int>min(TW_SLICE, rows.n - r)
        multiply(layer, path, rows, r, size, outputs)
        if places == NULL:
            tw_quantise_row(path, outputs, size * padded, made.data + r * made.stride)
        else:
            for i in range(size):
                if places[r + i] >= 0:
                    outputs[i * padded + places[r + i]] += weight
                places[r + i] = tw_best_float(outputs + i * padded, layer.packed.n_outputs)
        r += size
    free(outputs)
    return 0
