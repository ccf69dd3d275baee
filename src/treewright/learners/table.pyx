"""Linear weights, frozen: the one table that every linear learner is exported to, and the fastest way to score.

Weights are 8-bit numbers on one scale. Features whose weights are all small are left out; what remains stands
in lines of 64 bytes (see native/score.h), small enough to stay in the cache.
"""
from libc.math cimport fabs, lrintf
from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t, uintptr_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset

from treewright.errors import ModelFileError
from treewright.learners.learner cimport MAX_CLASSES, Scorer
from treewright.learners.perceptron cimport Entry, MoveWeights, Perceptron

cdef extern from "score.h" nogil:
    uint16_t tw_tag(uint64_t key)
    uint32_t tw_line_of(uint64_t key, uint32_t n_lines)
    int tw_match(const tw_line* line, uint16_t tag)
    int tw_probe(const tw_table* t, const uint64_t* keys, int n, int n_rows, int32_t* moves, uint32_t* rows)
    void tw_add_rows(const tw_table* t, const uint32_t* rows, int n, int16_t* sums)

cdef enum:
    SLOTS = 6
    OVERFLOW = 1
    DENSE = 255
    ROWS_AT_ONCE = 256       # sums of so many 8-bit weights fit 16 bits

cdef double FILL = 4.4               # features a line, on average


