"""The difference between two sequences of moves, as features.

A beam learns from whole sequences: the weights move towards the features of one and away from those of another. Many
features are in both, with the same moves. They cancel, and must not count as touched: a feature is created only for
mistakes that it could have prevented. Therefore differences are summed before anything is learnt.
"""
from libc.stdlib cimport free
from libc.string cimport memset

from treewright.systems.configuration cimport NONE
from treewright.systems.system cimport MAX_KINDS
from treewright.treebank.blocks.memory cimport allocate, allocate_zeroed, resize


cdef class FeatureDifference:
    """Changes of weights, by feature."""

    def __cinit__(self):
        self.mask = (1 << 14) - 1
        self.update = 1
        self.table = <Touched*>allocate_zeroed(self.mask + 1, sizeof(Touched))
        self.order = <int32_t*>allocate(self.mask + 1, sizeof(int32_t))

    def __dealloc__(self):
        free(self.table)
        free(self.order)
        free(self.changes)

    cdef void clear(self) noexcept nogil:
        self.n_touched = self.n_changes = 0
        self.update += 1
        if self.update == 0:
            memset(self.table, 0, (self.mask + 1) * sizeof(Touched))
            self.update = 1

    cdef int add(self, const uint64_t* keys, const int* counts, int kind, int label_class, float size) except -1 nogil:
        """Add the features of one move; ``counts`` as for a learner: keys for labels, for both, for moves."""
        cdef int i, n_labels = counts[0] + counts[1], n = n_labels + counts[2]
        for i in range(n):
            self.change(
                keys[i], kind if i >= counts[0] else NONE, label_class if i < n_labels else NONE, size,
            )
        return 0

    cdef int change(self, uint64_t key, int kind, int label_class, float size) except -1 nogil:
        cdef int64_t at
        if 2 * self.n_touched > self.mask:
            self.grow()
        at = <int64_t>(key * 0x9E3779B97F4A7C15ULL >> 32) & self.mask
        while self.table[at].update == self.update and self.table[at].key != key:
            at = (at + 1) & self.mask
        if self.table[at].update != self.update:
            self.table[at].update = self.update
            self.table[at].key = key
            self.table[at].first = NONE
            self.order[self.n_touched] = <int32_t>at
            self.n_touched += 1
        if kind != NONE:
            self.change_weight(&self.table[at], kind, size)
        if label_class != NONE:
            self.change_weight(&self.table[at], MAX_KINDS + label_class, size)
        return 0

    cdef int change_weight(self, Touched* entry, int weight, float size) except -1 nogil:
        cdef int32_t at = entry.first, room = 4096 + 2 * self.changes_room
        while at != NONE:
            if self.changes[at].weight == weight:
                self.changes[at].size += size
                return 0
            at = self.changes[at].next
        if self.n_changes == self.changes_room:
            self.changes = <WeightChange*>resize(self.changes, room, sizeof(WeightChange))
            self.changes_room = room
        self.changes[self.n_changes].next = entry.first
        self.changes[self.n_changes].weight = weight
        self.changes[self.n_changes].size = size
        entry.first = self.n_changes
        self.n_changes += 1
        return 0

    cdef int grow(self) except -1 nogil:
        cdef int64_t i, at, mask = 2 * self.mask + 1
        cdef Touched* table
        self.order = <int32_t*>resize(self.order, mask + 1, sizeof(int32_t))
        table = <Touched*>allocate_zeroed(mask + 1, sizeof(Touched))
        for i in range(self.n_touched):
            at = <int64_t>(self.table[self.order[i]].key * 0x9E3779B97F4A7C15ULL >> 32) & mask
            while table[at].update == self.update:
                at = (at + 1) & mask
            table[at] = self.table[self.order[i]]
            self.order[i] = <int32_t>at
        free(self.table)
        self.table, self.mask = table, mask
        return 0

    cdef int teach(self, Perceptron learner, float step) except -1 nogil:
        """Change the learner's weights, ``step`` times; what cancels touches nothing."""
        cdef int i
        cdef int32_t at, feature
        cdef float size, late
        for i in range(self.n_touched):
            at = self.table[self.order[i]].first
            feature = NONE
            while at != NONE:
                if self.changes[at].size != 0:
                    if feature == NONE:
                        feature = learner.find_or_add(self.table[self.order[i]].key)
                        if feature < 0:
                            break
                    size = step * self.changes[at].size
                    late = <float>(size * learner.time)
                    if self.changes[at].weight < MAX_KINDS:
                        learner.add_to_kind(feature, self.changes[at].weight, size, late)
                    else:
                        learner.add_to_class(feature, self.changes[at].weight - MAX_KINDS, size, late)
                at = self.changes[at].next
        return 0
