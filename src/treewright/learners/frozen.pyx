"""Linear weights at rest: what a model file keeps of any linear learner.

Weights are 8-bit numbers on one scale. A feature is known by the line of the table where it is at home and a 16-bit
tag; that is all that a look-up compares, and all that a model keeps of it.
"""
from array import array

from libc.math cimport INFINITY, fabsf, lrintf
from libc.stdint cimport int8_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free, malloc

from treewright.errors import ModelFileError
from treewright.learners.learner cimport MAX_CLASSES
from treewright.learners.perceptron cimport Entry, MoveWeights, Perceptron, canonical

cdef extern from "score.h" nogil:
    uint16_t tw_tag(uint64_t key)
    uint32_t tw_line_of(uint64_t key, uint32_t n_lines)

cdef enum:
    SLOTS = 6                            # features a line has room for; of more, those with the largest weights stay

cdef double FEATURES_PER_LINE = 3.3      # on average: about one in sixty finds no room then
cdef int LINES_MULTIPLE = 12             # so that pruned tables can have a half, third or quarter of the lines


cdef class FrozenWeights:
    """Quantised weights in flat arrays. ``arrays`` and ``settings`` go to a model file and come back from it."""

    def __init__(self, arrays, settings):
        cdef int64_t i, total
        try:
            self.lines = view(arrays["lines"], "B")
            self.tags = view(arrays["tags"], "H")
            self.moves = view(arrays["moves"], "b")
            self.sizes = view(arrays["sizes"], "H")
            self.low = view(arrays["classes_low"], "B")
            self.high = view(arrays["classes_high"], "B")
            self.values = view(arrays["values"], "b")
            self.n_classes, self.scale = settings["n_classes"], settings["scale"]
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelFileError(f"the table of weights is damaged or incomplete: {error}") from None
        self._check()

    def _check(self):
        """Refuse arrays that do not fit each other: nothing that was read from disk is trusted."""
        cdef int64_t i, n = self.tags.shape[0], entries = 0, features = 0
        cdef bint bad = self.lines.shape[0] == 0 or self.lines.shape[0] > 0x7FFFFFFF
        bad = bad or not 0 <= self.n_classes <= MAX_CLASSES or not 0 < self.scale < INFINITY
        bad = bad or self.moves.shape[0] != 4 * n or self.sizes.shape[0] != n
        bad = bad or (self.high.shape[0] != 0 and self.high.shape[0] != self.low.shape[0])
        bad = bad or self.low.shape[0] != self.values.shape[0]
        if not bad:
            with nogil:
                for i in range(self.lines.shape[0]):
                    features += self.lines[i]
                    bad = bad or self.lines[i] > SLOTS
                for i in range(n):
                    entries += self.sizes[i]
                    bad = bad or self.sizes[i] > self.n_classes or self.tags[i] & 1 == 0
                for i in range(self.low.shape[0]):
                    bad = bad or self.class_at(i) >= self.n_classes
        if bad or features != n or entries != self.low.shape[0]:
            raise ModelFileError("the table of weights is damaged: its parts do not fit each other")

    def __len__(self):
        return self.tags.shape[0]

    @property
    def n_lines(self):
        """How many lines the table has."""
        return self.lines.shape[0]

    @property
    def nbytes(self):
        """The size of the arrays."""
        return sum(memoryview(part).nbytes for part in self.arrays.values())

    @property
    def arrays(self):
        """The arrays by name, as buffers of bytes."""
        return {
            "lines": bytes_of(self.lines), "tags": bytes_of(self.tags), "moves": bytes_of(self.moves),
            "sizes": bytes_of(self.sizes), "classes_low": bytes_of(self.low), "classes_high": bytes_of(self.high),
            "values": bytes_of(self.values),
        }

    @property
    def settings(self):
        """What a model file must keep beside the arrays."""
        return {"n_classes": self.n_classes, "scale": self.scale}


cdef view(buffer, str code):
    return memoryview(buffer).cast("B").cast(code)


cdef bytes_of(buffer):
    return memoryview(buffer).cast("B") if len(buffer) else memoryview(b"")


cdef inline float mean(float weight, float late, double time) noexcept nogil:
    return <float>(weight - late / time)


def freeze(Perceptron learner, float prune=0.0):
    """Return the averaged weights of a perceptron, quantised.

    Features all of whose weights stay below ``prune`` are left out. The scale is chosen such that nothing clips:
    the largest weight becomes 127.
    """
    cdef int64_t i, n = learner.n_features
    cdef int k
    cdef float largest = 0, best, scale
    cdef double time = learner.time
    cdef MoveWeights* m
    cdef Entry e
    cdef float* peaks = <float*>malloc((n + 1) * sizeof(float))
    if peaks == NULL:
        raise MemoryError
    try:
        with nogil:
            for i in range(n):
                m = &learner.features[i]
                best = 0
                for k in range(4):
                    best = max(best, fabsf(mean(m.weight[k], m.late[k], time)))
                for k in range(learner.n_entries(m)):
                    e = learner.class_weight(m, k)
                    best = max(best, fabsf(mean(e.weight, e.late, time)))
                peaks[i] = best
                largest = max(largest, best)
        scale = 127 / largest if largest > 0 else 1
        return quantise(learner, peaks, max(prune, <float>0.5 / scale), scale)
    finally:
        free(peaks)


