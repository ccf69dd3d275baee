"""The contract between a parser and what scores its moves.

A learner sees keys of features and numbers of moves, nothing of stacks or words. The score of a move is the
score of its kind plus, where it carries a relation, the score of its class, a pair of kind and relation: what is
known of LEFT in general is shared by all relations, and both are decided together.

``Scorer`` scores, in any thread. ``OnlineLearner`` also learns, one update at a time. Batch learners produce a
Scorer when they are done.
"""
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport calloc, free, malloc

from treewright.errors import CombinationError
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
        self._check(system, root_labels | word_labels)
        for i, (kind, label) in enumerate(self.classes):
            self.kind[i] = kind
            self.label[i] = label

    def _check(self, System system, labels):
        """No legal move may be without a relation to choose; classes may come from a file, and are not trusted."""
        cdef int kind
        for kind, label in self.classes:
            if not (0 <= kind < self.n_kinds and self.labelled >> kind & 1 and label in labels):
                raise CombinationError(f"{system.name} has no labelled move {kind, label}")
        for kind in range(self.n_kinds):
            if self.labelled >> kind & 1:
                if self.first[kind] == self.root_end[kind] or self.word_first[kind] == self.end[kind]:
                    raise CombinationError(f"{system.kinds[kind]} has no relation for arcs from the root or from words")

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


cdef int copy_keys(keys, counts, uint64_t* key_array, int* count_array) except -1:
    cdef int i
    if len(counts) != 3 or min(counts) < 0 or sum(counts) != len(keys) or len(keys) > MAX_KEYS:
        raise ValueError(f"three counts that add up to the number of keys, {MAX_KEYS} at most")
    for i, key in enumerate(keys):
        key_array[i] = key
    for i in range(3):
        count_array[i] = counts[i]
    return 0


cdef class Scorer:
    """Gives every kind of move, and every labelled move, a score."""

    def score_keys(self, keys, counts):
        """Return the scores of all kinds (four) and of all classes, as two lists.

        ``counts``: how many of the keys help with labels, with both, with moves. For tests and tracing; parsers
        call ``score`` itself.
        """
        cdef uint64_t key_array[MAX_KEYS]
        cdef int count_array[3]
        cdef float kinds[8]
        cdef float* classes = <float*>calloc(MAX_CLASSES + 32, sizeof(float))
        if classes == NULL:
            raise MemoryError
        try:
            copy_keys(keys, counts, key_array, count_array)
            self.score(key_array, count_array, kinds, classes)
            return [kinds[k] for k in range(4)], [classes[k] for k in range(self.n_classes)]
        finally:
            free(classes)

    cdef void score(self, const uint64_t* keys, const int* counts, float* kinds, float* classes) noexcept nogil:
        """Write the scores of all kinds and classes. ``counts``: keys for labels, for both, for moves."""


cdef class OnlineLearner(Scorer):
    """A scorer that learns, one update at a time."""

    def update_keys(self, keys, counts, good, bad, float step=1):
        """Add ``step`` to the weights of one move and take it from those of another.

        Moves are pairs (kind, class), the class -1 where the kind carries no relation; see ``score_keys`` for keys
        and counts.
        """
        cdef uint64_t key_array[MAX_KEYS]
        cdef int count_array[3]
        cdef Choice good_move, bad_move
        for kind, label_class in (good, bad):
            if not (0 <= kind < self.n_kinds and -1 <= label_class < self.n_classes):
                raise ValueError("no such kind of move or class")
        good_move.kind, good_move.label_class = good
        bad_move.kind, bad_move.label_class = bad
        copy_keys(keys, counts, key_array, count_array)
        self.update(key_array, count_array, &good_move, &bad_move, step)

    def score_some_keys(self, keys, counts, int first, int end):
        """Return the scores of all kinds and of classes first .. end, as ``score_range`` has them; see ``score_keys``."""
        cdef uint64_t key_array[MAX_KEYS]
        cdef int count_array[3]
        cdef float kinds[8]
        cdef float* classes
        if not 0 <= first <= end <= self.n_classes:
            raise ValueError("no such classes")
        classes = <float*>calloc(MAX_CLASSES + 32, sizeof(float))
        if classes == NULL:
            raise MemoryError
        try:
            copy_keys(keys, counts, key_array, count_array)
            self.score_range(key_array, count_array, first, end, kinds, classes)
            return [kinds[k] for k in range(4)], [classes[k] for k in range(first, end)]
        finally:
            free(classes)

    def next_decision(self):
        """Let time go on by one decision; averages are over time."""
        self.advance()

    cdef void score_range(self, const uint64_t* keys, const int* counts, int first, int end, float* kinds, float* classes) noexcept nogil:
        """Write the scores of all kinds, and of the classes first .. end at least: only they can be chosen."""
        self.score(keys, counts, kinds, classes)

    cdef int update(self, const uint64_t* keys, const int* counts, const Choice* good, const Choice* bad, float step) except -1 nogil:
        """Add ``step`` to the weights of one move and take it from those of another.

        A kind of -1 stands for no move: only the other one learns.
        """
        return 0

    cdef void advance(self) noexcept nogil:
        """One decision has been learnt from; averaging counts them."""
