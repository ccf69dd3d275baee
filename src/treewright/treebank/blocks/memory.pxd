"""Checked allocation: a failed allocation and a size that overflows raise MemoryError."""
from libc.stdlib cimport calloc, malloc, realloc


cdef inline void* allocate(size_t count, size_t size) except NULL nogil:
    """Return memory for ``count`` items of ``size`` bytes, not cleared; never NULL, even for 0 items."""
    cdef void* memory = NULL
    if count <= (<size_t>-1) // (size or 1):
        memory = malloc(count * size or 1)
    if memory == NULL:
        with gil:
            raise MemoryError
    return memory


cdef inline void* allocate_zeroed(size_t count, size_t size) except NULL nogil:
    """Return memory for ``count`` items of ``size`` bytes, all zero."""
    cdef void* memory = calloc(count or 1, size or 1)
    if memory == NULL:
        with gil:
            raise MemoryError
    return memory


cdef inline void* resize(void* memory, size_t count, size_t size) except NULL nogil:
    """Return the memory resized to ``count`` items, with its contents. If this fails, the old memory stays valid."""
    cdef void* larger = NULL
    if count <= (<size_t>-1) // (size or 1):
        larger = realloc(memory, count * size or 1)
    if larger == NULL:
        with gil:
            raise MemoryError
    return larger
