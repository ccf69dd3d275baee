"""The difference between two sequences of moves, as features.

A beam learns from whole sequences: the weights move towards the features of one and away from those of another. Many
features are in both, with the same moves. They cancel, and must not count as touched: a feature is created only for
mistakes that it could have prevented. Therefore differences are summed before anything is learnt.
"""
from treewright.kinds.transition.engines.memo cimport Known
from treewright.systems.configuration cimport NONE
from treewright.systems.system cimport MAX_KINDS


cdef class FeatureDifference:
    """Changes of weights, by feature."""

    def __cinit__(self):
        self.places = Memo()

    cdef void clear(self) noexcept nogil:
        self.n_touched = self.n_changes = 0
        self.places.forget()

    cdef int add(self, const uint64_t* keys, const int* counts, int kind, int label_class, float size) except -1 nogil:
        """Add the features of one move; ``counts`` as for a learner: keys for labels, for both, for moves."""
        cdef int i, n_labels = counts[0] + counts[1], n = n_labels + counts[2]
        for i in range(n):
            change(self, keys[i], kind if i >= counts[0] else NONE, label_class if i < n_labels else NONE, size)
        return 0

    cdef int teach(self, Perceptron learner, float step) except -1 nogil:
        """Change the learner's weights, ``step`` times; what cancels touches nothing."""
        cdef int i
        cdef int32_t at, feature
        cdef float size, late
        for i in range(self.n_touched):
            at = self.touched[i].first
            feature = NONE
            while at != NONE:
                if self.changes[at].size != 0:
                    if feature == NONE:
                        feature = learner.find_or_add(self.touched[i].key)
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


cdef int change(FeatureDifference self, uint64_t key, int kind, int label_class, float size) except -1 nogil:
    cdef int room = 4096 + 2 * self.touched_room
    cdef Known* known = self.places.find(key)
    cdef Touched* entry
    if known == NULL:
        if self.n_touched == self.touched_room:
            self.touched = <Touched*>self.resized(self.touched, room, sizeof(Touched))
            self.touched_room = room
        self.touched[self.n_touched] = Touched(key, NONE)
        known = self.places.add(key, self.n_touched)
        self.n_touched += 1
    entry = &self.touched[known.record]
    if kind != NONE:
        change_weight(self, entry, kind, size)
    if label_class != NONE:
        change_weight(self, entry, MAX_KINDS + label_class, size)
    return 0


cdef int change_weight(FeatureDifference self, Touched* entry, int weight, float size) except -1 nogil:
    cdef int32_t at = entry.first, room = 4096 + 2 * self.changes_room
    while at != NONE:
        if self.changes[at].weight == weight:
            self.changes[at].size += size
            return 0
        at = self.changes[at].next
    if self.n_changes == self.changes_room:
        self.changes = <WeightChange*>self.resized(self.changes, room, sizeof(WeightChange))
        self.changes_room = room
    self.changes[self.n_changes].next = entry.first
    self.changes[self.n_changes].weight = weight
    self.changes[self.n_changes].size = size
    entry.first = self.n_changes
    self.n_changes += 1
    return 0
