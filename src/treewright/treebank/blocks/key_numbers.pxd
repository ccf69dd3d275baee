"""Numbers by 64-bit key, filled once and then only read: an open-addressed table for lexicon, lemmas and splits.

Invariants: at least half of the slots are free, so that every search ends; no key is further than LONGEST_SEARCH slots
from where its search begins. Keys may come from a model file, which can make them collide: then ``add_number`` raises.
"""
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free

from treewright.treebank.blocks.memory cimport allocate_zeroed


cdef enum:
    LONGEST_SEARCH = 1024


cdef struct KeyNumber:
    uint64_t key             # 0: the slot is free
    int32_t number


cdef struct KeyNumbers:
    KeyNumber* slots         # owned: release with `free`
    int64_t mask
    int64_t steps            # slots that were passed while the table was filled


cdef inline int make_room(KeyNumbers* table, int64_t n) except -1:
    """Empty the table and make room for n keys."""
    cdef int64_t size = 64
    while size < 2 * n:
        size *= 2
    free(table.slots)
    table.slots = NULL
    table.slots = <KeyNumber*>allocate_zeroed(size, sizeof(KeyNumber))
    table.mask = size - 1
    table.steps = 0
    return 0


cdef inline int add_number(KeyNumbers* table, uint64_t key, int32_t number) except -1:
    """Add a key that is not in the table yet; 0 counts as 1."""
    cdef int64_t slot = (key >> 33) & table.mask, steps = 0
    while table.slots[slot].key != 0:
        slot = (slot + 1) & table.mask
        steps += 1
    table.steps += steps
    if steps > LONGEST_SEARCH or table.steps > 64 * (table.mask + 1):
        raise ValueError("too many keys of a table collide")
    table.slots[slot].key, table.slots[slot].number = key or 1, number
    return 0


cdef inline int32_t number_of(const KeyNumbers* table, uint64_t key) noexcept nogil:
    """Return the number of a key, or -1."""
    cdef int64_t slot = (key >> 33) & table.mask
    while table.slots[slot].key != 0:
        if table.slots[slot].key == key:
            return table.slots[slot].number
        slot = (slot + 1) & table.mask
    return -1
