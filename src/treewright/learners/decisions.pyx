"""Moves as a flat list of decisions, which a batch learner tells apart, and scorers for it.

Decisions are numbered: first the kinds of move without a relation, then the labelled moves in the order of Moves.
"""
from array import array

from treewright.learners.learner cimport MAX_CLASSES, MAX_KEYS

UNKNOWN = -1e30       # the score of a decision never seen in training


def plain_kinds(system):
    """Return the kinds of move without a relation, by number."""
    return [kind for kind, name in enumerate(system.kinds) if name not in system.labelled_kinds]


def decision_names(system, moves, relations):
    """Return the names of all decisions: ``SHIFT``, ``LEFT:nsubj``, …"""
    return [system.kinds[kind] for kind in plain_kinds(system)] + [
        f"{system.kinds[kind]}:{relations[label]}" for kind, label in moves.classes
    ]


cdef class DecisionScorer(Scorer):
    """Scores decisions from numbered features; subclasses define ``decide``."""

    def __init__(self, FeatureIndex index, plain, int n_classes):
        self.index = index
        self.n_plain = len(plain)
        for i, kind in enumerate(plain):
            self.plain[<int>i] = kind
        self.n_classes, self.kind_weights = n_classes, MAX_KINDS
        self.n_decisions = self.n_plain + n_classes
        if n_classes > MAX_CLASSES:
            raise ValueError(f"{n_classes} labelled moves exceed the limit of {MAX_CLASSES}")

    def decision_scores(self, numbers):
        """Return the scores of all decisions for numbered features; for tests and tracing."""
        cdef int32_t[::1] view = array("i", [*numbers, 0])
        out = array("f", bytes(4 * (self.n_decisions + 1)))
        cdef float[::1] scores = out
        self.decide(&view[0], len(numbers), &scores[0])
        return list(out[:self.n_decisions])

    cdef void decide(self, const int32_t* numbers, int n, float* scores) noexcept nogil:
        """Write the scores of all decisions. ``numbers``: of the features, 0 for unseen ones."""

    cdef void score(self, const uint64_t* keys, const int* counts, float* kinds, float* classes) noexcept nogil:
        cdef int32_t numbers[MAX_KEYS]
        cdef float scores[MAX_CLASSES + MAX_KINDS]
        cdef int i, n = counts[0] + counts[1] + counts[2]
        for i in range(n):
            numbers[i] = self.index.find(keys[i])
        self.decide(numbers, n, scores)
        for i in range(MAX_KINDS):
            kinds[i] = 0
        for i in range(self.n_plain):
            kinds[self.plain[i]] = scores[i]
        for i in range(self.n_classes):
            classes[i] = scores[self.n_plain + i]


cdef class ForeignScorer(DecisionScorer):
    """Calls a Python object's ``scores(numbers)``, which returns a score for every decision.

    The parser's loop cannot raise: see ``raise_failure``.
    """

    def __init__(self, FeatureIndex index, plain, int n_classes, model):
        super().__init__(index, plain, n_classes)
        self.model = model

    cdef void decide(self, const int32_t* numbers, int n, float* scores) noexcept nogil:
        with gil:
            self.ask(numbers, n, scores)

    cdef void ask(self, const int32_t* numbers, int n, float* scores) noexcept:
        cdef int i
        for i in range(self.n_decisions):
            scores[i] = 0
        if self.failure is not None:
            return
        try:
            copied = array("i", (<const char*>numbers)[:4 * n])
            found = self.model.scores(copied)
            if len(found) != self.n_decisions:
                raise ValueError(f"the learner returned {len(found)} scores for {self.n_decisions} decisions")
            for i in range(self.n_decisions):
                scores[i] = found[i]
        except BaseException as error:
            self.failure = error
