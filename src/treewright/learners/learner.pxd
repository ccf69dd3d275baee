"""The contract between a parser and what scores its moves. See learner.pyx."""
from libc.stdint cimport int32_t, uint64_t

from treewright.systems.configuration cimport NONE
from treewright.systems.system cimport System

cdef enum:
    MAX_CLASSES = 8192       # labelled moves a model may have
    MAX_KEYS = 4096          # of one configuration; as many as an extractor gives at most


cdef struct Choice:          # a move: its kind, and its class where it carries a relation, else -1
    int kind, label_class
    float score


cdef class Moves:
    """The moves of a trained parser as classes: kinds without a relation, and (kind, relation) pairs."""
    cdef readonly list classes           # [(kind, relation number)], by kind; within it root-only relations first
    cdef readonly int n_classes          # labelled ones
    cdef int n_kinds
    cdef unsigned labelled
    cdef int32_t* label                  # relation of a class
    cdef int32_t* kind                   # kind of a class
    cdef int first[8]                    # classes of a kind: first .. end
    cdef int end[8]
    cdef int root_end[8]                 # those an arc from the root may carry: first .. root_end
    cdef int word_first[8]               # those an arc from a word may carry: word_first .. end
    cdef int class_of(self, int kind, int label) noexcept nogil


cdef inline int forced_kind(Moves moves, unsigned legal) noexcept nogil:
    """The one legal kind, if it carries no relation: nothing is to be chosen, so nothing is scored. Else NONE."""
    cdef int kind = 0
    if legal & (legal - 1) != 0 or legal & moves.labelled != 0:
        return NONE
    while legal >> kind != 1:
        kind += 1
    return kind


cdef inline void arc_classes(Moves moves, int kind, bint from_root, int* first, int* end) noexcept nogil:
    """Give the classes that an arc of a kind may take: one from the root has its own relations."""
    if from_root:
        first[0], end[0] = moves.first[kind], moves.root_end[kind]
    else:
        first[0], end[0] = moves.word_first[kind], moves.end[kind]


cdef inline void legal_classes(Moves moves, unsigned legal, int* first, int* end) noexcept nogil:
    """Give a range of classes that holds those of all legal kinds."""
    cdef int kind
    first[0], end[0] = moves.n_classes, 0
    for kind in range(moves.n_kinds):
        if legal & moves.labelled & 1 << kind:
            first[0] = min(first[0], moves.first[kind])
            end[0] = max(end[0], moves.end[kind])


cdef class Scorer:
    cdef void score(self, const uint64_t* keys, const int* counts, float* kinds, float* classes) noexcept nogil


cdef class OnlineLearner(Scorer):
    cdef void score_range(self, const uint64_t* keys, const int* counts, int first, int end, float* kinds, float* classes) noexcept nogil
    cdef int update(self, const uint64_t* keys, const int* counts, const Choice* good, const Choice* bad, float step) except -1 nogil
    cdef void advance(self) noexcept nogil
