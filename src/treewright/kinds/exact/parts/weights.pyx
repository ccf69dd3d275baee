"""Weights by key: training fills them, parsing reads them.

The keys are collected first, then laid out once in an open-addressed table of 32-bit tags, in the form that a model
file has. Nothing is inserted later; features without a weight count 0.

Invariants: a table has a power of two of slots and at least one free slot, so that every search ends; there is a weight
for each slot; rows that slots name exist. Weights of model files are finite, and runs of taken slots short
(steps/border/arrays.py): scores stay finite, and searches end soon.
"""
from array import array

from libc.math cimport fabs, sqrtf


cdef extern from "compiler.h" nogil:
    void TW_PREFETCH(const void* p)


cdef enum:
    FILLER = 2               # a tag that no key has: these are odd


cdef class KeySet:
    def __cinit__(self):
        self.size = 1 << 16
        self.slots = <CountedKey*>self.new_block(self.size, sizeof(CountedKey))

    def __len__(self):
        return self.count

    cdef int add(self, uint64_t key) except -1 nogil:
        """Count a key."""
        cdef int64_t at = key & (self.size - 1)
        while self.slots[at].times and self.slots[at].key != key:
            at = (at + 1) & (self.size - 1)
        if self.slots[at].times == 0:
            self.slots[at].key = key
            self.count += 1
        self.slots[at].times += 1
        if 2 * self.count > self.size:
            self.grow()
        return 0

    cdef int grow(self) except -1 nogil:
        cdef int64_t i, at, size = 2 * self.size
        cdef CountedKey* slots = <CountedKey*>self.new_block(size, sizeof(CountedKey))
        for i in range(self.size):
            if self.slots[i].times:
                at = self.slots[i].key & (size - 1)
                while slots[at].times:
                    at = (at + 1) & (size - 1)
                slots[at] = self.slots[i]
        self.release(self.slots)
        self.slots, self.size = slots, size
        return 0

    def most_common(self, int least):
        """Return the keys counted at least ``least`` times, sorted."""
        cdef int64_t i
        return array("Q", sorted([self.slots[i].key for i in range(self.size) if self.slots[i].times >= least]))


def lay_out(const uint64_t[::1] keys):
    """Return the tags of a table for these keys, and the slot of each key. Keys with the same tag may share a slot."""
    cdef int64_t size = 64, n = keys.shape[0], i, at
    cdef int shift
    cdef uint32_t tag
    while 2 * size < 3 * n:
        size *= 2
    shift = 64 - (size.bit_length() - 1)
    tags, slots = array("I", bytes(4 * size)), array("q", bytes(8 * n))
    cdef uint32_t[::1] tag_view = tags
    cdef int64_t[::1] slot_view = slots if n else array("q", [0])
    for i in range(n):
        at = keys[i] >> shift
        tag = <uint32_t>keys[i] | 1
        while tag_view[at] and tag_view[at] != tag:
            at = (at + 1) & (size - 1)
        tag_view[at] = tag
        slot_view[i] = at
    return tags, slots


cdef int64_t slot_for(const uint32_t[::1] tags, uint64_t key):
    """Return the slot of a key in a table, or the slot to put it in: a filler or a free one."""
    cdef int64_t size = tags.shape[0], at = key >> (64 - (size.bit_length() - 1)), filler = -1
    cdef uint32_t tag = <uint32_t>key | 1
    while tags[at] != 0 and tags[at] != tag:
        if tags[at] == FILLER and filler < 0:
            filler = at
        at = (at + 1) & (size - 1)
    return filler if filler >= 0 and tags[at] == 0 else at


