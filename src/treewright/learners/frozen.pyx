"""Linear weights at rest: what a model file keeps of any linear learner.

Weights are 8-bit numbers on one scale. A feature is known by its home line in the table and a 16-bit tag. A look-up
compares nothing else, and a model keeps nothing else of it.
"""
from array import array

from libc.math cimport INFINITY, fabsf, lrintf
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t

from treewright.errors import ModelFileError
from treewright.learners.learner cimport MAX_CLASSES
from treewright.learners.perceptron cimport FEW_KINDS, Entry, Feature, Perceptron, canonical
from treewright.systems.system cimport MAX_KINDS
from treewright.treebank.blocks.aligned import numbers_in

cdef extern from "weight_lines.h" nogil:
    uint16_t tw_tag(uint64_t key)
    uint32_t tw_line_of(uint64_t key, uint32_t n_lines)

cdef enum:
    SLOTS = 6                            # features per line; if there are more, those with the largest weights stay

cdef double FEATURES_PER_LINE = 3.3      # on average: about one feature in sixty then finds no room
cdef int LINES_MULTIPLE = 12             # lets pruned tables have a half, third or quarter of the lines


cdef class FrozenWeights:
    """Quantised weights in flat arrays. A model file stores ``arrays`` and ``settings``.

    Invariants, checked by ``_check``: ``lines`` add up to the number of features, ``sizes`` to that of their weights;
    a line has at most SLOTS features; classes are below ``n_classes``; tags are odd; a feature has ``kind_weights``
    weights in ``moves``. LinearTable lays out its memory by these numbers.
    """

    def __init__(self, arrays, settings):
        try:
            self.lines = numbers_in(arrays["lines"], "B")
            self.tags = numbers_in(arrays["tags"], "H")
            self.moves = numbers_in(arrays["moves"], "b")
            self.sizes = numbers_in(arrays["sizes"], "H")
            self.low = numbers_in(arrays["classes_low"], "B")
            self.high = numbers_in(arrays["classes_high"], "B")
            self.values = numbers_in(arrays["values"], "b")
            self.n_classes, self.scale = settings["n_classes"], settings["scale"]
            self.kind_weights = settings.get("kind_weights", FEW_KINDS)
        except (KeyError, TypeError, ValueError, OverflowError) as error:
            raise ModelFileError(f"the table of weights is damaged or incomplete: {error}") from None
        self._check()

    def _check(self):
        """Reject arrays that do not fit each other: nothing read from disk is trusted."""
        cdef int64_t i, n = self.tags.shape[0], entries = 0, features = 0
        cdef bint bad = self.lines.shape[0] == 0 or self.lines.shape[0] > 0x7FFFFFFF
        bad = bad or not 0 <= self.n_classes <= MAX_CLASSES or not 0 < self.scale < INFINITY
        bad = bad or not FEW_KINDS <= self.kind_weights <= MAX_KINDS
        bad = bad or self.moves.shape[0] != self.kind_weights * n or self.sizes.shape[0] != n
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
        return sum(part.nbytes for part in self.arrays.values())

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
        """What a model file keeps beside the arrays."""
        settings = {"n_classes": self.n_classes, "scale": self.scale}
        return settings if self.kind_weights == FEW_KINDS else {**settings, "kind_weights": self.kind_weights}


cdef bytes_of(buffer):
    return memoryview(buffer).cast("B") if len(buffer) else memoryview(b"")


cdef class Arrays:
    """The arrays of frozen weights while they are filled."""
    cdef uint8_t[::1] lines, low, high
    cdef uint16_t[::1] tags, sizes
    cdef int8_t[::1] moves, values

    def __init__(self, int64_t n_lines, int64_t n_features, int64_t n_entries, int kind_weights, bint has_high):
        self.lines, self.low = bytearray(n_lines), bytearray(n_entries)
        self.high = bytearray(n_entries if has_high else 0)
        self.tags, self.sizes = array("H", bytes(2 * n_features)), array("H", bytes(2 * n_features))
        self.moves, self.values = array("b", bytes(kind_weights * n_features)), array("b", bytes(n_entries))

    def frozen(self, settings):
        """Return the weights that the arrays hold."""
        return FrozenWeights(
            {"lines": self.lines, "tags": self.tags, "moves": self.moves, "sizes": self.sizes,
             "classes_low": self.low, "classes_high": self.high, "values": self.values},
            settings,
        )


cdef inline float mean(Entry e, double time) noexcept nogil:
    return <float>(e.weight - e.late / time)


