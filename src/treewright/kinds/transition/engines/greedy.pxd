from libc.stdint cimport int32_t, int64_t

from treewright.kinds.transition.engines.chooser cimport Chooser
from treewright.kinds.transition.engines.walk cimport Block, Configuration, Encoded, Output, Scratch, Sentence, Walker
from treewright.treebank.lifting.deprojectivizer cimport Deprojectivizer


cdef class GreedyParser(Chooser):
    cdef readonly Deprojectivizer deprojectivizer
    cdef bint undo_lifting
    cdef int note_misfits(self, Encoded e, const Sentence* sentence, Scratch s, const Output* out) except -1 nogil
    cdef int write_tree(self, Configuration* c, Encoded e, int64_t row, Scratch s, int32_t* heads,
                        int32_t* labels) except -1 nogil
    cdef void attach(self, Configuration* c, Encoded e, int64_t row, Scratch s, int head, int word) noexcept nogil
    cdef void finish(self, Configuration* c, Encoded e, int64_t row, Scratch s) noexcept nogil
    cdef int best_label(self, Configuration* c, Encoded e, int64_t row, Scratch s, int kind, int head,
                        int word) noexcept nogil
    cdef int keep_rules(self, Configuration* c, int32_t* heads, const int32_t* labels, Scratch s) except -1 nogil


cdef int take_arrays(Walker parser, Block block, int first, int last, Scratch s, int32_t[::1] heads,
                     int32_t[::1] labels, float[::1] confidences) except -1
