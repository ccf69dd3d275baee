from libc.stdint cimport int32_t, uint64_t

from treewright.systems.configuration cimport NONE
from treewright.systems.system cimport MAX_KINDS, System, lowest
from treewright.treebank.blocks.owned_memory cimport Owner

cdef enum:
    MAX_CLASSES = 8192       # labelled moves a model may have
    MAX_KEYS = 4096          # of one configuration: the most that an extractor writes


cdef struct Choice:          # a move: its kind, and its class if it carries a relation, else -1
    int kind, label_class
    float score


cdef class Moves(Owner):
    """The moves of a trained parser as classes: kinds without a relation, and (kind, relation) pairs."""
    cdef readonly list classes           # [(kind, relation number)], by kind; within a kind, root-only relations first
    cdef readonly int n_classes          # labelled moves
    cdef int n_kinds
    cdef unsigned labelled
    cdef int32_t* label                  # relation of a class
    cdef int32_t* kind                   # kind of a class
    cdef int first[MAX_KINDS]            # classes of a kind: first .. end
    cdef int end[MAX_KINDS]
    cdef int root_end[MAX_KINDS]         # classes that an arc from the root may have: first .. root_end
    cdef int word_first[MAX_KINDS]       # classes that an arc from a word may have: word_first .. end
    cdef int class_of(self, int kind, int label) noexcept nogil


cdef inline int forced_kind(Moves moves, unsigned legal) noexcept nogil:
    """Return the only legal kind if it carries no relation, so that nothing needs scoring; else NONE."""
    return NONE if legal & (legal - 1) != 0 or legal & moves.labelled != 0 else lowest(legal)


cdef inline void arc_classes(Moves moves, int kind, bint from_root, int* first, int* end) noexcept nogil:
    """Give the classes that an arc of a kind may have: arcs from the root have relations of their own."""
    if from_root:
        first[0], end[0] = moves.first[kind], moves.root_end[kind]
    else:
        first[0], end[0] = moves.word_first[kind], moves.end[kind]


cdef inline void legal_classes(Moves moves, unsigned legal, int* first, int* end) noexcept nogil:
    """Give a range of classes that includes those of all legal kinds."""
    cdef int kind
    legal &= moves.labelled
    first[0], end[0] = moves.n_classes, 0
    while legal:
        kind = lowest(legal)
        legal &= legal - 1
        first[0] = min(first[0], moves.first[kind])
        end[0] = max(end[0], moves.end[kind])


cdef class Scorer:
    cdef readonly int n_classes          # labelled moves
    cdef readonly int kind_weights       # scores of kinds that it writes; MAX_KINDS at most
    cdef readonly object failure         # the first exception in `score`, which cannot raise it; or None
    cdef void score(self, const uint64_t* keys, const int* counts, float* kinds, float* classes) noexcept nogil


cdef class OnlineLearner(Scorer):
    cdef readonly int n_kinds
    cdef void score_range(
        self, const uint64_t* keys, const int* counts, int first, int end, float* kinds, float* classes
    ) noexcept nogil
    cdef int update(
        self, const uint64_t* keys, const int* counts, const Choice* good, const Choice* bad, float step
    ) except -1 nogil
    cdef void advance(self) noexcept nogil
