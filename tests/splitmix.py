"""The random numbers of resampling, written a second time in plain Python."""

from collections.abc import Iterator


def draws(n: int, seed: int) -> Iterator[int]:
    """Yield places below n with splitmix64: the upper half of every number, scaled."""
    mask, state = 2**64 - 1, seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & mask
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & mask
        yield (((z ^ (z >> 31)) >> 32) * n) >> 32
