"""Which ends of lines mean something. See lines.pyx."""
from treewright.kinds.tokenizer.boundaries.characters cimport Characters
from treewright.kinds.tokenizer.boundaries.line_ends cimport Lines


cdef class LineStyle:
    cdef readonly str newlines           # paragraph, sentence or ignore
    cdef readonly bint guessed           # was this read from the text itself?
    cdef readonly bint each              # is every line a sentence, as a rule?
    cdef readonly bint capitals          # do lines begin with a capital, as a rule?
    cdef readonly int width              # columns that most long lines were wrapped at; 0: they were not
    cdef readonly int wide               # columns of an ideograph
    cdef readonly int support, share     # how many long lines the width explains; the class of their share
    cdef void join(self, Characters text, bint ignore) noexcept nogil
    cdef void judge(self, Characters text, Lines lines) noexcept nogil
    cdef bint counts(self, Characters text, Lines lines, int number) noexcept nogil
