"""Numbers as decimal digits."""
from libc.stdint cimport uint64_t


cdef inline char* put_digits(char* out, uint64_t value) noexcept nogil:
    """Write a number of up to 20 digits; return where it ends."""
    cdef char digits[20]
    cdef int n = 0
    while True:
        digits[n] = <char>(c'0' + value % 10)
        n += 1
        value //= 10
        if value == 0:
            break
    while n > 0:
        n -= 1
        out[0] = digits[n]
        out += 1
    return out
