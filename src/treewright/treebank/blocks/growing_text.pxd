"""Text that is written piece by piece. Who owns one frees its ``data``."""
from libc.string cimport memcpy

from treewright.treebank.blocks.memory cimport resize


cdef struct GrowingText:
    char* data
    size_t size
    size_t room


cdef inline int put_bytes(GrowingText* text, const char* data, size_t length) except -1 nogil:
    """Add bytes at the end."""
    cdef size_t room = text.size + length + text.room // 2 + 4096
    if text.size + length > text.room:
        text.data = <char*>resize(text.data, room, 1)
        text.room = room
    memcpy(text.data + text.size, data, length)
    text.size += length
    return 0