cdef quantise(Perceptron learner, const float* peaks, float prune, float scale):
    """Write the features that are kept in the order of their lines."""
    cdef int64_t i, at, feature, kept = 0, entries = 0, n_lines
    cdef double time = learner.time
    cdef MoveWeights* m
    cdef Entry e
    cdef int k, value
    for i in range(learner.n_features):
        kept += peaks[i] >= prune
    n_lines = learner.n_lines or (<int64_t>(kept / FEATURES_PER_LINE) // LINES_MULTIPLE + 1) * LINES_MULTIPLE
    order = by_line(learner, peaks, prune, kept, n_lines)
    cdef const int64_t[::1] order_view = order
    kept = len(order)
    lines, tags, sizes = bytearray(n_lines), array("H", bytes(2 * kept)), array("H", bytes(2 * kept))
    moves = array("b", bytes(4 * kept))
    cdef uint8_t[::1] line_view = lines
    cdef uint16_t[::1] tag_view = tags
    cdef uint16_t[::1] size_view = sizes
    cdef int8_t[::1] move_view = moves
    with nogil:
        for at in range(kept):
            feature = order_view[at]
            m = &learner.features[feature]
            line_view[tw_line_of(learner.keys[feature], <uint32_t>n_lines)] += 1
            tag_view[at] = tw_tag(learner.keys[feature])
            for k in range(4):
                move_view[4 * at + k] = <int8_t>lrintf(mean(m.weight[k], m.late[k], time) * scale)
            for k in range(learner.n_entries(m)):
                e = learner.class_weight(m, k)
                size_view[at] += lrintf(mean(e.weight, e.late, time) * scale) != 0
            entries += size_view[at]
    low, values = bytearray(entries), array("b", bytes(entries))
    high = bytearray(entries if learner.n_classes > 256 else 0)
    cdef uint8_t[::1] low_view = low
    cdef uint8_t[::1] high_view = high
    cdef int8_t[::1] value_view = values
    entries = 0
    with nogil:
        for at in range(kept):
            m = &learner.features[order_view[at]]
            for k in range(learner.n_entries(m)):
                e = learner.class_weight(m, k)
                value = <int>lrintf(mean(e.weight, e.late, time) * scale)
                if value == 0:
                    continue
                low_view[entries] = e.label_class & 255
                if learner.n_classes > 256:
                    high_view[entries] = e.label_class >> 8
                value_view[entries] = <int8_t>value
                entries += 1
    return FrozenWeights(
        {"lines": lines, "tags": tags, "moves": moves, "sizes": sizes, "classes_low": low, "classes_high": high,
         "values": values},
        {"n_classes": learner.n_classes, "scale": scale},
    )


cdef by_line(Perceptron learner, const float* peaks, float prune, int64_t kept, int64_t n_lines):
    """Return the features that are kept, sorted by their lines, SLOTS at most in each."""
    starts = array("q", bytes(8 * (n_lines + 1)))
    order, chosen = array("q", bytes(8 * kept)), array("q", bytes(8 * kept))
    cdef int64_t[::1] start_view = starts
    cdef int64_t[::1] order_view = order
    cdef int64_t[::1] chosen_view = chosen
    cdef int64_t i, line, out = 0, first = 0, end
    tags = array("H", bytes(2 * (learner.n_features + 1)))
    cdef uint16_t[::1] tag_view = tags
    with nogil:
        for i in range(learner.n_features):
            tag_view[i] = tw_tag(learner.keys[i])
            if peaks[i] >= prune:
                start_view[tw_line_of(learner.keys[i], <uint32_t>n_lines) + 1] += 1
        for line in range(n_lines):
            start_view[line + 1] += start_view[line]
        for i in range(learner.n_features):
            if peaks[i] >= prune:
                line = tw_line_of(learner.keys[i], <uint32_t>n_lines)
                order_view[start_view[line]] = i
                start_view[line] += 1
        for line in range(n_lines):
            end = start_view[line]
            if first < end:
                out += keep_largest(&order_view[first], end - first, peaks, &tag_view[0], &chosen_view[out])
            first = end
    return chosen[:out]


cdef int64_t keep_largest(const int64_t* features, int64_t n, const float* peaks, const uint16_t* tags, int64_t* out) noexcept nogil:
    """Copy the SLOTS features of a line with the largest weights, in their order; return how many.

    Of features with the same tag, which a look-up cannot tell apart, one is kept.
    """
    cdef int64_t i, k, kept = 0, larger
    for i in range(n):
        larger = 0
        for k in range(n):
            if peaks[features[k]] > peaks[features[i]] or (peaks[features[k]] == peaks[features[i]] and k < i):
                larger += SLOTS if tags[features[k]] == tags[features[i]] else 1
        if larger < SLOTS:
            out[kept] = features[i]
            kept += 1
    return kept


def prune(FrozenWeights weights, int least):
    """Return the weights without the features all of whose quantised weights stay below ``least``.

    The table shrinks too, where it can: with n lines at first, the line of a feature among n / d is its line // d.
    """
    cdef int64_t i, line, out = 0, n = weights.tags.shape[0], kept = 0, members
    cdef int k, divisor = 1
    peaks, homes = array("f", bytes(4 * (n + 1))), array("q", bytes(8 * (n + 1)))
    order, chosen = array("q", bytes(8 * (n + 1))), array("q", bytes(8 * (n + 1)))
    cdef int64_t[::1] chosen_view = chosen
    cdef float[::1] peak_view = peaks
    cdef int64_t[::1] home_view = homes
    cdef int64_t[::1] order_view = order
    measure(weights, peak_view, home_view)
    for i in range(n):
        kept += peak_view[i] >= least
    for k in (2, 3, 4):
        if weights.lines.shape[0] % k == 0 and kept * k < 1.1 * FEATURES_PER_LINE * weights.lines.shape[0]:
            divisor = k
    i = 0
    with nogil:
        while i < n:
            line = home_view[i] // divisor
            members = 0
            while i < n and home_view[i] // divisor == line:
                if peak_view[i] >= least:
                    order_view[members] = i
                    members += 1
                i += 1
            out += keep_largest(&order_view[0], members, &peak_view[0], &weights.tags[0], &chosen_view[out])
    return select(weights, chosen[:out], homes, divisor)


cdef void measure(FrozenWeights weights, float[::1] peaks, int64_t[::1] homes) noexcept:
    """Write every feature's largest weight and its line."""
    cdef int64_t i = 0, entry = 0, line
    cdef int k
    cdef float best
    for line in range(weights.lines.shape[0]):
        for _ in range(weights.lines[line]):
            best = 0
            for k in range(4):
                best = max(best, fabsf(weights.moves[4 * i + k]))
            for k in range(weights.sizes[i]):
                best = max(best, fabsf(weights.values[entry + k]))
            peaks[i], homes[i] = best, line
            entry += weights.sizes[i]
            i += 1


cdef select(FrozenWeights weights, order, homes, int divisor):
    """Return the weights of some features, in a table with a part of the lines."""
    cdef int64_t at, i, entry = 0, out = 0, seen = 0, entries = 0, kept = len(order)
    cdef const int64_t[::1] order_view = order if kept else array("q", [0])
    cdef const int64_t[::1] home_view = homes
    cdef int k
    for at in range(kept):
        entries += weights.sizes[order_view[at]]
    lines, tags, sizes = bytearray(weights.lines.shape[0] // divisor), array("H", bytes(2 * kept)), array("H", bytes(2 * kept))
    moves, low, values = array("b", bytes(4 * kept)), bytearray(entries), array("b", bytes(entries))
    high = bytearray(entries if weights.high.shape[0] else 0)
    cdef uint8_t[::1] line_view = lines
    cdef uint16_t[::1] tag_view = tags
    cdef uint16_t[::1] size_view = sizes
    cdef int8_t[::1] move_view = moves
    cdef uint8_t[::1] low_view = low
    cdef uint8_t[::1] high_view = high
    cdef int8_t[::1] value_view = values
    with nogil:
        for at in range(kept):
            i = order_view[at]
            while seen < i:
                entry += weights.sizes[seen]
                seen += 1
            line_view[home_view[i] // divisor] += 1
            tag_view[at] = weights.tags[i]
            size_view[at] = weights.sizes[i]
            for k in range(4):
                move_view[4 * at + k] = weights.moves[4 * i + k]
            for k in range(weights.sizes[i]):
                low_view[out + k] = weights.low[entry + k]
                if weights.high.shape[0]:
                    high_view[out + k] = weights.high[entry + k]
                value_view[out + k] = weights.values[entry + k]
            out += weights.sizes[i]
    return FrozenWeights(
        {"lines": lines, "tags": tags, "moves": moves, "sizes": sizes, "classes_low": low, "classes_high": high,
         "values": values},
        weights.settings,
    )


def thaw(FrozenWeights weights, Perceptron learner, class_numbers):
    """Give a new perceptron the weights of a model, to go on from there.

    ``class_numbers``: the learner's class for each class of the model. The learner must have been made with
    ``n_lines`` of the model: it then knows features as the model does, by line and tag.
    """
    cdef int64_t i = 0, entry = 0, home
    cdef int k
    cdef int32_t feature
    cdef uint64_t key
    cdef const int32_t[::1] numbers = class_numbers
    if learner.n_lines != weights.lines.shape[0]:
        raise ValueError("the learner was not made for these weights")
    for home in range(weights.lines.shape[0]):
        for _ in range(weights.lines[home]):
            key = canonical(home, weights.tags[i], weights.lines.shape[0])
            feature = learner.add(key)
            for k in range(4):
                learner.features[feature].weight[k] = weights.moves[4 * i + k] / weights.scale
            for k in range(weights.sizes[i]):
                learner.add_to_class(
                    &learner.features[feature], numbers[weights.class_at(entry + k)],
                    weights.values[entry + k] / weights.scale, 0,
                )
            entry += weights.sizes[i]
            i += 1
