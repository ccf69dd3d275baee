"""Scores of all arcs of sentences (``native/neural_arcs.h``)."""
from cpython.buffer cimport PyBUF_FORMAT, PyBUF_ND, PyBUF_STRIDES
from libc.stdint cimport int16_t, int32_t, int64_t
from libc.stdlib cimport free

from treewright.kinds.network.kernel.packed cimport TW_PANEL, aligned, tile_of, tw_tile
from treewright.kinds.network.kernel.paths cimport current_path
from treewright.kinds.network.kernel.rows cimport FloatRows, Rows, require_lengths, require_width
from treewright.treebank.blocks.memory cimport allocate

from array import array

from treewright.errors import TreewrightError
from treewright.treebank.blocks.owned_memory cimport Owner

cdef extern from "neural_arcs.h" nogil:
    void tw_arcs(tw_tile tile, int path, const int16_t* head, size_t head_stride, const int16_t* dep, size_t dep_stride,
                 int n, int n_pairs, int16_t* panel, float* scores)
    void tw_log_softmax(int path, float* scores, int n, int itself, float* room)


cdef class ArcScores(Owner):
    """A matrix for each sentence: row d, column h is the score of an arc from head h to dependent d.

    A buffer of floats (format ``f``); the m times m scores of sentence s begin at ``offsets[s]``.
    """
    cdef float* data
    cdef int64_t* starts                 # one more than sentences
    cdef int32_t* sizes                  # rows of each sentence
    cdef readonly Py_ssize_t n_sentences
    cdef Py_ssize_t[1] length, step      # for the buffer protocol

    def __cinit__(self, const int32_t[::1] lengths):
        cdef Py_ssize_t s, n = lengths.shape[0]
        self.n_sentences = n
        self.starts = <int64_t*>self.new_block(n + 1, sizeof(int64_t))
        self.sizes = <int32_t*>self.new_block(n, sizeof(int32_t))
        self.starts[0] = 0
        for s in range(n):
            if lengths[s] < 0:
                raise TreewrightError(f"sentence {s} has the length {lengths[s]}")
            self.sizes[s] = lengths[s]
            self.starts[s + 1] = self.starts[s] + <int64_t>lengths[s] * lengths[s]
        self.data = <float*>self.new_block(self.starts[n], sizeof(float))
        for s in range(self.starts[n]):
            self.data[s] = 0

    def __len__(self):
        return self.starts[self.n_sentences]

    @property
    def offsets(self):
        """Where the scores of each sentence begin, and where the last ones end."""
        return array("q", [self.starts[s] for s in range(self.n_sentences + 1)])

    def __getbuffer__(self, Py_buffer* buffer, int flags):
        self.length[0], self.step[0] = self.starts[self.n_sentences], sizeof(float)
        buffer.buf, buffer.obj, buffer.readonly = self.data, self, 0
        buffer.len, buffer.itemsize, buffer.ndim = self.length[0] * <Py_ssize_t>sizeof(float), sizeof(float), 1
        buffer.format = <char*>"f" if flags & PyBUF_FORMAT else NULL
        buffer.shape = self.length if flags & PyBUF_ND else NULL
        buffer.strides = self.step if flags & PyBUF_STRIDES == PyBUF_STRIDES else NULL
        buffer.suboffsets, buffer.internal = NULL, NULL

    def view(self):
        """Return the numbers, without a copy."""
        return memoryview(self)

    def tolist(self):
        """Return a list of rows for each sentence."""
        return [[[self.data[self.starts[s] + d * self.sizes[s] + h] for h in range(self.sizes[s])]
                 for d in range(self.sizes[s])] for s in range(self.n_sentences)]


def arc_scores(Rows head not None, Rows dep not None, const int32_t[::1] lengths):
    """Return the products of each row of ``dep`` with each row of ``head`` of the same sentence.

    The first row of a sentence stands for its artificial root.
    """
    cdef ArcScores made
    require_width(dep, head.width, "the product of dependents and heads")
    require_lengths(lengths, head.n)
    require_lengths(lengths, dep.n)
    made = ArcScores(lengths)
    with nogil:
        score(head, dep, made)
    return made


cdef int score(Rows head, Rows dep, ArcScores made) except -1 nogil:
    cdef int path = current_path(), n_pairs = (head.width + 1) // 2
    cdef int16_t* memory = <int16_t*>allocate(<size_t>n_pairs * 2 * TW_PANEL + 64, sizeof(int16_t))
    cdef tw_tile tile = tile_of(path)
    cdef Py_ssize_t s
    cdef int64_t first = 0
    for s in range(made.n_sentences):
        tw_arcs(tile, path, head.data + first * head.stride, head.stride, dep.data + first * dep.stride, dep.stride,
                made.sizes[s], n_pairs, aligned(memory), made.data + made.starts[s])
        first += made.sizes[s]
    free(memory)
    return 0


def add_distances(ArcScores scores not None, FloatRows own not None, const int32_t[::1] kinds):
    """Add to the score of each arc what its dependent (a row of ``own``) prefers at this distance.

    ``kinds`` has the number of the kind, from 1 on, of each distance; those farther than the last one are of its kind.
    A row has a number for each kind to the left, the farthest first, one for the root, then the kinds to the right.
    """
    cdef int64_t rows = 0
    cdef Py_ssize_t s, distance
    cdef int last = <int>kinds.shape[0] - 1
    for s in range(scores.n_sentences):
        rows += scores.sizes[s]
    if last < 1 or rows != own.n or own.width != 2 * kinds[last] + 1:
        raise TreewrightError(f"{own.n} rows of {own.width} distances for {rows} rows of arcs")
    for distance in range(1, last + 1):
        if not 1 <= kinds[distance] <= kinds[last]:
            raise TreewrightError(f"the distance {distance} is of kind {kinds[distance]}, not 1 to {kinds[last]}")
    with nogil:
        add_kinds(scores, own, &kinds[0], last)


cdef void add_kinds(ArcScores scores, FloatRows own, const int32_t* kinds, int last) noexcept nogil:
    cdef Py_ssize_t s, row = 0
    cdef int32_t n, d, h, root = kinds[last]
    cdef float* to
    cdef const float* of
    for s in range(scores.n_sentences):
        n = scores.sizes[s]
        for d in range(n):
            to = scores.data + scores.starts[s] + <int64_t>d * n
            of = own.data + row * own.stride
            to[0] += of[root]
            for h in range(1, d):
                to[h] += of[root - kinds[min(d - h, last)]]
            for h in range(d + 1, n):
                to[h] += of[root + kinds[min(h - d, last)]]
            row += 1


cdef int normalise(ArcScores scores) except -1 nogil:
    cdef int path = current_path()
    cdef Py_ssize_t s, d
    cdef int32_t n, most = 0
    cdef float* room
    for s in range(scores.n_sentences):
        most = max(most, scores.sizes[s])
    room = <float*>allocate(most + TW_PANEL, sizeof(float))
    for s in range(scores.n_sentences):
        n = scores.sizes[s]
        for d in range(n):
            tw_log_softmax(path, scores.data + scores.starts[s] + d * n, n, <int>d, room)
    free(room)
    return 0


def log_softmax_rows(ArcScores scores not None):
    """Turn the scores of each dependent into log probabilities of its heads, in place; minus infinity for itself."""
    with nogil:
        normalise(scores)
