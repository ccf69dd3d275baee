"""Ctrl-C and SIGTERM within compiled loops that can run for minutes: Python sees a signal only when it is asked to."""
from cpython.exc cimport PyErr_CheckSignals


cdef inline int check_signals() except -1 nogil:
    """Raise what a signal that arrived meanwhile raises: KeyboardInterrupt, say. Takes the GIL: call it rarely."""
    with gil:
        PyErr_CheckSignals()
    return 0
