"""The averaged perceptron, online and sparse.

A feature exists from the ``cutoff``-th mistake that touches it: features met only once or twice teach noise, and
leaving them out makes the model better, smaller and faster. A feature has a weight for each kind of move and a short
list of entries for the labelled moves it was updated for. Averaging is lazy and needs no time stamps: if c is the time
of an update and d its size, the mean of a weight over all times up to C is w − (Σ c·d) / C.
"""
from libc.stdint cimport int32_t, int64_t, uint32_t
from libc.string cimport memcpy, memset

from treewright.errors import CombinationError
from treewright.learners.large_memory cimport allocate_table, enlarge_table, tw_release
from treewright.learners.learner cimport MAX_CLASSES, MAX_KEYS, Choice
from treewright.systems.system cimport MAX_KINDS

cdef extern from "compiler.h" nogil:
    void TW_PREFETCH(const void* p)

cdef extern from "weight_lines.h" nogil:
    uint16_t tw_tag(uint64_t key)
    uint32_t tw_line_of(uint64_t key, uint32_t n_lines)

cdef extern from "float_rows.h" nogil:
    int tw_has_avx2()
    void tw_add_floats(int has_avx2, float* sums, const float* row, int n)

cdef enum:
    SEEN = 1 << 24


cdef inline int64_t slot_of(uint64_t key) noexcept nogil:
    """Spread keys over the slots, including keys that differ only in line and tag."""
    return <int64_t>((key ^ key >> 32) * 0x9E3779B97F4A7C15ULL >> 20)


cdef inline void add_weights(float* sums, const float* weights, int n) noexcept nogil:
    """Add up the weights for kinds of move, n of them: FEW_KINDS or MAX_KINDS."""
    cdef int k
    for k in range(FEW_KINDS):
        sums[k] += weights[k]
    if n > FEW_KINDS:
        for k in range(FEW_KINDS, MAX_KINDS):
            sums[k] += weights[k]


