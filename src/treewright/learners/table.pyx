"""Linear weights laid out for speed: the fastest way to score, whatever learner the weights come from.

A table is made from FrozenWeights (frozen.pyx) when a model is loaded. native/weight_lines.h has its layout,
native/score.h the loop that reads it.
"""
from libc.string cimport memset

from treewright.errors import ModelFileError
from treewright.learners.frozen cimport FrozenWeights
from treewright.learners.large_memory cimport allocate_table, tw_release
from treewright.learners.learner cimport MAX_CLASSES
from treewright.systems.system cimport MAX_KINDS

cdef extern from "score.h" nogil:
    int TW_KINDS
    uint32_t TW_SPARSE
    uint32_t TW_DENSE
    uint32_t TW_PLACE
    int tw_has_avx2()
    void tw_probe(const tw_table* t, const uint64_t* keys, int n, int32_t* moves, tw_rows* rows, int want_rows)
    void tw_add_rows(const tw_table* t, const tw_rows* rows, int first, int end, int16_t* sums)
    void tw_sum_rows(const tw_table* t, const tw_rows* rows, int fresh, int first, int end, int16_t* sums)

cdef enum:
    MOST_PAIRS = 64          # of a row that is kept as pairs, see TW_SPARSE


cdef class LinearTable(Scorer):
    """Scores moves with frozen weights."""

    def __cinit__(self, FrozenWeights weights):
        cdef int padded = (weights.n_classes + 15) // 16 * 16
        cdef int64_t n_lines = weights.lines.shape[0]
        self.table.wide = weights.kind_weights > TW_KINDS
        self.lines = <tw_line*>allocate_table(2 * n_lines if self.table.wide else n_lines, sizeof(tw_line))
        self.rows = <uint8_t*>allocate_table(room_for_rows(weights, padded), 1)
        self.table.lines = self.lines
        self.table.rows = self.rows
        self.table.n_lines = <uint32_t>n_lines
        self.table.n_classes = padded
        self.table.has_avx2 = tw_has_avx2()
        self.place.lines = <const char*>self.lines
        self.place.n_lines = <uint64_t>n_lines

    def __init__(self, FrozenWeights weights):
        self.weights = weights
        self.n_classes, self.kind_weights = weights.n_classes, weights.kind_weights
        if lay_out(self, weights) > <int64_t>TW_PLACE // 16:
            raise ModelFileError("the model has more weights than a table can hold")

    def __dealloc__(self):
        tw_release(self.lines)
        tw_release(self.rows)

    @property
    def scale(self):
        """The score that a weight of 1 adds."""
        return self.weights.scale

    @property
    def vectorised(self):
        """Whether rows are added with the processor's vector instructions. The sums are the same without them."""
        return bool(self.table.has_avx2)

    @vectorised.setter
    def vectorised(self, bint wanted):
        self.table.has_avx2 = tw_has_avx2() if wanted else 0

    cdef void sum_moves(self, const uint64_t* keys, int n, int32_t* kinds, tw_rows* rows) noexcept nogil:
        """Add the weights of at most TW_AT_ONCE keys for kinds to ``kinds``, and gather the keys' rows.

        ``kinds`` has room for MAX_KINDS numbers.
        """
        rows.n_dense = rows.n_sparse = 0
        tw_probe(&self.table, keys, n, kinds, rows, 1)

    cdef void sum_moves_only(self, const uint64_t* keys, int n, int32_t* kinds) noexcept nogil:
        """Do the same for keys of templates that help with the kind of move alone."""
        tw_probe(&self.table, keys, n, kinds, NULL, 0)

    cdef void sum_rows(self, const tw_rows* rows, int first, int end, int16_t* classes) noexcept nogil:
        """Add rows to the sums of classes first .. end: TW_AT_ONCE in all, or the sums may exceed 16 bits."""
        tw_add_rows(&self.table, rows, first, end, classes)

    cdef void begin_rows(self, const tw_rows* rows, int first, int end, int16_t* classes) noexcept nogil:
        """Like ``sum_rows``, but start from zero."""
        tw_sum_rows(&self.table, rows, 1, first, end, classes)

    cdef void add_classes(
        self, const uint64_t* keys, int n, const float* before, float* classes
    ) noexcept nogil:
        """Write ``before`` (NULL: zeros) and the weights of at most TW_AT_ONCE keys, added up, for all classes.

        It is what ``score`` does for keys of classes alone, in one pass over the sums.
        """
        cdef int32_t ignored[MAX_KINDS]
        cdef tw_rows rows
        cdef int16_t sums[MAX_CLASSES + 32]
        cdef int k
        memset(ignored, 0, sizeof(ignored))
        rows.n_dense = rows.n_sparse = 0
        tw_probe(&self.table, keys, n, ignored, &rows, 1)
        tw_sum_rows(&self.table, &rows, 1, 0, self.n_classes, sums)
        if before == NULL:
            for k in range(self.n_classes):
                classes[k] = <float>sums[k]
        else:
            for k in range(self.n_classes):
                classes[k] = before[k] + <float>sums[k]

    cdef void score(self, const uint64_t* keys, const int* counts, float* kinds, float* classes) noexcept nogil:
        """Keys for one part get weights for that part alone, even if their tags match other features by chance."""
        cdef int32_t sums[MAX_KINDS]
        cdef int32_t ignored[MAX_KINDS]
        cdef tw_rows rows
        cdef int16_t part[MAX_CLASSES + 32]
        cdef int k, start = 0, n, end, total = counts[0] + counts[1]
        memset(sums, 0, sizeof(sums))
        memset(ignored, 0, sizeof(ignored))
        for k in range(self.n_classes):
            classes[k] = 0
        while start < total:
            end = counts[0] if start < counts[0] else total
            n = end - start if end - start < TW_AT_ONCE else TW_AT_ONCE
            rows.n_dense = rows.n_sparse = 0
            tw_probe(&self.table, keys + start, n, &ignored[0] if start < counts[0] else &sums[0], &rows, 1)
            tw_sum_rows(&self.table, &rows, 1, 0, self.n_classes, part)
            for k in range(self.n_classes):
                classes[k] += <float>part[k]
            start += n
        tw_probe(&self.table, keys + total, counts[2], sums, NULL, 0)
        for k in range(self.kind_weights):
            kinds[k] = <float>sums[k]


