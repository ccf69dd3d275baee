"""The contract between a parser and what scores its moves.

A learner sees keys of features and numbers of moves, nothing of stacks or words. The score of a move is the
score of its kind plus, where it carries a relation, the score of its class, a pair of kind and relation: what is
known of LEFT in general is shared by all relations, and both are decided together.

``Scorer`` scores, in any thread. ``OnlineLearner`` also learns, one update at a time. Batch learners produce a
Scorer when they are done.
"""
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free, malloc

from treewright.systems.system cimport System


cdef class Moves:
    """The moves of a trained parser as classes.

    ``classes`` lists pairs (kind, relation). For each kind, relations seen only with the root come first, then
    those seen with the root and with words, then the rest: an arc's possible relations are a range.
    """

    def __cinit__(self):
        self.label = NULL
        self.kind = NULL

    def __init__(self, System system, classes, root_labels, word_labels):
        cdef int i, kind
        self.n_kinds = system.n_kinds
        self.labelled = system.labelled
        root_labels, word_labels = set(root_labels), set(word_labels)

        def place(pair):
            kind, label = pair
            return kind, (label in word_labels) + (label not in root_labels), label

        self.classes = sorted({tuple(pair) for pair in classes}, key=place)
        self.n_classes = len(self.classes)
        self.label = <int32_t*>malloc((self.n_classes + 1) * sizeof(int32_t))
        self.kind = <int32_t*>malloc((self.n_classes + 1) * sizeof(int32_t))
        if self.label == NULL or self.kind == NULL:
            raise MemoryError
        for kind in range(8):
            mine = [i for i, (k, _) in enumerate(self.classes) if k == kind]
            self.first[kind] = mine[0] if mine else 0
            self.end[kind] = mine[0] + len(mine) if mine else 0
            self.root_end[kind] = self.first[kind] + sum(self.classes[i][1] in root_labels for i in mine)
            self.word_first[kind] = self.end[kind] - sum(self.classes[i][1] in word_labels for i in mine)
        for i, (kind, label) in enumerate(self.classes):
            self.kind[i] = kind
            self.label[i] = label

    def __dealloc__(self):
        free(self.label)
        free(self.kind)

    cdef int class_of(self, int kind, int label) noexcept nogil:
        """Return the class of a labelled move, -1 where the model has none."""
        cdef int i
        for i in range(self.first[kind], self.end[kind]):
            if self.label[i] == label:
                return i
        return -1


cdef class Scorer:
    cdef void score(self, const uint64_t* keys, const int* counts, float* kinds, float* classes) noexcept nogil:
        """Write the scores of all kinds and classes. ``counts``: keys for labels, for both, for moves."""


cdef class OnlineLearner(Scorer):
    cdef int update(self, const uint64_t* keys, const int* counts, const Choice* good, const Choice* bad, float step) except -1 nogil:
        """Add ``step`` to the weights of one move and take it from those of another."""
        return 0

    cdef void advance(self) noexcept nogil:
        """One decision has been learnt from; averaging counts them."""
