"""Which ends of lines mean something. See lines.pyx."""
from treewright.kinds.tokenizer.boundaries.characters cimport Characters


cdef class LineStyle:
    cdef readonly str newlines           # paragraph, sentence or ignore
    cdef readonly int width              # columns that lines were wrapped at; 0: they were not
    cdef readonly int wide               # columns of an ideograph
    cdef readonly bint guessed           # was this read from the text itself?
    cdef readonly bint capitals          # do lines begin with a capital, as a rule?
    cdef void apply(self, Characters text, int column) noexcept nogil
    cdef bint line_counts(self, Characters text, Py_ssize_t at, int column, bint sentence) noexcept nogil
    cdef bint cuts(self, Characters text, Py_ssize_t at, int column) noexcept nogil
