"""A layer of LSTMs, one forwards and one backwards, over a batch of sentences (``native/neural_lstm.h``)."""
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t
from libc.stdlib cimport qsort

from treewright.kinds.network.kernel.packed cimport TW_PANEL, Packed, pack, tile_of, tw_tile, tw_weights16
from treewright.kinds.network.kernel.paths cimport current_path
from treewright.kinds.network.kernel.rows cimport Rows, new_rows, require_lengths, require_width
from treewright.treebank.blocks.owned_memory cimport Owner

from array import array

from treewright.errors import ModelFileError, TreewrightError

cdef extern from "neural_lstm.h" nogil:
    enum:
        TW_GATES

    ctypedef struct tw_direction:
        tw_weights16 input, beside, recurrent
        int32_t hidden, n_blocks
        int32_t backward

    ctypedef struct tw_words:
        const int16_t* inputs
        size_t input_stride
        int16_t* outputs
        size_t output_stride

    ctypedef struct tw_group:
        int32_t n
        const int64_t* starts
        const int32_t* lengths
        float* gates
        const int32_t* places
        float* cells
        const int16_t* zeros

    int32_t tw_number_words(const tw_words* words, size_t width, int64_t n_sentences, const int64_t* starts,
                            const int32_t* lengths, int32_t* table, int32_t n_slots, int32_t* places,
                            int64_t* different)
    void tw_input_gates(tw_tile tile, int path, const tw_weights16* w, const int16_t* inputs, size_t stride,
                        const int64_t* rows, int64_t n_rows, const float* plus, const int32_t* places, float* gates)
    void tw_run_direction(tw_tile tile, int path, const tw_direction* d, const tw_words* words, const tw_group* group)

cdef enum:
    GROUP_SENTENCES = 12                 # that go on together: more would push each other's gates out of the caches
    GROUP_WORDS = 2048                   # a group ends beyond this: what bounds its memory

cdef struct SentenceRows:
    int64_t start
    int32_t length


cdef int longest_first(const void* a, const void* b) noexcept nogil:
    cdef const SentenceRows* left = <const SentenceRows*>a
    cdef const SentenceRows* right = <const SentenceRows*>b
    if left.length != right.length:
        return 1 if left.length < right.length else -1
    return 1 if left.start > right.start else -1


