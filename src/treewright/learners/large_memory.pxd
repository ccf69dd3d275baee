"""Checked memory for large tables that are read at random: aligned, in huge pages where possible, and zeroed."""

cdef extern from "memory.h" nogil:
    void* tw_allocate(size_t size)
    void* tw_enlarge(void* memory, size_t used, size_t size)
    void tw_release(void* memory)


cdef inline void* allocate_table(size_t count, size_t size) except NULL nogil:
    """Return room for ``count`` items of ``size`` bytes, all zero; release it with ``tw_release``."""
    return enlarge_table(NULL, 0, count, size)


cdef inline void* enlarge_table(void* memory, size_t used, size_t count, size_t size) except NULL nogil:
    """Return the memory with room for ``count`` items; the first ``used`` are kept, the others are zero.

    If this fails, the old memory stays valid.
    """
    cdef void* larger = NULL
    if count <= (<size_t>-1) // 2 // size:
        larger = tw_enlarge(memory, used * size, count * size)
    if larger == NULL:
        with gil:
            raise MemoryError
    return larger
