"""The contract between a parser and what scores its moves.

A learner sees keys of features and numbers of moves; it knows nothing of stacks or words. The score of a move is
the score of its kind. A move with a relation adds the score of its class, which is a pair of kind and relation. So all
relations share what is known of LEFT in general, and kind and relation are decided together.

A ``Scorer`` scores, in any thread. An ``OnlineLearner`` also learns, one update at a time. A batch learner produces a
Scorer when it has finished.
"""
from array import array


from treewright.errors import CombinationError


cdef class Moves:
    """The moves of a trained parser as classes.

    ``classes`` lists pairs (kind, relation). For each kind, relations seen only with the root come first, then
    those seen with both the root and words, then those seen only with words. So the
    relations that an arc may have are a range.
    """

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
        self.label = <int32_t*>self.new_block(self.n_classes, sizeof(int32_t))
        self.kind = <int32_t*>self.new_block(self.n_classes, sizeof(int32_t))
        for kind in range(MAX_KINDS):
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
        """Check that every legal move has a relation to choose: classes may come from a file, which is not trusted."""
        cdef int kind
        for kind, label in self.classes:
            if not (0 <= kind < self.n_kinds and self.labelled >> kind & 1 and label in labels):
                raise CombinationError(f"{system.name} has no labelled move {kind, label}")
        for kind in range(self.n_kinds):
            if self.labelled >> kind & 1:
                if self.first[kind] == self.root_end[kind] or self.word_first[kind] == self.end[kind]:
                    raise CombinationError(
                        f"{system.kinds[kind]} has no relation for arcs from the root or from words"
                    )

    cdef int class_of(self, int kind, int label) noexcept nogil:
        """Return the class of a labelled move, or -1 if the model has none."""
        cdef int i
        for i in range(self.first[kind], self.end[kind]):
            if self.label[i] == label:
                return i
        return -1


cdef class Keys:
    """The keys of a configuration, copied from Python."""
    cdef uint64_t keys[MAX_KEYS]
    cdef int counts[3]

    def __init__(self, keys, counts):
        cdef int i
        if len(counts) != 3 or min(counts) < 0 or sum(counts) != len(keys) or len(keys) > MAX_KEYS:
            raise ValueError(f"expected three counts that add up to the number of keys, {MAX_KEYS} at most")
        for i, key in enumerate(keys):
            self.keys[i] = key
        for i in range(3):
            self.counts[i] = counts[i]


cdef class Scorer:
    """Gives every kind of move, and every labelled move, a score."""

    def score_keys(self, keys, counts):
        """Return the scores of all kinds and of all classes, as two lists.

        ``counts``: how many of the keys help with labels, with both labels and moves, and with moves. For tests and
        tracing; parsers call ``score``. The list of kinds is ``kind_weights`` long: it may be longer than the system
        has kinds.
        """
        cdef Keys mine = Keys(keys, counts)
        cdef float kinds[MAX_KINDS]
        scores = array("f", bytes(4 * (MAX_CLASSES + 32)))
        cdef float[::1] classes = scores
        self.score(mine.keys, mine.counts, kinds, &classes[0])
        return [kinds[k] for k in range(self.kind_weights)], list(scores[:self.n_classes])

    def raise_failure(self):
        """Raise the first exception of ``score`` since the last call, if there was one: ``score`` itself cannot."""
        failure, self.failure = self.failure, None
        if failure is not None:
            raise failure

    cdef void score(self, const uint64_t* keys, const int* counts, float* kinds, float* classes) noexcept nogil:
        """Write the scores of all kinds and classes. ``counts``: keys for labels, for both, for moves.

        ``kinds`` has room for MAX_KINDS numbers, ``classes`` for MAX_CLASSES + 32.
        """


cdef class OnlineLearner(Scorer):
    """A scorer that learns, one update at a time."""

    def update_keys(self, keys, counts, good, bad, float step=1.0):
        """Add ``step`` to the weights of one move and subtract it from those of another.

        A move is a pair (kind, class); the class is -1 if the kind carries no relation. See ``score_keys`` for keys
        and counts.
        """
        cdef Keys mine = Keys(keys, counts)
        cdef Choice good_move, bad_move
        for kind, label_class in (good, bad):
            if not (0 <= kind < self.n_kinds and -1 <= label_class < self.n_classes):
                raise ValueError(f"unknown move: kind {kind}, class {label_class}")
        good_move.kind, good_move.label_class = good
        bad_move.kind, bad_move.label_class = bad
        self.update(mine.keys, mine.counts, &good_move, &bad_move, step)

    def score_some_keys(self, keys, counts, int first, int end):
        """Return the scores of all kinds and of classes first .. end, by ``score_range``; see ``score_keys``."""
        cdef Keys mine = Keys(keys, counts)
        cdef float kinds[MAX_KINDS]
        if not 0 <= first <= end <= self.n_classes:
            raise ValueError(f"classes {first} to {end} are out of range: there are {self.n_classes}")
        scores = array("f", bytes(4 * (MAX_CLASSES + 32)))
        cdef float[::1] classes = scores
        self.score_range(mine.keys, mine.counts, first, end, kinds, &classes[0])
        return [kinds[k] for k in range(self.kind_weights)], list(scores[first:end])

    def next_decision(self):
        """Advance the time by one decision; averages are taken over time."""
        self.advance()

    cdef void score_range(
        self, const uint64_t* keys, const int* counts, int first, int end, float* kinds, float* classes
    ) noexcept nogil:
        """Write the scores of all kinds, and at least those of classes first .. end, if no others can be chosen."""
        self.score(keys, counts, kinds, classes)

    cdef int update(
        self, const uint64_t* keys, const int* counts, const Choice* good, const Choice* bad, float step
    ) except -1 nogil:
        """Add ``step`` to the weights of one move and subtract it from those of another.

        A kind of -1 stands for no move: only the other move's weights change.
        """
        return 0

    cdef void advance(self) noexcept nogil:
        """Count one more decision; averages are taken over their number."""
