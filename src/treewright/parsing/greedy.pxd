from libc.stdint cimport int16_t, int32_t, int64_t, uint32_t, uint64_t

from treewright.features.encoder cimport Encoded
from treewright.features.extractor cimport Extractor
from treewright.learners.learner cimport Moves, Scorer
from treewright.learners.table cimport LinearTable, tw_rows
from treewright.systems.configuration cimport Configuration, Workspace
from treewright.systems.system cimport System
from treewright.treebank.deprojectivizer cimport Deprojectivizer
from treewright.treebank.projectivity cimport TreeWorkspace


cdef class Scratch:
    """The memory of one thread."""
    cdef Workspace workspace
    cdef TreeWorkspace trees
    cdef Encoded encoded
    cdef uint64_t* keys
    cdef tw_rows* rows
    cdef float* kind_scores
    cdef float* class_scores         # room for MAX_CLASSES
    cdef int16_t* class_sums
    cdef float best_score            # of the move that was chosen last


cdef class GreedyParser:
    cdef readonly System system
    cdef readonly Extractor extractor
    cdef readonly Moves moves
    cdef readonly Scorer scorer
    cdef readonly bint split             # decide the kind first, then the relation
    cdef readonly Deprojectivizer deprojectivizer
    cdef bint undo_lifting
    cdef LinearTable table               # the scorer, if it is one
    cdef int choose(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal, int* label) noexcept nogil
    cdef int choose_fast(self, Configuration* c, Encoded e, int64_t row, Scratch s, unsigned legal, int* label) noexcept nogil
    cdef int best_label(self, Configuration* c, Encoded e, int64_t row, Scratch s, int kind, bint root) noexcept nogil
    cdef void class_range(self, const Configuration* c, int kind, int* first, int* end) noexcept nogil
    cdef int parse(self, Encoded e, int64_t row, int n, Scratch s, int32_t* heads, int32_t* labels) except -1 nogil
    cdef void finish(self, Configuration* c, Encoded e, int64_t row, Scratch s) noexcept nogil
