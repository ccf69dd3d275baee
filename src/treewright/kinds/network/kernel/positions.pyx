"""Scores from a few positions of a parse: each word is projected once for every position, and a step adds up rows.

A word's row holds its projections for all positions (*slots*) side by side. A step sums one projection for each slot,
applies a rectifier, and multiplies by one of two output layers, each with hidden units of its own. The sums are those
of integers: the same whatever the order, the batch, the thread and the machine.
"""
from libc.stdint cimport int16_t, int32_t
from libc.string cimport memset

from treewright.kinds.network.kernel.packed cimport TW_PANEL, Packed, pack_in_order
from treewright.kinds.network.kernel.paths cimport current_path

from array import array

from treewright.errors import ModelFileError, TreewrightError

cdef extern from "neural_elements.h" nogil:
    enum:
        TW_LEAKY
    void tw_activate(int path, float* x, int n, int activation)
    void tw_quantise_row(int path, const float* x, int n, int16_t* out)


cdef class PositionLayers:
    """The weights behind the sums: ``first`` and ``second`` are triples of 8-bit weights, their scales and the bias.

    A projection is as wide as the inputs of both; those of the first come first. ``fixed`` holds projections that are
    not of words.
    """

    def __cinit__(self, Rows fixed not None, first, second):
        self.first = packed_layer(first, "the scores of a move's kind")
        self.second = packed_layer(second, "the scores of a move's relation")
        self.first_size, self.second_size = self.first.n_inputs, self.second.n_inputs
        self.width, self.fixed = self.first_size + self.second_size, fixed
        if fixed.width != self.width:
            raise ModelFileError(f"positions of {self.width} units, but fixed rows of {fixed.width}")

    @property
    def n_outputs(self):
        """How many scores each layer gives."""
        return self.first.n_outputs, self.second.n_outputs


cdef Packed packed_layer(layer, str what):
    weights, scales, bias = layer
    return pack_in_order(weights, scales, bias, what)


cdef class PositionSums:
    """The words of some sentences, projected, and memory for one step at a time: one thread at a time may use it."""

    def __cinit__(self, PositionLayers layers not None):
        cdef int most = max(layers.first_size, layers.second_size) + 2 * TW_PANEL
        self.layers = layers
        self.sums = <int32_t*>self.new_block(most, sizeof(int32_t))
        self.floats = <float*>self.new_block(most, sizeof(float))
        self.hidden = <int16_t*>self.new_block(most, sizeof(int16_t))
        self.out = <float*>self.new_block(max(layers.first.padded, layers.second.padded), sizeof(float))

    def bind(self, Rows words not None):
        """Look at the projections of other words from now on."""
        self.bind_rows(words)

    cdef int bind_rows(self, Rows words) except -1:
        if words.width == 0 or words.width % self.layers.width:
            raise TreewrightError(f"projections of {words.width} numbers, not a multiple of {self.layers.width}")
        self.words, self.n_slots = words, words.width // self.layers.width
        return 0

    def scores(self, const int32_t[::1] places, bint second=False):
        """Return the scores of one step: of kinds, or (``second``) of relations.

        ``places`` has the row of a word for each slot, or -1 - f for the fixed row f; those behind the slots are fixed.
        """
        cdef int i, n = <int>places.shape[0]
        cdef const float* found
        if self.words is None:
            raise TreewrightError("no words are bound")
        for i in range(n):
            if places[i] >= self.words.n or -1 - places[i] >= self.layers.fixed.n or (
                    places[i] >= 0 and i >= self.n_slots):
                raise IndexError(f"place {places[i]} of slot {i}")
        found = self.score(&places[0] if n else NULL, n, second)
        outputs = self.layers.n_outputs[second]
        return array("f", [found[i] for i in range(outputs)])

    cdef const float* score(self, const int32_t* places, int n, bint second) noexcept nogil:
        """Return the scores of a step; they stay until the next one."""
        cdef int size = self.layers.second_size if second else self.layers.first_size
        cdef int skipped = self.layers.first_size if second else 0
        cdef int path = current_path(), i, j
        cdef const int16_t* row
        cdef int32_t* sums = self.sums
        memset(sums, 0, size * sizeof(int32_t))
        for i in range(n):
            if places[i] >= 0:
                row = self.words.data + places[i] * self.words.stride + i * self.layers.width + skipped
            else:
                row = self.layers.fixed.data + (-1 - places[i]) * self.layers.fixed.stride + skipped
            for j in range(size):
                sums[j] += row[j]
        for j in range(size):
            self.floats[j] = <float>sums[j] * <float>(1.0 / 2048)
        tw_activate(path, self.floats, size, TW_LEAKY)
        tw_quantise_row(path, self.floats, size, self.hidden)
        self.hidden[size] = 0  # of an odd pair
        if second:
            self.layers.second.multiply(path, self.hidden, 0, 1, self.out, 0)
        else:
            self.layers.first.multiply(path, self.hidden, 0, 1, self.out, 0)
        return self.out
