"""Which instructions the kernel uses: the fastest that the processor has. All of them give the same bits."""
from array import array

from treewright.errors import TreewrightError

cdef extern from "neural_elements.h" nogil:
    void tw_function(int path, int which, float* x, int n)

NAMES = ("portable", "narrow", "avx2", "avx512", "avx512-vnni")
FUNCTIONS = ("sigmoid", "tanh", "exp", "log")

cdef int fastest() noexcept:
    cdef int path = TW_N_PATHS - 1
    while not tw_has_path(path):
        path -= 1
    return path

cdef int chosen = fastest()


cdef int current_path() noexcept nogil:
    return chosen


def paths():
    """Return the names of the paths that the processor can take, from slow to fast."""
    return [name for path, name in enumerate(NAMES) if tw_has_path(path)]


def current():
    """Return the name of the path in use."""
    return NAMES[chosen]


def use_path(str name):
    """Take another path from now on, in all threads. For tests: results do not change."""
    global chosen
    if name not in paths():
        raise TreewrightError(f"no path '{name}' on this processor; there are: {', '.join(paths())}")
    chosen = NAMES.index(name)


def evaluate(str function, values):
    """Return the kernel's sigmoid, tanh, exp or log of each value, for tests."""
    cdef float[::1] x
    cdef int which = FUNCTIONS.index(function)
    result = array("f", values)
    if result:
        x = result
        tw_function(chosen, which, &x[0], <int>x.shape[0])
    return result
