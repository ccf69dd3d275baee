"""Memory that belongs to an object, and is freed with it: no class frees its arrays one by one.

A class with arrays is an Owner; a function that needs memory for as long as it runs makes one.
"""
from libc.stdlib cimport free

from treewright.treebank.blocks.memory cimport allocate_zeroed, resize


cdef class Owner:
    """Has blocks of memory. One thread at a time may ask for more."""

    def __dealloc__(self):
        cdef int i
        for i in range(self.n_blocks):
            free(self.blocks[i])
        free(self.blocks)

    cdef void** place_of(self, void* block) except NULL nogil:
        """Return where a block is listed; for NULL a place that is free."""
        cdef int i
        for i in range(self.n_blocks):
            if self.blocks[i] == block:
                return &self.blocks[i]
        self.blocks = <void**>resize(self.blocks, self.n_blocks + 1, sizeof(void*))
        self.blocks[self.n_blocks] = NULL
        self.n_blocks += 1
        return &self.blocks[self.n_blocks - 1]

    cdef void* new_block(self, size_t count, size_t size) except NULL nogil:
        """Return memory for ``count`` items of ``size`` bytes, all zero."""
        cdef void** place = self.place_of(NULL)
        place[0] = allocate_zeroed(count, size)
        return place[0]

    cdef void* resized(self, void* block, size_t count, size_t size) except NULL nogil:
        """Return a block resized to ``count`` items, with its contents; a new one for NULL. What is new is not cleared.

        If this fails, the block stays valid.
        """
        cdef void** place = self.place_of(block)
        place[0] = resize(block, count, size)
        return place[0]

    cdef void release(self, void* block) noexcept nogil:
        """Free one of the blocks before the others."""
        cdef int i
        for i in range(self.n_blocks):
            if block != NULL and self.blocks[i] == block:
                free(block)
                self.blocks[i] = NULL