cdef class LinearTable(Scorer):
    """Scores from a frozen table. ``lines`` and ``rows`` may be any buffers, a mapped file's too."""

    def __init__(self, lines, rows, int n_classes, float scale, int row_shift, long n_features):
        cdef const uint8_t[::1] line_view = lines
        cdef const uint8_t[::1] row_view = rows
        cdef int64_t i
        cdef int k
        if line_view.shape[0] == 0 or line_view.shape[0] % 64:
            raise ModelFileError("the table of weights is damaged: not made of lines of 64 bytes")
        if not 0 <= n_classes <= MAX_CLASSES or not 0 <= row_shift <= 16 or not scale > 0:
            raise ModelFileError("the table of weights is damaged: its settings are out of range")
        if <uintptr_t>&line_view[0] % 64:
            lines = aligned_copy(line_view)
            line_view = lines
        self.lines, self.rows = lines, rows
        self.n_classes, self.scale, self.n_features = n_classes, scale, n_features
        self.table.lines = <const tw_line*>&line_view[0]
        self.table.rows = &row_view[0] if row_view.shape[0] else NULL
        self.table.n_lines = <uint32_t>(line_view.shape[0] // 64)
        self.table.row_shift = row_shift
        self.table.n_classes = padded(n_classes)
        self._check(row_view.shape[0])

    def _check(self, Py_ssize_t n_row_bytes):
        """Refuse a table whose rows point outside of it: nothing read from disk is trusted."""
        cdef int64_t i, at, size
        cdef int k, count, e
        cdef const tw_line* line
        cdef bint bad = False, full = True
        with nogil:
            for i in range(self.table.n_lines):
                line = &self.table.lines[i]
                full = full and line.flags & OVERFLOW
                for k in range(SLOTS):
                    count = line.row[k] >> 24
                    if count == 0:
                        bad = bad or line.row[k] != 0
                        continue
                    at = (<int64_t>(line.row[k] & 0xFFFFFF)) << self.table.row_shift
                    size = self.table.n_classes if count == DENSE else 3 * count
                    if at + size > n_row_bytes:
                        bad = True
                        break
                    if count != DENSE:
                        for e in range(count):
                            if self.table.rows[at + 3 * e] + 256 * self.table.rows[at + 3 * e + 1] >= self.n_classes:
                                bad = True
        if bad or full:
            raise ModelFileError("the table of weights is damaged: a row of weights lies outside of it")

    cdef int sum_moves(self, const uint64_t* keys, int n, int n_rows, int32_t* kinds, uint32_t* rows) noexcept nogil:
        """Sum the weights of the kinds over n keys; collect the rows of the first n_rows. Returns how many."""
        return tw_probe(&self.table, keys, n, n_rows, kinds, rows)

    cdef void sum_rows(self, const uint32_t* rows, int n, int16_t* classes) noexcept nogil:
        """Add rows (ROWS_AT_ONCE at most) to the sums of the classes."""
        tw_add_rows(&self.table, rows, n, classes)

    cdef void score(self, const uint64_t* keys, const int* counts, float* kinds, float* classes) noexcept nogil:
        cdef int32_t sums[4]
        cdef int32_t ignored[4]
        cdef uint32_t rows[4096 + 1]
        cdef int16_t part[MAX_CLASSES + 32]
        cdef int k, found, start, n
        memset(sums, 0, sizeof(sums))
        found = tw_probe(&self.table, keys, counts[0], counts[0], ignored, rows)
        found += tw_probe(&self.table, keys + counts[0], counts[1] + counts[2], counts[1], sums, rows + found)
        for k in range(4):
            kinds[k] = <float>sums[k]
        for k in range(self.n_classes):
            classes[k] = 0
        start = 0
        while start < found:
            n = found - start if found - start < ROWS_AT_ONCE else ROWS_AT_ONCE
            memset(part, 0, self.table.n_classes * sizeof(int16_t))
            tw_add_rows(&self.table, rows + start, n, part)
            for k in range(self.n_classes):
                classes[k] += <float>part[k]
            start += ROWS_AT_ONCE

    @property
    def settings(self):
        """What a model file must keep beside the two buffers."""
        return {
            "n_classes": self.n_classes, "scale": self.scale, "row_shift": self.table.row_shift,
            "n_features": self.n_features,
        }


cdef int padded(int n_classes) noexcept:
    return (n_classes + 31) // 32 * 32


cdef object aligned_copy(const uint8_t[::1] data):
    """Return a copy that begins at the border of a cache line."""
    cdef Py_ssize_t n = data.shape[0], shift
    cdef bytearray room = bytearray(n + 64)
    cdef uint8_t[::1] view = room
    shift = (64 - <uintptr_t>&view[0] % 64) % 64
    memcpy(&view[shift], &data[0], n)
    return memoryview(room)[shift:shift + n]


cdef inline float mean(float weight, float late, double time) noexcept nogil:
    return <float>(weight - late / time)


def freeze(Perceptron learner, float prune=0.0, bint average=True):
    """Return the averaged weights of a perceptron as a LinearTable.

    Features all of whose weights stay below ``prune`` are left out. The scale is chosen such that nothing
    clips: the largest weight becomes 127.
    """
    cdef int64_t i, n = learner.n_features, kept = 0, row_bytes = 0
    cdef int k, used, n_classes = padded(learner.n_classes), shift = 0
    cdef float largest = 0, best, scale, w
    cdef double time = learner.time if average else 1e30
    cdef MoveWeights* m
    cdef Entry* e
    cdef float* peaks = <float*>malloc((n + 1) * sizeof(float))
    if peaks == NULL:
        raise MemoryError
    try:
        with nogil:
            for i in range(n):
                m = &learner.features[i]
                best = 0
                for k in range(4):
                    best = max(best, <float>fabs(mean(m.weight[k], m.late[k], time)))
                for k in range(m.row_size):
                    e = &learner.pool[m.row + k]
                    best = max(best, <float>fabs(mean(e.weight, e.late, time)))
                peaks[i] = best
                largest = max(largest, best)
        scale = 127 / largest if largest > 0 else 1
        prune = max(prune, <float>0.5 / scale)
        with nogil:
            for i in range(n):
                if peaks[i] < prune:
                    continue
                kept += 1
                used = row_length(learner, i, time, scale)
                row_bytes += n_classes if is_dense(used, n_classes) else 3 * used
        while (row_bytes + (kept << shift)) >> shift >= 1 << 24:
            shift += 1
        return build(learner, peaks, prune, time, scale, shift, kept, row_bytes, n_classes)
    finally:
        free(peaks)


cdef int row_length(Perceptron learner, int64_t feature, double time, float scale) noexcept nogil:
    """Count the entries of a feature that do not round to zero."""
    cdef MoveWeights* m = &learner.features[feature]
    cdef Entry* e
    cdef int k, used = 0
    for k in range(m.row_size):
        e = &learner.pool[m.row + k]
        used += lrintf(mean(e.weight, e.late, time) * scale) != 0
    return used


cdef build(Perceptron learner, const float* peaks, float prune, double time, float scale, int shift, int64_t kept,
           int64_t row_bytes, int n_classes):
    """Lay out lines and rows, feature by feature."""
    cdef uint32_t n_lines = <uint32_t>(kept / FILL) + 2
    cdef bytearray lines = bytearray(<Py_ssize_t>n_lines * 64)
    cdef bytearray rows = bytearray(64 + row_bytes + (kept << shift))
    cdef uint8_t[::1] line_view = lines
    cdef uint8_t[::1] row_view = rows
    cdef tw_line* table = <tw_line*>&line_view[0]
    cdef uint8_t* row = &row_view[0]
    cdef tw_line* line
    cdef MoveWeights* m
    cdef int64_t i, used_bytes = 64                  # place 0 means no row
    cdef int k, slot, used
    with nogil:
        for i in range(learner.n_features):
            if peaks[i] < prune:
                continue
            m = &learner.features[i]
            line = free_slot(table, n_lines, learner.keys[i], &slot)
            if line == NULL:
                continue                             # two features that look the same: the first is kept
            line.tag[slot] = tw_tag(learner.keys[i])
            for k in range(4):
                line.move[slot][k] = <int8_t>lrintf(mean(m.weight[k], m.late[k], time) * scale)
            used = row_length(learner, i, time, scale)
            if used == 0:
                continue
            if is_dense(used, n_classes):
                used = DENSE
            line.row[slot] = <uint32_t>used << 24 | <uint32_t>(used_bytes >> shift)
            used_bytes += write_row(learner, m, time, scale, used == DENSE, n_classes, row + used_bytes)
            used_bytes = (used_bytes + (1 << shift) - 1) >> shift << shift
    del row_view
    del rows[used_bytes:]
    return LinearTable(lines, rows, learner.n_classes, scale, shift, kept)


cdef inline bint is_dense(int used, int n_classes) noexcept nogil:
    """Is a row shorter, or at least faster to add, with one weight for every class?"""
    return used > 16 or 3 * used > n_classes


cdef tw_line* free_slot(tw_line* table, uint32_t n_lines, uint64_t key, int* slot) noexcept nogil:
    """Find room for a feature, in its line or the next that has some; NULL if its like is there already."""
    cdef uint32_t at = tw_line_of(key, n_lines)
    cdef uint16_t tag = tw_tag(key)
    cdef int i
    while True:
        for i in range(SLOTS):
            if table[at].tag[i] == tag:
                return NULL
            if table[at].tag[i] == 0:
                slot[0] = i
                return &table[at]
        table[at].flags = OVERFLOW
        at = at + 1 if at + 1 < n_lines else 0


cdef int write_row(Perceptron learner, MoveWeights* m, double time, float scale, bint dense, int n_classes,
                   uint8_t* out) noexcept nogil:
    """Write the weights of a feature's labelled moves; return the bytes used."""
    cdef int k, value, n = 0
    cdef Entry* e
    for k in range(m.row_size):
        e = &learner.pool[m.row + k]
        value = <int>lrintf(mean(e.weight, e.late, time) * scale)
        if value == 0:
            continue
        if dense:
            out[e.label_class] = <uint8_t><int8_t>value
        else:
            out[n] = e.label_class & 255
            out[n + 1] = e.label_class >> 8
            out[n + 2] = <uint8_t><int8_t>value
            n += 3
    return n_classes if dense else n
