"""Examples that rest: what a learner gets right by far is looked at in few rounds.

A perceptron with a margin changes nothing where the right choice is ahead by it, and in late rounds that is nearly
everywhere. An example whose right choice is ahead by much more rests for a round, and for longer ones each time that it
is still so afterwards. Resting counts as a right choice, also for averaging.
"""
from libc.stdint cimport uint8_t

cdef enum:
    CLEAR = 2                # margins by which the right choice must be ahead
    LONGEST_REST = 4         # rounds
    ROUNDS = 15              # the lower half of a state: rounds to rest; the upper one: how long the rest was at first


cdef inline bint rests(uint8_t* state) noexcept nogil:
    """Say whether an example rests in this round, and count the round."""
    if state[0] & ROUNDS == 0:
        return False
    state[0] -= 1
    return True


cdef inline uint8_t rest_after(uint8_t state, float lead, float margin) noexcept nogil:
    """Return the state of an example that was looked at; ``lead``: of its right choice, negative if it was not made."""
    cdef int rounds = 2 * (state >> 4)
    if margin <= 0 or lead < CLEAR * margin:
        return 0
    rounds = 1 if rounds == 0 else LONGEST_REST if rounds > LONGEST_REST else rounds
    return <uint8_t>(rounds << 4 | rounds)