cdef class Perceptron(OnlineLearner):
    """Weights by feature key, for ``n_kinds`` kinds of move and ``n_classes`` labelled moves."""

    def __cinit__(self, int n_kinds, int n_classes, int cutoff=1, int64_t n_lines=0):
        cdef int i
        if not (1 <= n_kinds <= MAX_KINDS and 0 <= n_classes and 1 <= cutoff <= 255 and 0 <= n_lines <= 0x7FFFFFFF):
            raise ValueError(f"expected 1 to {MAX_KINDS} kinds of move, and a cutoff from 1 to 255")
        if n_classes > MAX_CLASSES:
            raise CombinationError(
                f"the parser would have {n_classes} labelled moves; the limit is {MAX_CLASSES}. Use fewer relations, or"
                " a lifting scheme that adds fewer (head+path adds the most, baseline none)"
            )
        self.n_kinds = n_kinds
        self.kind_weights = FEW_KINDS if n_kinds <= FEW_KINDS else MAX_KINDS
        self.feature_size = sizeof(Feature) + 2 * self.kind_weights * sizeof(float)
        self.n_classes = n_classes
        self.n_padded = (n_classes + 7) // 8 * 8
        self.longest = LONG
        while self.longest < 7 and 32 << self.longest < n_classes:   # adding up a dense row takes 32 times less a class
            self.longest += 1
        self.time = 1
        self.cutoff = cutoff
        self.n_lines = n_lines
        self.has_avx2 = tw_has_avx2()
        self.seen = <uint8_t*>allocate_table(SEEN if cutoff > 1 else 1, 1)
        self.n_slots = 1 << 16
        self.slots = <Slot*>allocate_table(self.n_slots, sizeof(Slot))
        for i in range(8):
            self.free_rows[i] = -1

    def __dealloc__(self):
        tw_release(self.slots)
        tw_release(self.seen)
        tw_release(self.keys)
        tw_release(self.features)
        tw_release(self.pool)
        tw_release(self.dense)

    def __len__(self):
        return self.n_features

    def share_nothing(self, unsigned kinds):
        """From now on, learn no weights that the labelled moves of these kinds (bits) share: each has only its own."""
        self.weightless = kinds

    @property
    def vectorised(self):
        """Whether rows are added with the processor's vector instructions. The sums are the same without them."""
        return bool(self.has_avx2)

    @vectorised.setter
    def vectorised(self, bint wanted):
        self.has_avx2 = tw_has_avx2() if wanted else 0

    def weights_of(self, uint64_t key, bint averaged=False):
        """Return the weights of a feature, now or averaged over time: ([of kinds], {class: weight}), or None."""
        cdef int32_t number = self.find(key)
        cdef double share = 1 / self.time if averaged else 0
        cdef Feature* feature
        cdef Entry e
        if number < 0:
            return None
        feature = self.at(number)
        kinds, classes = [], {}
        for k in range(self.kind_weights):
            e = self.kind_weight(feature, k)
            kinds.append(e.weight - e.late * share)
        for k in range(self.n_entries(feature)):
            e = self.class_weight(feature, k)
            classes[e.label_class] = e.weight - e.late * share
        return kinds, classes

    cdef int32_t find(self, uint64_t key) noexcept nogil:
        cdef int64_t at
        if self.n_lines:
            key = canonical(tw_line_of(key, <uint32_t>self.n_lines), tw_tag(key), self.n_lines)
        at = slot_of(key) & (self.n_slots - 1)
        while self.slots[at].key != 0:
            if self.slots[at].key == key:
                return self.slots[at].feature
            at = (at + 1) & (self.n_slots - 1)
        return -1

    cdef int32_t find_or_add(self, uint64_t key) except -2 nogil:
        """Return the number of a feature; make it if the key was requested often enough, else return -1."""
        cdef int32_t feature = self.find(key)
        if feature >= 0:
            return feature
        if self.cutoff > 1:
            self.seen[key & (SEEN - 1)] += 1
            if self.seen[key & (SEEN - 1)] < self.cutoff:
                return -1
        return self.add(key)

    cdef int32_t add(self, uint64_t key) except -1 nogil:
        """Make a new feature for a key; return its number."""
        cdef int64_t at
        cdef int32_t feature
        if self.n_lines:
            key = canonical(tw_line_of(key, <uint32_t>self.n_lines), tw_tag(key), self.n_lines)
        if 5 * self.n_features >= 3 * self.n_slots:
            grow_slots(self)
        if self.n_features == self.features_room:
            grow_features(self)
        feature = <int32_t>self.n_features
        self.n_features += 1
        memset(self.at(feature), 0, self.feature_size)
        self.keys[feature] = key
        at = slot_of(key) & (self.n_slots - 1)
        while self.slots[at].key != 0:
            at = (at + 1) & (self.n_slots - 1)
        self.slots[at].key = key
        self.slots[at].feature = feature
        return feature

    cdef void add_to_kind(self, int32_t feature, int kind, float step, float late) noexcept nogil:
        """Add to a feature's weight for a kind of move, unless its labelled moves share none."""
        if self.weightless >> kind & 1:
            return
        cdef float* weights = kind_weights_of(self.at(feature))
        weights[kind] += step
        weights[self.kind_weights + kind] += late

    cdef int add_to_class(self, int32_t number, int label_class, float step, float late) except -1 nogil:
        """Add to a feature's weight for a labelled move."""
        cdef int i, size_class = 0
        cdef int64_t place
        cdef Entry* e
        cdef Feature* feature = self.at(number)
        if feature.row_room != DENSE:
            for i in range(feature.row_size):
                e = &self.pool[feature.row + i]
                if e.label_class == label_class:
                    e.weight += step
                    e.late += late
                    return 0
            if feature.row_size == 1 << self.longest:
                make_dense(self, feature)
        if feature.row_room == DENSE:
            place = feature.row * 2 * self.n_padded + label_class
            self.dense[place] += step
            self.dense[place + self.n_padded] += late
            return 0
        if feature.row_size == feature.row_room:
            while (1 << size_class) <= feature.row_room:
                size_class += 1
            place = new_row(self, size_class)
            if feature.row_room > 0:
                memcpy(&self.pool[place], &self.pool[feature.row], feature.row_size * sizeof(Entry))
                memcpy(&self.pool[feature.row], &self.free_rows[size_class - 1], sizeof(int64_t))
                self.free_rows[size_class - 1] = feature.row
            feature.row = place
            feature.row_room = 1 << size_class
        e = &self.pool[feature.row + feature.row_size]
        feature.row_size += 1
        e.weight = step
        e.late = late
        e.label_class = label_class
        return 0

    cdef int n_entries(self, const Feature* feature) noexcept nogil:
        """Return how many class weights a feature holds, zeros included; see class_weight."""
        return self.n_classes if feature.row_room == DENSE else feature.row_size

    cdef Entry kind_weight(self, const Feature* feature, int kind) noexcept nogil:
        """Return the weight of a feature for a kind of move; it belongs to no class."""
        cdef Entry e
        e.label_class = -1
        e.weight = kind_weights_of(feature)[kind]
        e.late = kind_weights_of(feature)[self.kind_weights + kind]
        return e

    cdef Entry class_weight(self, const Feature* feature, int at) noexcept nogil:
        """Return the at-th class weight of a feature."""
        cdef Entry e
        if feature.row_room != DENSE:
            return self.pool[feature.row + at]
        e.label_class = at
        e.weight = self.dense[feature.row * 2 * self.n_padded + at]
        e.late = self.dense[feature.row * 2 * self.n_padded + self.n_padded + at]
        return e

    cdef void score(self, const uint64_t* keys, const int* counts, float* kinds, float* classes) noexcept nogil:
        self.score_range(keys, counts, 0, self.n_padded, kinds, classes)

    cdef void score_range(
        self, const uint64_t* keys, const int* counts, int first, int end, float* kinds, float* classes
    ) noexcept nogil:
        """Prefetch memory well before it is read: first all slots, then all features, then all rows."""
        cdef int i, k, n_labels = counts[0] + counts[1], n = n_labels + counts[2], n_rows = 0
        cdef Feature* feature
        cdef int32_t found[MAX_KEYS]
        cdef float sums[MAX_KINDS]
        for i in range(n):
            TW_PREFETCH(&self.slots[slot_of(keys[i]) & (self.n_slots - 1)])
        for i in range(n):
            found[i] = self.find(keys[i])
            if found[i] >= 0:
                TW_PREFETCH(self.at(found[i]))
                TW_PREFETCH(<char*>self.at(found[i]) + self.feature_size - sizeof(float))
        memset(sums, 0, sizeof(sums))
        for i in range(n):
            if found[i] < 0:
                continue
            feature = self.at(found[i])
            if i >= counts[0]:
                add_weights(sums, kind_weights_of(feature), self.kind_weights)
            if i < n_labels and feature.row_room != 0:
                found[n_rows] = found[i]
                n_rows += 1
                if feature.row_room == DENSE:
                    TW_PREFETCH(self.dense + feature.row * 2 * self.n_padded + first)
                else:
                    TW_PREFETCH(&self.pool[feature.row])
        for k in range(self.kind_weights):
            kinds[k] = sums[k]
        self.add_rows(found, n_rows, first & ~7, (end + 7) & ~7, classes)

    cdef void add_rows(self, const int32_t* found, int n_rows, int first, int end, float* classes) noexcept nogil:
        """Sum the rows of features for the classes first .. end, multiples of eight; other sums are undefined."""
        cdef int i, k
        cdef Feature* feature
        cdef Entry* e
        if first >= end:
            return
        memset(classes, 0, self.n_padded * sizeof(float))
        for i in range(n_rows):
            feature = self.at(found[i])
            if feature.row_room == DENSE:
                tw_add_floats(
                    self.has_avx2, classes + first, self.dense + feature.row * 2 * self.n_padded + first, end - first
                )
            else:
                e = &self.pool[feature.row]
                for k in range(feature.row_size):
                    classes[e[k].label_class] += e[k].weight

    cdef int update(
        self, const uint64_t* keys, const int* counts, const Choice* good, const Choice* bad, float step
    ) except -1 nogil:
        cdef int i, n_labels = counts[0] + counts[1], n = n_labels + counts[2]
        cdef bint relations = good.label_class != bad.label_class
        cdef int32_t feature
        cdef float late = <float>(step * self.time)
        for i in range(0 if relations else counts[0], n):
            feature = self.find_or_add(keys[i])
            if feature < 0:
                continue
            if i >= counts[0] and good.kind != bad.kind:
                if good.kind >= 0:
                    self.add_to_kind(feature, good.kind, step, late)
                if bad.kind >= 0:
                    self.add_to_kind(feature, bad.kind, -step, -late)
            if relations and i < n_labels:
                if good.label_class >= 0:
                    self.add_to_class(feature, good.label_class, step, late)
                if bad.label_class >= 0:
                    self.add_to_class(feature, bad.label_class, -step, -late)
        return 0

    cdef void advance(self) noexcept nogil:
        self.time += 1


