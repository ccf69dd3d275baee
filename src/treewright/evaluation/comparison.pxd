from treewright.treebank.blocks.block cimport Block
from treewright.treebank.blocks.interner cimport Interner

cdef enum:
    HEAD = 1                 # the system's head is the gold head
    LABEL = 2                # the relation is the same, including the subtype
    UNIVERSAL_LABEL = 4      # the relation is the same without the subtype
    PUNCT_UPOS = 8           # the gold UPOS is PUNCT
    PUNCT_FORM = 16          # the form consists of punctuation
    GOLD_ROOT = 32           # the gold head is the root
    OUTSIDE = 64             # an analysis leaves the word out


cdef class Names:
    cdef readonly Interner relations     # of gold and system
    cdef readonly Interner tags          # gold UPOS
    cdef readonly bint universal         # relations lose their subtype

    cdef int relation(self, Block block, int word) except -1
    cdef int tag(self, Block block, int word) except -1


cdef class Comparison:
    cdef readonly Block gold, system
    cdef readonly Names names
    cdef readonly int n_words, n_sentences
    cdef readonly int gold_from, system_from
    cdef readonly object flags           # array('B') of the flags above
    cdef readonly object first_word      # array('i') [n_sentences + 1]
    cdef unsigned char[::1] flag
    cdef int[::1] first

    cdef int _pair(self, int gold_from, int system_from) except -1
    cdef int _compare(self, int gold_first, int system_first) except -1
