"""The contract between a parser and what scores its moves. See learner.pyx."""
from libc.stdint cimport int32_t, uint64_t

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


cdef class Scorer:
    cdef void score(self, const uint64_t* keys, const int* counts, float* kinds, float* classes) noexcept nogil


cdef class OnlineLearner(Scorer):
    cdef void score_range(self, const uint64_t* keys, const int* counts, int first, int end, float* kinds, float* classes) noexcept nogil
    cdef int update(self, const uint64_t* keys, const int* counts, const Choice* good, const Choice* bad, float step) except -1 nogil
    cdef void advance(self) noexcept nogil