def extended(const uint32_t[::1] base, const uint64_t[::1] keys):
    """Return the tags of a table with the keys of another one and with further keys, the slots of these, and a factor.

    Slot i of the base becomes slot ``(i + 1) * factor - 1``. Of a key in the base we know its tag, not all of its bits:
    in a table ``factor`` times as large, its search may begin in any of ``factor`` slots for each slot of the base. So
    the key moves to the last of them, and fillers in the others keep the search going. New keys replace fillers. No key
    is lost, but searches get longer with the factor: 1 where the new keys fit in.
    """
    cdef int64_t old_size = base.shape[0], size = old_size, n = keys.shape[0], i, step, known = 0, taken = 0, fresh = 0
    for i in range(old_size):
        known += base[i] & 1
        taken += base[i] != 0
    for i in range(n):
        fresh += base[slot_for(base, keys[i])] & 1 == 0
    while 2 * size < 3 * (known + fresh) or (old_size - taken) * (size // old_size) <= 2 * fresh:
        size *= 2
    step = size // old_size
    tags, slots = array("I", bytes(4 * size)), array("q", bytes(8 * n))
    cdef uint32_t[::1] tag_view = tags
    cdef int64_t[::1] slot_view = slots if n else array("q", [0])
    for i in range(size):
        if base[i // step]:
            tag_view[i] = base[i // step] if i % step == step - 1 else FILLER
    for i in range(n):
        slot_view[i] = slot_for(tag_view, keys[i])
        tag_view[slot_view[i]] = <uint32_t>keys[i] | 1
    return tags, slots, step


cdef class KeyTable:
    cdef int64_t find(self, uint64_t key) noexcept nogil:
        """Return the slot of a key, -1 where it is unknown."""
        cdef int64_t at = key >> self.shift
        cdef uint32_t tag = <uint32_t>key | 1
        while self.tags[at] != tag:
            if self.tags[at] == 0:
                return -1
            at = (at + 1) & (self.size - 1)
        return at


cdef int set_tags(KeyTable table, const uint32_t[::1] tags) except -1:
    cdef int64_t i, size = tags.shape[0]
    if size < 2 or size & (size - 1):
        raise ValueError("the size of a table of keys must be a power of two")
    for i in range(size):
        if tags[i] == 0:
            break
    else:
        raise ValueError("a table of keys must have a free slot")
    table.size = size
    table.shift = 64 - (size.bit_length() - 1)
    table.tags = &tags[0]
    table.owner = tags
    return 0


cdef class WeightTable(KeyTable):
    def __init__(self, const uint32_t[::1] tags, const float[::1] weights):
        set_tags(self, tags)
        if weights.shape[0] != self.size:
            raise ValueError("there must be one weight per slot")
        self.weights = <float*>&weights[0]
        self.weight_owner = weights

    cdef double sum_of(self, const uint64_t* keys, int n) noexcept nogil:
        cdef int i
        cdef int64_t slot
        cdef double total = 0
        for i in range(n):
            TW_PREFETCH(self.tags + (keys[i] >> self.shift))
        for i in range(n):
            slot = self.find(keys[i])
            if slot >= 0:
                total += self.weights[slot]
        return total

    cdef void each(self, const uint64_t* keys, int n, float* out) noexcept nogil:
        """Write the weight of every key, 0 where it has none."""
        cdef int i
        cdef int64_t slot
        for i in range(n):
            slot = self.find(keys[i])
            out[i] = self.weights[slot] if slot >= 0 else 0


cdef class RowTable(KeyTable):
    def __init__(self, const uint32_t[::1] tags, const int32_t[::1] numbers, const float[::1] rows, int width):
        cdef int64_t i
        set_tags(self, tags)
        if width <= 0 or width % 8 or rows.shape[0] % width or numbers.shape[0] != self.size:
            raise ValueError("there must be rows of one width, and a number per slot")
        self.width, self.n_rows = width, rows.shape[0] // width
        for i in range(self.size):
            if tags[i] and not 0 <= numbers[i] < self.n_rows:
                raise ValueError("a row number is out of range")
        self.numbers = &numbers[0]
        self.rows = <float*>&rows[0]
        self.number_owner, self.row_owner = numbers, rows

    cdef void add_rows(self, const uint64_t* keys, int n, float* out) noexcept nogil:
        cdef int i, j
        cdef int64_t slot
        cdef const float* row
        for i in range(n):
            TW_PREFETCH(self.tags + (keys[i] >> self.shift))
        for i in range(n):
            slot = self.find(keys[i])
            if slot >= 0:
                row = self.rows + <int64_t>self.numbers[slot] * self.width
                for j in range(self.width):
                    out[j] += row[j]


cdef class Gradient:
    def __cinit__(self, float[::1] weights, int width=1, float initial=1.0):
        cdef int64_t i
        self.weights = &weights[0]
        self.owner = weights
        self.size, self.width = weights.shape[0], width
        self.gradient = <float*>self.new_block(self.size, sizeof(float))
        self.squares = <float*>self.new_block(self.size, sizeof(float))
        self.sums = <float*>self.new_block(self.size, sizeof(float))
        self.touched = <int64_t*>self.new_block(self.size // width + 1, sizeof(int64_t))
        self.is_touched = <unsigned char*>self.new_block(self.size // width + 1, 1)
        for i in range(self.size):
            self.squares[i] = initial

    cdef void touch(self, int64_t unit) noexcept nogil:
        """List a unit (``width`` weights) whose gradient the next step applies."""
        if not self.is_touched[unit]:
            self.is_touched[unit] = 1
            self.touched[self.n_touched] = unit
            self.n_touched += 1

    cdef void add(self, int64_t unit, int64_t weight, float amount) noexcept nogil:
        self.gradient[weight] += amount
        self.touch(unit)

    cdef double norm(self) noexcept nogil:
        """The squared length of the gradient."""
        cdef int64_t i, j
        cdef double total = 0
        for i in range(self.n_touched):
            for j in range(self.touched[i] * self.width, (self.touched[i] + 1) * self.width):
                total += self.gradient[j] * self.gradient[j]
        return total

    cdef void step(self, float rate, double time, bint adaptive) noexcept nogil:
        """Go up the gradient; then clear it. ``adaptive``: in smaller steps where much changed before (AdaGrad)."""
        cdef int64_t i, j
        cdef float g, change
        for i in range(self.n_touched):
            for j in range(self.touched[i] * self.width, (self.touched[i] + 1) * self.width):
                g = self.gradient[j]
                if g != 0:
                    change = rate * g
                    if adaptive:
                        self.squares[j] += g * g
                        change /= sqrtf(self.squares[j])
                    self.weights[j] += change
                    self.sums[j] += <float>time * change
                    self.gradient[j] = 0
            self.is_touched[self.touched[i]] = 0
        self.n_touched = 0

    def averaged(self, double time):
        """Return the mean of the weights over the steps up to a time."""
        cdef int64_t i
        result = array("f", bytes(4 * self.size))
        cdef float[::1] view = result
        for i in range(self.size):
            view[i] = self.weights[i] - self.sums[i] / time if time > 0 else self.weights[i]
        return result


def row_width(int n_relations):
    """Return how many weights a row has: one per relation, and more up to a multiple of eight."""
    return (n_relations + 7) // 8 * 8


def rows_as_shorts(const float[::1] rows):
    """Return weights as the 16-bit numbers of a model file, and the factor that turns them back."""
    cdef int64_t i, n = rows.shape[0]
    cdef double largest = 1e-9
    for i in range(n):
        largest = max(largest, fabs(rows[i]))
    cdef double scale = largest / 32767
    result = array("h", bytes(2 * n))
    cdef short[::1] view = result if n else array("h", [0])
    for i in range(n):
        view[i] = <short>(rows[i] / scale + (0.5 if rows[i] >= 0 else -0.5))
    return result, scale


def rows_as_floats(const short[::1] rows, double scale):
    """Return 16-bit numbers as the weights they stand for."""
    cdef int64_t i, n = rows.shape[0]
    result = array("f", bytes(4 * n))
    cdef float[::1] view = result if n else array("f", [0])
    for i in range(n):
        view[i] = <float>(rows[i] * scale)
    return result