cdef inline uint32_t row_type(int size, int padded) noexcept nogil:
    """Return how to lay out a row of ``size`` weights, 0 for none. Adding a pair costs twelve times as much."""
    if size == 0:
        return 0
    return TW_SPARSE if size <= 4 or (size * 24 <= padded and size <= MOST_PAIRS) else TW_DENSE


cdef inline int row_bytes(uint32_t shape, int size, int padded) noexcept nogil:
    return (size + 3) // 4 * 16 if shape == TW_SPARSE else padded if shape == TW_DENSE else 0


cdef int64_t room_for_rows(FrozenWeights weights, int padded):
    cdef int64_t i, total = 16
    for i in range(weights.sizes.shape[0]):
        total += row_bytes(row_type(weights.sizes[i], padded), weights.sizes[i], padded)
    return total


cdef int64_t lay_out(LinearTable self, FrozenWeights weights) except -1:
    """Fill lines and rows; return the last place used."""
    cdef int64_t home, i = 0, entry = 0, place = 1, n_lines = weights.lines.shape[0]
    cdef int k, slot, size, value, width = weights.kind_weights
    cdef uint32_t shape
    cdef tw_line* line
    cdef uint32_t* pairs
    cdef int8_t* dense
    with nogil:
        for home in range(n_lines):
            # Of features with the same tag the last one counts: it stands first.
            for slot in range(weights.lines[home] - 1, -1, -1):
                line = &self.lines[home]
                line.tag[slot] = weights.tags[i]
                for k in range(TW_KINDS):
                    line.move[slot][k] = weights.moves[width * i + k]
                for k in range(width - TW_KINDS):
                    self.lines[n_lines + home].move[slot][k] = weights.moves[width * i + TW_KINDS + k]
                size = weights.sizes[i]
                shape = row_type(size, self.table.n_classes)
                if shape != 0:
                    line.row[slot] = shape | (<uint32_t>(16 * place) & TW_PLACE)
                    if shape == TW_SPARSE:
                        line.row[slot] |= <uint32_t>((size + 3) // 4 - 1)
                    pairs = <uint32_t*>(self.rows + 16 * place)
                    dense = <int8_t*>pairs
                    for k in range(size):
                        value = weights.values[entry + k]
                        if shape == TW_DENSE:
                            dense[weights.class_at(entry + k)] = <int8_t>value
                        else:
                            pairs[k] = <uint32_t>(<uint16_t><int16_t>value) << 16 | weights.class_at(entry + k)
                    place += row_bytes(shape, size, self.table.n_classes) // 16
                entry += size
                i += 1
    return place
