"""Features as numbers 1, 2, 3, …, for learners that need columns instead of hashes. 0 is an unseen feature."""

from treewright.errors import ModelFileError
from treewright.learners.large_memory cimport allocate_table, enlarge_table, tw_release
from treewright.treebank.blocks.aligned import numbers_in


cdef inline int64_t home(uint64_t key, int64_t n_slots) noexcept nogil:
    return <int64_t>((key ^ key >> 32) * 0x9E3779B97F4A7C15ULL >> 20) & (n_slots - 1)


cdef class FeatureIndex:
    """Numbers keys in the order of their arrival. ``keys``: those of a saved index (unsigned 64-bit numbers)."""

    def __cinit__(self, keys=None):
        self.n_slots = 1 << 12
        self.slots = <int32_t*>allocate_table(self.n_slots, sizeof(int32_t))

    def __init__(self, keys=None):
        cdef const uint64_t[::1] view
        cdef int64_t i, steps = 0
        if keys is None or len(keys) == 0:
            return
        try:
            view = numbers_in(keys, "Q")
        except (TypeError, ValueError):
            raise ModelFileError("the list of features is damaged") from None
        for i in range(view.shape[0]):
            # Whoever writes a model file can make keys collide: every search would pass all of them.
            steps += distance(self, view[i])
            if steps > 64 * (i + 64):
                raise ModelFileError("the list of features is damaged: too many of its keys collide")
            if self.number_of(view[i]) != i + 1:
                raise ModelFileError("the list of features is damaged: it contains a feature twice")

    def __dealloc__(self):
        tw_release(self.keys)
        tw_release(self.slots)

    def __len__(self):
        return self.n_features

    def number(self, uint64_t key):
        """Return the number of a key, or 0 if it has none."""
        return self.find(key)

    def add(self, uint64_t key):
        """Return the number of a key; give it a new one if it has none."""
        return self.number_of(key)

    @property
    def keys_buffer(self):
        """The keys by number, from 1, as bytes; a copy."""
        cdef bytes copy
        if self.n_features == 0:
            return memoryview(b"")
        copy = (<const char*>self.keys)[:self.n_features * 8]
        return memoryview(copy)

    cdef int32_t find(self, uint64_t key) noexcept nogil:
        """Return the number of a key, or 0 if it has none."""
        cdef int64_t at = home(key, self.n_slots)
        while self.slots[at] != 0:
            if self.keys[self.slots[at] - 1] == key:
                return self.slots[at]
            at = (at + 1) & (self.n_slots - 1)
        return 0

    cdef int32_t number_of(self, uint64_t key) except -1 nogil:
        cdef int64_t at
        cdef int32_t number = self.find(key)
        if number != 0:
            return number
        if 2 * <int64_t>self.n_features >= self.n_slots or self.n_features >= self.room:
            self.grow()
        self.keys[self.n_features] = key
        self.n_features += 1
        at = home(key, self.n_slots)
        while self.slots[at] != 0:
            at = (at + 1) & (self.n_slots - 1)
        self.slots[at] = self.n_features
        return self.n_features

    cdef int grow(self) except -1 nogil:
        cdef int64_t i, at, room = 2048 + 2 * self.room
        cdef int32_t* slots
        if self.n_features >= self.room:
            self.keys = <uint64_t*>enlarge_table(self.keys, self.n_features, room, sizeof(uint64_t))
            self.room = room
        if 2 * <int64_t>self.n_features < self.n_slots:
            return 0
        slots = <int32_t*>allocate_table(2 * self.n_slots, sizeof(int32_t))
        tw_release(self.slots)
        self.slots = slots
        self.n_slots *= 2
        for i in range(self.n_features):
            at = home(self.keys[i], self.n_slots)
            while slots[at] != 0:
                at = (at + 1) & (self.n_slots - 1)
            slots[at] = <int32_t>(i + 1)
        return 0


cdef int64_t distance(FeatureIndex self, uint64_t key) noexcept nogil:
    """Return how many slots a search for a key passes."""
    cdef int64_t start = home(key, self.n_slots), at = start
    while self.slots[at] != 0 and self.keys[self.slots[at] - 1] != key:
        at = (at + 1) & (self.n_slots - 1)
    return (at - start) & (self.n_slots - 1)