cdef class BiLstm:
    """Weights as PyTorch has them: for each direction 4 H rows, the gates i, f, g, o; forwards first, then backwards.

    ``input_weights`` is 8 H times the width of the input, ``recurrent_weights`` 8 H times H, each with a scale for each
    row; ``bias`` is the sum of PyTorch's two. The last ``n_beside`` of the inputs come in rows of their own: those that
    differ from word to word where the others recur.
    """
    cdef readonly int hidden, n_inputs, n_beside
    cdef int n_blocks
    cdef list packed                     # whose memory the directions refer to
    cdef tw_direction[2] directions

    def __cinit__(self, const int8_t[:, ::1] input_weights, const float[::1] input_scales,
                  const int8_t[:, ::1] recurrent_weights, const float[::1] recurrent_scales, const float[::1] bias,
                  int n_beside=0):
        cdef Py_ssize_t hidden = recurrent_weights.shape[1], width = input_weights.shape[1] - n_beside
        cdef int side
        cdef const float[::1] zeros
        if not 0 < hidden <= 1 << 14 or not input_weights.shape[0] == recurrent_weights.shape[0] == 8 * hidden:
            raise ModelFileError(f"an LSTM of {hidden} units a direction has 8 times as many rows of weights, not "
                                 f"{input_weights.shape[0]} and {recurrent_weights.shape[0]}")
        if n_beside < 0 or width < 1:
            raise ModelFileError(f"an LSTM of {input_weights.shape[1]} inputs has not {n_beside} of them beside others")
        self.hidden, self.n_inputs, self.n_beside = <int>hidden, <int>width, n_beside
        self.n_blocks = <int>((hidden + TW_PANEL - 1) // TW_PANEL)
        self.packed = []
        zeros = array("f", bytes(4 * 8 * hidden))
        for side in range(2):
            self.directions[side].hidden, self.directions[side].n_blocks = self.hidden, self.n_blocks
            self.directions[side].backward = side
            own = input_weights if not n_beside else columns(input_weights, 0, width)
            self.directions[side].input = self.pack_side(own, input_scales, bias, side)
            if n_beside:
                own = columns(input_weights, width, input_weights.shape[1])
                self.directions[side].beside = self.pack_side(own, input_scales, zeros, side)
            self.directions[side].recurrent = self.pack_side(recurrent_weights, recurrent_scales, zeros, side)

    cdef tw_weights16 pack_side(self, const int8_t[:, ::1] weights, const float[::1] scales,
                                const float[::1] bias, int side) except *:
        """Pack the rows of one direction in blocks of 16 units, in each the gates i, f, g, o."""
        cdef int n = self.n_blocks * TW_GATES, i, unit
        cdef Owner memory = Owner()
        cdef int32_t* order = <int32_t*>memory.new_block(n, sizeof(int32_t))
        cdef Packed packed
        for i in range(n):
            unit = i // TW_GATES * TW_PANEL + i % TW_PANEL
            order[i] = (4 * side + i % TW_GATES // TW_PANEL) * self.hidden + unit if unit < self.hidden else -1
        packed = pack(weights, scales, bias, order, n // TW_PANEL, "an LSTM")
        self.packed.append(packed)
        return packed.weights

    def apply(self, Rows rows not None, const int32_t[::1] lengths, Rows beside=None):
        """Return the outputs, forwards and backwards side by side, for sentences whose rows follow each other."""
        cdef Rows made
        cdef Owner memory = Owner()
        require_width(rows, self.n_inputs, "an LSTM")
        require_lengths(lengths, rows.n)
        if (beside is None) != (not self.n_beside) or (beside is not None and beside.n != rows.n):
            raise TreewrightError(f"an LSTM with {self.n_beside} inputs beside others takes as many rows of them")
        if beside is not None:
            require_width(beside, self.n_beside, "an LSTM, beside others,")
        made = new_rows(rows.n, 2 * self.hidden)
        if rows.n:
            with nogil:
                run(self, rows, beside, &lengths[0], lengths.shape[0], made, memory)
        return made


def columns(const int8_t[:, ::1] weights, Py_ssize_t first, Py_ssize_t last):
    """Return some columns of a matrix."""
    cdef Py_ssize_t r, k, n = weights.shape[0]
    made = bytearray(n * (last - first))
    cdef int8_t[:, ::1] out = memoryview(made).cast("b", (n, last - first))
    for r in range(n):
        for k in range(first, last):
            out[r, k - first] = weights[r, k]
    return out


cdef int run(BiLstm layer, Rows rows, Rows beside, const int32_t* lengths, Py_ssize_t n, Rows made,
             Owner memory) except -1 nogil:
    """Sort the sentences, and run both directions over groups of them. Memory that is not cleared is ``resized``."""
    cdef SentenceRows* sentences = <SentenceRows*>memory.new_block(n, sizeof(SentenceRows))
    cdef int64_t* starts = <int64_t*>memory.new_block(n, sizeof(int64_t))
    cdef int32_t* sorted_lengths = <int32_t*>memory.new_block(n, sizeof(int32_t))
    cdef Py_ssize_t s
    cdef int64_t at = 0
    for s in range(n):
        sentences[s] = SentenceRows(at, lengths[s])
        at += lengths[s]
    qsort(sentences, n, sizeof(SentenceRows), longest_first)
    while n > 0 and sentences[n - 1].length == 0:
        n -= 1
    for s in range(n):
        starts[s], sorted_lengths[s] = sentences[s].start, sentences[s].length
    return run_groups(layer, rows, beside, starts, sorted_lengths, n, made, memory)


cdef int group_size(const int32_t* lengths, Py_ssize_t n) noexcept nogil:
    """Return how many of the next sentences go on together."""
    cdef int64_t words = 0
    cdef int size = 0
    while size < n and size < GROUP_SENTENCES and words < GROUP_WORDS:
        words += lengths[size]
        size += 1
    return size


cdef struct Numbered:                    # the words of a batch: sentences as they go on, longest first
    int32_t* places                      # the row of gates of each word
    int64_t* rows                        # the row of inputs of each row of gates
    int64_t* in_order                    # the row of each word
    int64_t n_words, n_different
    bint shared                          # words with the same inputs have one row of gates


cdef int number(Numbered* batch, BiLstm layer, const tw_words* words, const int64_t* starts, const int32_t* lengths,
                Py_ssize_t n, Owner memory) except -1 nogil:
    """Find the words with the same inputs. Few (in all layers but the first) are not worth it: gates of a whole batch
    do not stay in the caches, those of a group do."""
    cdef int32_t n_slots = 1
    cdef int32_t* table
    cdef Py_ssize_t s
    cdef int64_t word = 0
    cdef int32_t i
    batch.in_order = <int64_t*>memory.resized(NULL, batch.n_words, sizeof(int64_t))
    for s in range(n):
        for i in range(lengths[s]):
            batch.in_order[word] = starts[s] + i
            word += 1
    while n_slots < 2 * batch.n_words:
        n_slots *= 2
    batch.places = <int32_t*>memory.resized(NULL, batch.n_words, sizeof(int32_t))
    batch.rows = <int64_t*>memory.resized(NULL, batch.n_words, sizeof(int64_t))
    table = <int32_t*>memory.resized(NULL, n_slots, sizeof(int32_t))
    batch.n_different = tw_number_words(words, layer.n_inputs, n, starts, lengths, table, n_slots, batch.places,
                                        batch.rows)
    batch.shared = 10 * batch.n_different < 9 * batch.n_words
    return 0


cdef int run_groups(BiLstm layer, Rows rows, Rows beside, const int64_t* starts, const int32_t* lengths, Py_ssize_t n,
                    Rows made, Owner memory) except -1 nogil:
    cdef tw_group group
    cdef tw_words words
    cdef Numbered batch = Numbered(NULL, NULL, NULL, rows.n, 0, False)
    cdef tw_direction* way
    cdef float* shared = NULL            # the gates of different words
    cdef float* own                      # those of a group's words
    cdef int path = current_path(), side
    cdef size_t most = <size_t>min(GROUP_WORDS + lengths[0], rows.n), width = <size_t>layer.n_blocks * TW_GATES
    cdef tw_tile tile = tile_of(path)
    cdef int32_t* in_order               # the places of a group's words, if each has gates of its own
    cdef size_t i
    cdef Py_ssize_t s
    cdef int64_t first, size
    words.inputs, words.input_stride = rows.data, rows.stride
    words.outputs, words.output_stride = made.data, made.stride
    number(&batch, layer, &words, starts, lengths, n, memory)
    if batch.shared:
        shared = <float*>memory.resized(NULL, <size_t>batch.n_different * width, sizeof(float))
    own = <float*>memory.resized(NULL, most * width, sizeof(float)) if not batch.shared or layer.n_beside else NULL
    group.cells = <float*>memory.resized(NULL, GROUP_SENTENCES * width, sizeof(float))
    group.zeros = <int16_t*>memory.new_block(width, sizeof(int16_t))
    in_order = <int32_t*>memory.resized(NULL, most, sizeof(int32_t))
    for i in range(most):
        in_order[i] = <int32_t>i
    for side in range(2):
        way = &layer.directions[side]
        words.outputs = made.data + side * layer.hidden
        if batch.shared:
            tw_input_gates(tile, path, &way.input, rows.data, rows.stride, batch.rows, batch.n_different,
                           way.input.bias, NULL, shared)
        s = first = 0
        while s < n:
            group.n, group.starts, group.lengths = group_size(lengths + s, n - s), starts + s, lengths + s
            size = words_in(group.lengths, group.n)
            group.gates, group.places = shared, batch.places + first
            if not batch.shared:
                group.gates, group.places = own, in_order
                tw_input_gates(tile, path, &way.input, rows.data, rows.stride, batch.in_order + first, size,
                               way.input.bias, NULL, own)
            if layer.n_beside:
                tw_input_gates(tile, path, &way.beside, beside.data, beside.stride, batch.in_order + first, size,
                               group.gates, group.places, own)
                group.gates, group.places = own, in_order
            tw_run_direction(tile, path, way, &words, &group)
            s += group.n
            first += size
    return 0


cdef int64_t words_in(const int32_t* lengths, int n) noexcept nogil:
    cdef int64_t words = 0
    cdef int s
    for s in range(n):
        words += lengths[s]
    return words