def freeze(Perceptron learner, float prune=0.0):
    """Return the averaged weights of a perceptron, quantised.

    Features whose weights all stay below ``prune`` are left out. The scale turns the largest weight into 127, so that
    nothing clips.
    """
    cdef int64_t i, n = learner.n_features
    cdef int k
    cdef float largest = 0, best, scale
    cdef Feature* feature
    cdef float[::1] peaks = array("f", bytes(4 * (n + 1)))
    with nogil:
        for i in range(n):
            feature = learner.at(i)
            best = 0
            for k in range(learner.kind_weights):
                best = max(best, fabsf(mean(learner.kind_weight(feature, k), learner.time)))
            for k in range(learner.n_entries(feature)):
                best = max(best, fabsf(mean(learner.class_weight(feature, k), learner.time)))
            peaks[i] = best
            largest = max(largest, best)
    scale = 127 / largest if largest > 0 else 1
    return quantise(learner, peaks, max(prune, <float>0.5 / scale), scale)


cdef inline int quantised(Perceptron learner, Entry e, float scale) noexcept nogil:
    return <int>lrintf(mean(e, learner.time) * scale)


cdef quantise(Perceptron learner, const float[::1] peaks, float prune, float scale):
    """Write the features that are kept in the order of their lines."""
    cdef int64_t i, at, out = 0, n_entries = 0, kept = 0, n_lines
    cdef Feature* feature
    cdef Entry e
    cdef int k, value, width = max(FEW_KINDS, learner.n_kinds)
    cdef Arrays to
    for i in range(learner.n_features):
        kept += peaks[i] >= prune
    n_lines = learner.n_lines or (<int64_t>(kept / FEATURES_PER_LINE) // LINES_MULTIPLE + 1) * LINES_MULTIPLE
    order = by_line(learner, peaks, prune, kept, n_lines)
    kept = len(order)
    cdef const int64_t[::1] order_view = order
    with nogil:
        for at in range(kept):
            feature = learner.at(order_view[at])
            for k in range(learner.n_entries(feature)):
                n_entries += quantised(learner, learner.class_weight(feature, k), scale) != 0
    to = Arrays(n_lines, kept, n_entries, width, learner.n_classes > 256)
    with nogil:
        for at in range(kept):
            i = order_view[at]
            feature = learner.at(i)
            to.lines[tw_line_of(learner.keys[i], <uint32_t>n_lines)] += 1
            to.tags[at] = tw_tag(learner.keys[i])
            for k in range(width):
                to.moves[width * at + k] = <int8_t>quantised(learner, learner.kind_weight(feature, k), scale)
            for k in range(learner.n_entries(feature)):
                e = learner.class_weight(feature, k)
                value = quantised(learner, e, scale)
                if value != 0:
                    to.low[out] = e.label_class & 255
                    if to.high.shape[0]:
                        to.high[out] = e.label_class >> 8
                    to.values[out] = <int8_t>value
                    to.sizes[at] += 1
                    out += 1
    return to.frozen({"n_classes": learner.n_classes, "scale": scale, "kind_weights": width})


cdef by_line(Perceptron learner, const float[::1] peaks, float prune, int64_t kept, int64_t n_lines):
    """Return the features that are kept, sorted by line, at most SLOTS per line."""
    order, chosen = array("q", bytes(8 * kept)), array("q", bytes(8 * kept))
    cdef int64_t[::1] starts = array("q", bytes(8 * (n_lines + 1)))
    cdef int64_t[::1] order_view = order
    cdef int64_t[::1] chosen_view = chosen
    cdef int64_t i, line, out = 0, first = 0, end
    cdef uint16_t[::1] tags = array("H", bytes(2 * (learner.n_features + 1)))
    with nogil:
        for i in range(learner.n_features):
            tags[i] = tw_tag(learner.keys[i])
            if peaks[i] >= prune:
                starts[tw_line_of(learner.keys[i], <uint32_t>n_lines) + 1] += 1
        for line in range(n_lines):
            starts[line + 1] += starts[line]
        for i in range(learner.n_features):
            if peaks[i] >= prune:
                line = tw_line_of(learner.keys[i], <uint32_t>n_lines)
                order_view[starts[line]] = i
                starts[line] += 1
        for line in range(n_lines):
            end = starts[line]
            if first < end:
                out += keep_largest(&order_view[first], end - first, peaks, tags, &chosen_view[out])
            first = end
    return chosen[:out]


cdef int64_t keep_largest(
    const int64_t* features, int64_t n, const float[::1] peaks, const uint16_t[::1] tags, int64_t* out
) noexcept nogil:
    """Copy the SLOTS features of a line with the largest weights, in their order; return how many.

    A look-up cannot tell features with the same tag apart: one of them is kept.
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
    """Return the weights without the features whose quantised weights all stay below ``least``.

    The table shrinks too, if possible: a feature's line among n / d lines is its line among n, divided by d.
    """
    cdef int64_t i, line, out = 0, n = weights.tags.shape[0], kept = 0, members
    cdef int k, divisor = 1
    order, chosen = array("q", bytes(8 * (n + 1))), array("q", bytes(8 * (n + 1)))
    cdef int64_t[::1] chosen_view = chosen
    cdef float[::1] peaks = array("f", bytes(4 * (n + 1)))
    cdef int64_t[::1] homes = array("q", bytes(8 * (n + 1)))
    cdef int64_t[::1] order_view = order
    measure(weights, peaks, homes)
    for i in range(n):
        kept += peaks[i] >= least
    for k in (2, 3, 4):
        if weights.lines.shape[0] % k == 0 and kept * k < 1.1 * FEATURES_PER_LINE * weights.lines.shape[0]:
            divisor = k
    i = 0
    with nogil:
        while i < n:
            line = homes[i] // divisor
            members = 0
            while i < n and homes[i] // divisor == line:
                if peaks[i] >= least:
                    order_view[members] = i
                    members += 1
                i += 1
            out += keep_largest(&order_view[0], members, peaks, weights.tags, &chosen_view[out])
    return select(weights, chosen[:out], homes, divisor)


cdef void measure(FrozenWeights weights, float[::1] peaks, int64_t[::1] homes) noexcept:
    """Write every feature's largest weight and its line."""
    cdef int64_t i = 0, entry = 0, line
    cdef int k, width = weights.kind_weights
    cdef float best
    for line in range(weights.lines.shape[0]):
        for _ in range(weights.lines[line]):
            best = 0
            for k in range(width):
                best = max(best, fabsf(weights.moves[width * i + k]))
            for k in range(weights.sizes[i]):
                best = max(best, fabsf(weights.values[entry + k]))
            peaks[i], homes[i] = best, line
            entry += weights.sizes[i]
            i += 1


cdef select(FrozenWeights weights, order, const int64_t[::1] homes, int divisor):
    """Return the weights of some features, in a table with a part of the lines."""
    cdef int64_t at, i, entry = 0, out = 0, seen = 0, n_entries = 0, kept = len(order)
    cdef const int64_t[::1] order_view = order if kept else array("q", [0])
    cdef int k, width = weights.kind_weights
    cdef Arrays to
    for at in range(kept):
        n_entries += weights.sizes[order_view[at]]
    to = Arrays(weights.lines.shape[0] // divisor, kept, n_entries, width, weights.high.shape[0] > 0)
    with nogil:
        for at in range(kept):
            i = order_view[at]
            while seen < i:
                entry += weights.sizes[seen]
                seen += 1
            to.lines[homes[i] // divisor] += 1
            to.tags[at] = weights.tags[i]
            to.sizes[at] = weights.sizes[i]
            for k in range(width):
                to.moves[width * at + k] = weights.moves[width * i + k]
            for k in range(weights.sizes[i]):
                to.low[out + k] = weights.low[entry + k]
                if to.high.shape[0]:
                    to.high[out + k] = weights.high[entry + k]
                to.values[out + k] = weights.values[entry + k]
            out += weights.sizes[i]
    return to.frozen(weights.settings)


def thaw(FrozenWeights weights, Perceptron learner, class_numbers):
    """Give a new perceptron the weights of a model, to continue training.

    ``class_numbers``: the learner's class for each class of the model. Make the learner with the model's ``n_lines``,
    so that it knows features as the model does, by line and tag.
    """
    cdef int64_t i = 0, entry = 0, home
    cdef int k, width = weights.kind_weights
    cdef int32_t feature
    cdef const int32_t[::1] numbers = class_numbers
    if learner.n_lines != weights.lines.shape[0] or width != max(learner.n_kinds, FEW_KINDS):
        raise ValueError("the learner was not made for these weights")
    for home in range(weights.lines.shape[0]):
        for _ in range(weights.lines[home]):
            feature = learner.add(canonical(home, weights.tags[i], weights.lines.shape[0]))
            for k in range(width):
                learner.add_to_kind(feature, k, weights.moves[width * i + k] / weights.scale, 0)
            for k in range(weights.sizes[i]):
                learner.add_to_class(
                    feature, numbers[weights.class_at(entry + k)], weights.values[entry + k] / weights.scale, 0
                )
            entry += weights.sizes[i]
            i += 1
