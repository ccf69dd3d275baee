"""What the treebank says of its words. See lexicon.pyx."""
from libc.stdint cimport int32_t, uint8_t, uint64_t

from treewright.learners.text_keys cimport KeyNumbers
from treewright.kinds.tokenizer.boundaries.characters cimport Characters

cdef enum:                   # what is known of a word, as bits
    SMALL = 1                # written small within sentences
    CAPITAL = 2              # written with a capital within sentences
    FIRST = 4                # begins sentences
    LAST = 8                 # ends sentences, but for punctuation
    UNSPACED_WORD = 16       # of a script without spaces

cdef enum:
    LONGEST_WORD = 8         # characters of words that are looked for in text without spaces


cdef class WordLexicon:
    cdef readonly dict words
    cdef readonly bint unspaced          # has words of scripts without spaces
    cdef KeyNumbers classes
    cdef int of_letters(self, Characters text, Py_ssize_t at) noexcept nogil
    cdef int of_stretch(self, Characters text, Py_ssize_t start, Py_ssize_t end) noexcept nogil
    cdef void match(self, Characters text, uint8_t* found) noexcept nogil