cdef int grow_features(Perceptron self) except -1 nogil:
    cdef int64_t room = 1024 + self.features_room + self.features_room // 2
    self.features = <char*>enlarge_table(self.features, self.n_features, room, self.feature_size)
    self.keys = <uint64_t*>enlarge_table(self.keys, self.n_features, room, sizeof(uint64_t))
    self.features_room = room
    return 0


cdef int grow_slots(Perceptron self) except -1 nogil:
    cdef int64_t i, at, n = 2 * self.n_slots
    cdef Slot* slots = <Slot*>allocate_table(n, sizeof(Slot))
    for i in range(self.n_slots):
        if self.slots[i].key != 0:
            at = slot_of(self.slots[i].key) & (n - 1)
            while slots[at].key != 0:
                at = (at + 1) & (n - 1)
            slots[at] = self.slots[i]
    tw_release(self.slots)
    self.slots = slots
    self.n_slots = n
    return 0


cdef int64_t new_row(Perceptron self, int size_class) except -1 nogil:
    """Return the place of a row with room for 2 ** size_class entries."""
    cdef int64_t place = self.free_rows[size_class], size = (<int64_t>1) << size_class, room
    if place >= 0:
        memcpy(&self.free_rows[size_class], &self.pool[place], sizeof(int64_t))
        return place
    if self.pool_size + size > self.pool_room:
        room = 4096 + size + self.pool_room + self.pool_room // 2
        self.pool = <Entry*>enlarge_table(self.pool, self.pool_size, room, sizeof(Entry))
        self.pool_room = room
    place = self.pool_size
    self.pool_size += size
    return place


