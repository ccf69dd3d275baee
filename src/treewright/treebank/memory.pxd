"""Memory that grows with the sentences."""
from libc.stdint cimport int32_t
from libc.stdlib cimport realloc


cdef inline int32_t* grown(int32_t* memory, size_t room) except NULL nogil:
    """Return room for so many numbers, those there are kept."""
    memory = <int32_t*>realloc(memory, room * sizeof(int32_t))
    if memory == NULL:
        with gil:
            raise MemoryError
    return memory
