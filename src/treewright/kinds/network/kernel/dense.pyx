"""A dense layer: a product, a bias, an activation."""
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t
from libc.stdlib cimport free

from treewright.kinds.network.kernel.packed cimport TW_SLICE, Packed, pack_in_order, tile_of, tw_multiply, tw_tile
from treewright.kinds.network.kernel.paths cimport current_path
from treewright.kinds.network.kernel.rows cimport FloatRows, Rows, new_float_rows, new_rows, require_rows, require_width
from treewright.treebank.blocks.memory cimport allocate
from treewright.treebank.blocks.owned_memory cimport Owner

from array import array

from treewright.errors import TreewrightError

cdef extern from "neural_elements.h" nogil:
    void tw_activate(int path, float* x, int n, int activation)
    void tw_quantise_row(int path, const float* x, int n, int16_t* out)
    int tw_best_float(const float* x, int n)

ACTIVATIONS = ("none", "leaky")


cdef class Dense:
    """A layer of 8-bit ``weights`` (a row for each output) with a scale and a bias for each row.

    ``activation`` is none or leaky (a tenth below zero).
    """
    cdef Packed packed
    cdef int code
    cdef readonly str activation

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
            run(self, rows, made)
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

    def best(self, Rows rows not None, const int32_t[::1] which, const int32_t[::1] groups, votes):
        """Return an array for each group of outputs: for each row the place in the group of its largest output.

        ``which``: the rows to look at. ``groups``: the sizes of the groups, in the order of the outputs. ``votes``: for
        each group None, or a weight and, for each of these rows, the place in the group that it is added to, or -1. Of
        equal outputs the first one counts.
        """
        cdef int32_t** places
        cdef float* weights
        cdef int32_t[::1] own
        cdef int g, n_groups = <int>groups.shape[0]
        cdef Owner memory = Owner()
        require_width(rows, self.packed.n_inputs, "a dense layer")
        check_groups(groups, self.packed.n_outputs)
        require_rows(which, rows.n)
        result = [places_voted_for(vote, which.shape[0], groups[g]) for g, vote in enumerate(votes)]
        if len(result) != n_groups:
            raise TreewrightError(f"votes for {len(result)} groups of outputs; there are {n_groups}")
        if not which.shape[0]:
            return result
        places = <int32_t**>memory.new_block(n_groups, sizeof(int32_t*))
        weights = <float*>memory.new_block(n_groups, sizeof(float))
        for g, vote in enumerate(votes):
            own = result[g]
            places[g], weights[g] = &own[0], 0 if vote is None else vote[0]
        with nogil:
            choose(self, rows, which, groups, places, weights)
        return result


cdef int check_groups(const int32_t[::1] groups, int n_outputs) except -1:
    cdef int64_t total = 0
    cdef Py_ssize_t g
    for g in range(groups.shape[0]):
        if groups[g] < 1:
            raise TreewrightError(f"a group of {groups[g]} outputs")
        total += groups[g]
    if total != n_outputs:
        raise TreewrightError(f"groups of {total} outputs; there are {n_outputs}")
    return 0


cdef places_voted_for(vote, Py_ssize_t n, int size):
    """Return the places in a group that rows have votes for, -1 where they have none, in an array of their own."""
    cdef const int32_t[::1] own
    cdef Py_ssize_t i
    if vote is None:
        return array("i", [-1]) * n
    own = vote[1]
    if own.shape[0] != n:
        raise TreewrightError(f"{own.shape[0]} votes for {n} rows")
    for i in range(n):
        if not -1 <= own[i] < size:
            raise TreewrightError(f"a vote for output {own[i]} of {size}")
    return array("i", own)


cdef void multiply(Dense layer, int path, Rows rows, Py_ssize_t first, int n, float* out) noexcept nogil:
    """Compute up to ``TW_SLICE`` rows of outputs, as floats."""
    layer.packed.multiply(path, rows.data + first * rows.stride, rows.stride, n, out, layer.packed.padded)
    tw_activate(path, out, n * layer.packed.padded, layer.code)


cdef int run(Dense layer, Rows rows, Rows made) except -1 nogil:
    """Write activations to ``made``."""
    cdef int path = current_path(), padded = layer.packed.padded, size
    cdef Py_ssize_t r = 0
    cdef float* outputs = <float*>allocate(TW_SLICE * <size_t>padded, sizeof(float))
    while r < rows.n:
        size = <int>min(TW_SLICE, rows.n - r)
        multiply(layer, path, rows, r, size, outputs)
        tw_quantise_row(path, outputs, size * padded, made.data + r * made.stride)
        r += size
    free(outputs)
    return 0


cdef int choose(Dense layer, Rows rows, const int32_t[::1] which, const int32_t[::1] groups, int32_t** places,
                const float* weights) except -1 nogil:
    """Write the places of the largest outputs to ``places``, which have those that weights are added to first."""
    cdef int path = current_path(), padded = layer.packed.padded, size, i, g, start
    cdef Py_ssize_t first = 0
    cdef const int16_t* inputs[TW_SLICE]
    cdef const float* biases[TW_SLICE]
    cdef float* to[TW_SLICE]
    cdef float* outputs = <float*>allocate(TW_SLICE * <size_t>padded, sizeof(float))
    cdef tw_tile tile = tile_of(path)
    while first < which.shape[0]:
        size = <int>min(TW_SLICE, which.shape[0] - first)
        for i in range(size):
            inputs[i] = rows.data + which[first + i] * rows.stride
            biases[i], to[i] = layer.packed.bias, outputs + i * padded
        tw_multiply(tile, path, &layer.packed.weights, size, inputs, biases, to)
        tw_activate(path, outputs, size * padded, layer.code)
        for i in range(size):
            start = 0
            for g in range(groups.shape[0]):
                if places[g][first + i] >= 0:
                    to[i][start + places[g][first + i]] += weights[g]
                places[g][first + i] = tw_best_float(to[i] + start, groups[g])
                start += groups[g]
        first += size
    free(outputs)
    return 0
