"""One direction of an LSTM that learns, over all words of a batch (``native/neural_recurrence.h``).

Tensors come as the addresses of their numbers: 32-bit floats, row after row. ``torch_lstm.py`` sees to that.
"""
from libc.stdint cimport uintptr_t
from libc.string cimport memset

from treewright.learners.large_memory cimport allocate_table, tw_release
from treewright.kinds.network.kernel.paths cimport TW_PLAIN, current_path

cdef extern from "neural_learning.h" nogil:
    void tw_learnt_step(int path, float* gates, const float* before, float* after, float* squashed, float* outputs,
                        int n)
    void tw_learnt_step_back(int path, const float* gates, const float* before, const float* squashed,
                             const float* wanted, const float* later, float* kept, float* slopes, int n)

cdef extern from "neural_recurrence.h" nogil:
    enum:
        TW_FLOAT_PANEL

    ctypedef struct tw_float_weights:
        float* panels
        int n_in, n_out

    ctypedef void (*tw_float_tile)(int n, const float* inputs, size_t stride, const float* panel, int n_in,
                                   float (*sums)[TW_FLOAT_PANEL])

    int tw_float_panels(int n_out)
    void tw_float_pack(const float* w, size_t in_step, size_t out_step, tw_float_weights* packed)
    tw_float_tile tw_float_tile_of(int is_plain)
    void tw_float_multiply(tw_float_tile tile, const tw_float_weights* w, int n, const float* inputs, float* out)


cdef tw_float_weights packed(uintptr_t weights, int n_in, int n_out, size_t in_step, size_t out_step) except *:
    """Return weights as panels, in memory that must be released."""
    cdef tw_float_weights found = tw_float_weights(NULL, n_in, n_out)
    cdef size_t rows = <size_t>tw_float_panels(n_out) * <size_t>n_in
    found.panels = <float*>allocate_table(rows, TW_FLOAT_PANEL * sizeof(float))
    tw_float_pack(<const float*>weights, in_step, out_step, &found)
    return found


def run(tuple addresses, uintptr_t weights, Py_ssize_t n_steps, int rows, int hidden):
    """Take rows from the first word to the last; gates become what their functions make of them.

    ``addresses``: of the gates of word 0, which have 4 times as many numbers as the others, and hold the products with
    the inputs; of the cells and of the outputs before word 0, and of what the cells are squashed to after it.
    ``weights``: those between steps, 4 * hidden rows of hidden numbers.
    """
    cdef uintptr_t gates, cells, outputs, squashed
    cdef Py_ssize_t t, row, at, after = <Py_ssize_t>rows * hidden
    cdef int path = current_path()
    cdef tw_float_tile tile = tw_float_tile_of(path == TW_PLAIN)
    gates, cells, outputs, squashed = addresses
    cdef tw_float_weights between = packed(weights, hidden, 4 * hidden, 1, hidden)
    with nogil:
        for t in range(n_steps):
            if t:
                tw_float_multiply(tile, &between, rows, <const float*>outputs + t * after,
                                  <float*>gates + 4 * t * after)
            for row in range(rows):
                at = t * after + row * hidden
                tw_learnt_step(path, <float*>gates + 4 * at, <const float*>cells + at, <float*>cells + at + after,
                               <float*>squashed + at, <float*>outputs + at + after, hidden)
        tw_release(between.panels)


def run_back(tuple addresses, uintptr_t weights, Py_ssize_t n_steps, int rows, int hidden):
    """Take the gradients from the last word to the first; those of the gates are written.

    ``addresses``: of the gates, cells and squashed cells as above, and of the gradients: what layers above want of the
    outputs, room for what the next word adds to that and for those of the cells (one word each, zeros), and, to be
    written, those of the gates.
    """
    cdef uintptr_t gates, cells, squashed, wanted, later, kept, slopes
    cdef Py_ssize_t t, row, at, here, after = <Py_ssize_t>rows * hidden
    cdef int path = current_path()
    cdef tw_float_tile tile = tw_float_tile_of(path == TW_PLAIN)
    gates, cells, squashed, wanted, later, kept, slopes = addresses
    cdef tw_float_weights between = packed(weights, 4 * hidden, hidden, hidden, 1)
    with nogil:
        for t in range(n_steps - 1, -1, -1):
            for row in range(rows):
                at, here = t * after + row * hidden, row * hidden
                tw_learnt_step_back(path, <const float*>gates + 4 * at, <const float*>cells + at,
                                    <const float*>squashed + at, <const float*>wanted + at, <const float*>later + here,
                                    <float*>kept + here, <float*>slopes + 4 * at, hidden)
            if t:
                memset(<float*>later, 0, <size_t>after * sizeof(float))
                tw_float_multiply(tile, &between, rows, <const float*>slopes + 4 * t * after, <float*>later)
        tw_release(between.panels)
