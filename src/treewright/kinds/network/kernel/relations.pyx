"""Scores of the relations of arcs."""
from libc.stdint cimport int16_t, int32_t

from treewright.kinds.network.kernel.packed cimport TW_SLICE, Packed, pack_in_order, tile_of, tw_multiply, tw_tile
from treewright.kinds.network.kernel.paths cimport current_path
from treewright.kinds.network.kernel.rows cimport FloatRows, Rows, new_float_rows, require_width
from treewright.treebank.blocks.owned_memory cimport Owner

from array import array

from treewright.errors import ModelFileError, TreewrightError

cdef extern from "neural_elements.h" nogil:
    void tw_join_rows(int path, const int16_t* a, const int16_t* b, int n, int16_t* out)
    int tw_best_float(const float* x, int n)


cdef class Relations:
    """Scores of labels for an arc: weights for the dependent, for the head, and for the product of both.

    Each argument is a pair of 8-bit weights (a row for each label) and the scales of their rows.
    """
    cdef Packed joint, dep, head
    cdef readonly int n_labels, width

    def __cinit__(self, joint, dep, head, const float[::1] bias):
        cdef const float[::1] zeros = array("f", bytes(4 * bias.shape[0]))
        self.dep = packed_pair(dep, bias, "dependents")
        self.head = packed_pair(head, zeros, "heads")
        self.joint = packed_pair(joint, zeros, "products")
        self.n_labels, self.width = self.dep.n_outputs, self.dep.n_inputs
        if self.head.n_inputs != self.width or self.joint.n_inputs != self.width:
            raise ModelFileError(f"relations: weights for {self.width} numbers of the dependent, {self.head.n_inputs} "
                                 f"of the head and {self.joint.n_inputs} products; these must be the same")

    def scores(self, Rows dep not None, Rows head not None, const int32_t[::1] heads):
        """Return the scores of all labels for each row i of ``dep``; its head is row ``heads[i]`` of ``head``."""
        cdef FloatRows made
        cdef Owner memory = Owner()
        self.check(dep, head, heads)
        made = new_float_rows(dep.n, self.n_labels)
        if dep.n:
            with nogil:
                run(self, dep, head, &heads[0], made, NULL, memory)
        return made

    def best(self, Rows dep not None, Rows head not None, const int32_t[::1] heads):
        """Return the best label of each of these arcs, the first one if several are equal."""
        cdef int32_t[::1] labels
        cdef Owner memory = Owner()
        self.check(dep, head, heads)
        result = array("i", bytes(4 * dep.n))
        if dep.n:
            labels = result
            with nogil:
                run(self, dep, head, &heads[0], None, &labels[0], memory)
        return result

    cdef int check(self, Rows dep, Rows head, const int32_t[::1] heads) except -1:
        cdef Py_ssize_t i
        require_width(dep, self.width, "relations")
        require_width(head, self.width, "relations")
        if heads.shape[0] != dep.n:
            raise TreewrightError(f"{heads.shape[0]} heads for {dep.n} dependents")
        for i in range(dep.n):
            if not 0 <= heads[i] < head.n:
                raise TreewrightError(f"dependent {i} has the head row {heads[i]}; there are {head.n} rows")
        return 0


cdef Packed packed_pair(pair, const float[::1] bias, str what):
    weights, scales = pair
    return pack_in_order(weights, scales, bias, f"relations, weights of {what}")


cdef int run(Relations layer, Rows dep, Rows head, const int32_t* heads, FloatRows made,
             int32_t* labels, Owner memory) except -1 nogil:
    """Write scores to ``made``, or the best labels if ``labels`` is given."""
    cdef int padded = layer.dep.padded, size, i
    cdef Py_ssize_t first = 0
    cdef float* scores = <float*>memory.new_block(TW_SLICE * <size_t>padded if labels != NULL else 0, sizeof(float))
    cdef float* out
    cdef int16_t* joined = <int16_t*>memory.new_block(TW_SLICE * dep.stride, sizeof(int16_t))
    while first < dep.n:
        size = <int>min(TW_SLICE, dep.n - first)
        out = scores if labels != NULL else made.data + first * made.stride
        score_slice(layer, dep, head, heads, first, size, joined, out)
        if labels != NULL:
            for i in range(size):
                labels[first + i] = tw_best_float(out + i * padded, layer.n_labels)
        first += size
    return 0


cdef void score_slice(Relations layer, Rows dep, Rows head, const int32_t* heads, Py_ssize_t first, int n,
                      int16_t* joined, float* out) noexcept nogil:
    """Add up three products: each starts from the sums of the one before."""
    cdef const int16_t* deps[TW_SLICE]
    cdef const int16_t* head_rows[TW_SLICE]
    cdef const int16_t* products[TW_SLICE]
    cdef const float* added[TW_SLICE]
    cdef float* sums[TW_SLICE]
    cdef int path = current_path(), i
    cdef tw_tile tile = tile_of(path)
    for i in range(n):
        deps[i] = dep.data + (first + i) * dep.stride
        head_rows[i] = head.data + heads[first + i] * head.stride
        tw_join_rows(path, deps[i], head_rows[i], layer.width, joined + i * dep.stride)
        products[i] = joined + i * dep.stride
        sums[i] = out + i * layer.dep.padded
        added[i] = layer.dep.bias
    tw_multiply(tile, path, &layer.dep.weights, n, deps, added, sums)
    for i in range(n):
        added[i] = sums[i]
    tw_multiply(tile, path, &layer.head.weights, n, head_rows, added, sums)
    tw_multiply(tile, path, &layer.joint.weights, n, products, added, sums)
