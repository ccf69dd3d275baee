"""Convert the weights of any linear learner into the table that the parser reads fastest.

The table gives a labelled move the sum of two weights: that of its kind and its own. A matrix has one weight per
decision. The median weight of a kind's moves becomes the weight of the kind; most of the remaining weights are then 0
and need no room. The sums are the same.
"""
from array import array

from libc.math cimport fabs
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport qsort

from treewright.learners.feature_index cimport FeatureIndex
from treewright.learners.frozen import freeze
from treewright.learners.learner cimport MAX_CLASSES, Moves
from treewright.learners.perceptron cimport Perceptron
from treewright.systems.system cimport MAX_KINDS

cdef double STEPS = 127        # the largest weight becomes 127 steps; less than half a step becomes 0


cdef int ascending(const void* a, const void* b) noexcept nogil:
    cdef double x = (<const double*>a)[0], y = (<const double*>b)[0]
    return (x > y) - (x < y)


cdef class Spread:
    """One row of the matrix at a time, as weights of kinds and of labelled moves."""
    cdef Moves moves
    cdef int n_plain, n_columns
    cdef int32_t[::1] columns            # decision of a column
    cdef int32_t[::1] plain              # kind of an unlabelled decision
    cdef double kinds[MAX_KINDS]
    cdef double classes[MAX_CLASSES]
    cdef double ranked[MAX_CLASSES]
    cdef signed char seen[MAX_CLASSES]   # whether the matrix has a column for the class
    cdef bint avoid_unseen

    def __cinit__(self, Moves moves, columns, plain, bint avoid_unseen):
        cdef int i
        self.avoid_unseen = avoid_unseen
        self.moves = moves
        self.n_plain, self.n_columns = len(plain), len(columns)
        self.columns, self.plain = array("i", [*columns, 0]), array("i", [*plain, 0])
        for i in range(moves.n_classes):
            self.seen[i] = 0
        for i in columns:
            if not 0 <= i < self.n_plain + moves.n_classes:
                raise ValueError(
                    f"a column is for decision {i}, but there are only {self.n_plain + moves.n_classes} decisions"
                )
            if i >= self.n_plain:
                self.seen[i - self.n_plain] = 1

    cdef double take(self, const double* row) noexcept nogil:
        """Spread a row over kinds and classes; return its largest weight."""
        cdef int i, kind
        cdef double largest = 0, lowest = 0
        if self.avoid_unseen and self.n_columns > 0:
            # The lowest weight of every feature: their sum never exceeds the score of a decision that was seen.
            lowest = row[0]
            for i in range(1, self.n_columns):
                lowest = min(lowest, row[i])
        for i in range(MAX_KINDS):
            self.kinds[i] = lowest
        for i in range(self.moves.n_classes):
            self.classes[i] = 0
        for i in range(self.n_columns):
            if self.columns[i] < self.n_plain:
                self.kinds[self.plain[self.columns[i]]] = row[i]
            else:
                self.classes[self.columns[i] - self.n_plain] = row[i]
        for kind in range(self.moves.n_kinds):
            if self.moves.labelled >> kind & 1:
                self.divide(kind, lowest)
            largest = max(largest, fabs(self.kinds[kind]))
        for i in range(self.moves.n_classes):
            largest = max(largest, fabs(self.classes[i]))
        return largest

    cdef void divide(self, int kind, double lowest) noexcept nogil:
        """Divide the weights of a kind's labelled moves between the kind and its classes."""
        cdef int i, n = 0
        cdef double middle
        for i in range(self.moves.first[kind], self.moves.end[kind]):
            if self.seen[i]:
                self.ranked[n] = self.classes[i]
                n += 1
        if n == 0:
            self.kinds[kind] = lowest
            return
        qsort(self.ranked, n, sizeof(double), ascending)
        middle = self.ranked[n // 2]
        self.kinds[kind] = middle
        for i in range(self.moves.first[kind], self.moves.end[kind]):
            if self.seen[i]:
                self.classes[i] -= middle
            elif self.avoid_unseen:
                self.classes[i] = lowest - middle


def freeze_matrix(FeatureIndex index, const double[::1] weights, columns, plain, Moves moves, int n_kinds,
                  bias=None, int bias_feature=0, bint avoid_unseen=False):
    """Return the weights of a matrix, quantised for the table.

    ``weights``: a row per feature of the index, a weight per column. ``columns``: the decision of each column.
    ``bias``: a weight per column; the feature numbered ``bias_feature``, which every configuration has, gets it. A
    decision without a column gets the usual score of its kind, or the lowest of all with ``avoid_unseen``.
    """
    cdef int64_t i, n = index.n_features
    cdef int n_columns = len(columns)
    cdef double largest = 0
    cdef Spread spread = Spread(moves, columns, plain, avoid_unseen)
    cdef Perceptron learner = Perceptron(n_kinds, moves.n_classes)
    cdef double[::1] sums = array("d", bytes(8 * (n_columns + 1)))
    cdef const double[::1] biased = sums
    if weights.shape[0] < n * n_columns:
        raise ValueError(f"expected {n * n_columns} weights for all features and columns, not {weights.shape[0]}")
    if bias is not None:
        if not 1 <= bias_feature <= n:
            raise ValueError("a bias needs a feature that every configuration has")
        for i in range(n_columns):
            sums[i] = <double>bias[i] + weights[(bias_feature - 1) * n_columns + i]
    for i in range(n):
        largest = max(largest, spread.take(&biased[0] if i == bias_feature - 1 else &weights[i * n_columns]))
    for i in range(n):
        spread.take(&biased[0] if i == bias_feature - 1 else &weights[i * n_columns])
        put(learner, index.keys[i], spread, largest / STEPS / 2)
    return freeze(learner)


cdef int put(Perceptron learner, uint64_t key, Spread spread, double least) except -1:
    """Give a feature the weights that quantisation does not turn into 0."""
    cdef int i, kind
    cdef int32_t feature
    cdef bint any_weight = False
    for kind in range(spread.moves.n_kinds):
        any_weight = any_weight or fabs(spread.kinds[kind]) >= least
    for i in range(spread.moves.n_classes):
        any_weight = any_weight or fabs(spread.classes[i]) >= least
    if not any_weight or least == 0:
        return 0
    feature = learner.add(key)
    for kind in range(spread.moves.n_kinds):
        learner.add_to_kind(feature, kind, <float>spread.kinds[kind], 0)
    for i in range(spread.moves.n_classes):
        if fabs(spread.classes[i]) >= least:
            learner.add_to_class(feature, i, <float>spread.classes[i], 0)
    return 0
