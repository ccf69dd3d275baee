"""Loops over the arrays of a model file: are all numbers finite, in range, rising?"""
from libc.stdint cimport int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

ctypedef fused Whole:
    uint8_t
    uint16_t
    int32_t
    uint32_t


def largest_number(const float[::1] numbers):
    """Return the largest absolute value of numbers, infinity where one is not finite; 0 of none."""
    cdef int64_t i
    cdef float largest = 0, value
    cdef bint odd = False
    with nogil:
        for i in range(numbers.shape[0]):
            value = numbers[i] if numbers[i] >= 0 else -numbers[i]
            odd |= not value <= 3.4e38
            if value > largest:
                largest = value
    return float("inf") if odd else largest


def all_within(numbers, int64_t low, int64_t high):
    """Return whether all numbers, of 8 to 32 bits, are in a range, both ends included."""
    # The type is told by hand: what Cython makes of a function of several types imports numpy, which takes 0.2 s.
    cdef const uint8_t[::1] of_bytes
    cdef const uint16_t[::1] of_pairs
    cdef const int32_t[::1] signed
    cdef const uint32_t[::1] unsigned
    code = memoryview(numbers).format
    if code == "B":
        of_bytes = numbers
        return _within(of_bytes, low, high)
    if code == "H":
        of_pairs = numbers
        return _within(of_pairs, low, high)
    if code == "i":
        signed = numbers
        return _within(signed, low, high)
    unsigned = numbers
    return _within(unsigned, low, high)


cdef bint _within(const Whole[::1] numbers, int64_t low, int64_t high) noexcept:
    cdef int64_t i
    cdef bint bad = False
    with nogil:
        for i in range(numbers.shape[0]):
            bad |= numbers[i] < low or numbers[i] > high
    return not bad


def is_rising(const int32_t[::1] numbers):
    """Return whether each number is larger than the one before it."""
    cdef int64_t i
    cdef bint bad = False
    with nogil:
        for i in range(1, numbers.shape[0]):
            bad |= numbers[i] <= numbers[i - 1]
    return not bad


def has_zero(const uint64_t[::1] numbers):
    """Return whether one of the numbers is 0."""
    cdef int64_t i
    cdef bint found = False
    with nogil:
        for i in range(numbers.shape[0]):
            found |= numbers[i] == 0
    return found


def longest_run(const uint32_t[::1] numbers):
    """Return how many numbers other than 0 follow each other at most, as in a ring: what a search may have to pass."""
    cdef int64_t i, run = 0, longest = 0, n = numbers.shape[0]
    with nogil:
        for i in range(2 * n):
            run = run + 1 if numbers[i if i < n else i - n] != 0 else 0
            if run > longest:
                longest = run
            if i >= n and run == 0:
                break
    return min(longest, n)