cdef int make_dense(Perceptron self, Feature* feature) except -1 nogil:
    """Turn a long list of entries into one weight for every class."""
    cdef int64_t size = 2 * self.n_padded, room
    cdef int i
    cdef float* row
    if self.n_dense == self.dense_room:
        room = 256 + self.dense_room + self.dense_room // 2
        self.dense = <float*>enlarge_table(self.dense, self.n_dense, room, size * sizeof(float))
        self.dense_room = room
    row = self.dense + self.n_dense * size
    memset(row, 0, size * sizeof(float))
    for i in range(feature.row_size):
        row[self.pool[feature.row + i].label_class] = self.pool[feature.row + i].weight
        row[self.n_padded + self.pool[feature.row + i].label_class] = self.pool[feature.row + i].late
    memcpy(&self.pool[feature.row], &self.free_rows[self.longest], sizeof(int64_t))
    self.free_rows[self.longest] = feature.row
    feature.row = self.n_dense
    feature.row_room = DENSE
    self.n_dense += 1
    return 0


def mix_in(Perceptron mean not None, Perceptron learner not None, double share=1.0):
    """Add a share of a perceptron's averaged weights to the weights of ``mean``, a perceptron made for the same task.

    A perceptron depends on the order of what it learns from, and each order leaves other accidents in the weights. In
    the mean of several the accidents cancel out. ``mean`` has a cutoff of 1: it takes every feature.
    """
    cdef int64_t i
    cdef int k
    cdef int32_t number
    cdef Feature* feature
    cdef Entry e
    if mean.n_kinds != learner.n_kinds or mean.n_classes != learner.n_classes or mean.n_lines != learner.n_lines:
        raise ValueError("perceptrons of different tasks cannot be mixed")
    with nogil:
        for i in range(learner.n_features):
            feature = learner.at(<int32_t>i)
            number = mean.find(learner.keys[i])
            if number < 0:
                number = mean.add(learner.keys[i])
            for k in range(learner.kind_weights):
                e = learner.kind_weight(feature, k)
                mean.add_to_kind(number, k, <float>(share * (e.weight - e.late / learner.time)), 0)
            for k in range(learner.n_entries(feature)):
                e = learner.class_weight(feature, k)
                if e.weight != 0 or e.late != 0:
                    mean.add_to_class(number, e.label_class, <float>(share * (e.weight - e.late / learner.time)), 0)
