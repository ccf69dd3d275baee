"""Bytes of a file as numbers, wherever they lie: compiled code reads numbers at multiples of their size only."""
from struct import calcsize


def numbers_in(buffer, str code):
    """Return a buffer as a memoryview of numbers of a type; a copy where they do not lie at multiples of their size.

    Raises TypeError where the buffer is not a whole number of them long.
    """
    cdef const unsigned char[::1] raw
    cdef size_t size = calcsize(code)
    if not len(buffer):
        return memoryview(b"").cast(code)
    data = memoryview(buffer).cast("B")
    raw = data
    if <size_t>&raw[0] % size:
        data = memoryview(bytes(data))
    return data.cast(code)
