"""Weights of any linear learner, brought into the table that the parser reads fastest.

The table gives a labelled move the sum of two weights, that of its kind and its own. A matrix has one weight a
decision; the usual (median) weight of a kind's moves becomes the kind's, so that most of the rest are nothing, and
need no room. The sums are the same.
"""
from array import array

from libc.math cimport fabs
from libc.stdint cimport int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc, qsort

from treewright.learners.feature_index cimport FeatureIndex
from treewright.learners.frozen import freeze
from treewright.learners.learner cimport MAX_CLASSES, Moves
from treewright.learners.perceptron cimport Perceptron

cdef double STEPS = 127        # the largest weight becomes so many; less than half a step is nothing


cdef int ascending(const void* a, const void* b) noexcept nogil:
    cdef double x = (<const double*>a)[0], y = (<const double*>b)[0]
    return (x > y) - (x < y)


cdef class Spread:
    """One row of the matrix at a time, as weights of kinds and of labelled moves."""
    cdef Moves moves
    cdef int n_plain, n_columns
    cdef int32_t[::1] columns            # decision of a column
    cdef int32_t[::1] plain              # kind of an unlabelled decision
    cdef double kinds[8]
    cdef double classes[MAX_CLASSES]
    cdef double sorted[MAX_CLASSES]
    cdef signed char seen[MAX_CLASSES]          # has the matrix a column for the class?
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
                raise ValueError(f"a column for decision {i}, and there are {self.n_plain + moves.n_classes}")
            if i >= self.n_plain:
                self.seen[i - self.n_plain] = 1

    cdef double take(self, const double* row) noexcept nogil:
        """Spread a row over kinds and classes; return its largest weight."""
        cdef int i, kind, n
        cdef double middle, largest = 0, lowest = 0
        if self.avoid_unseen and self.n_columns > 0:
            # The lowest weight of every feature: a sum of such is never above the score of a decision that was seen.
            lowest = row[0]
            for i in range(1, self.n_columns):
                lowest = min(lowest, row[i])
        for i in range(8):
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
                n = 0
                for i in range(self.moves.first[kind], self.moves.end[kind]):
                    if self.seen[i]:
                        self.sorted[n] = self.classes[i]
                        n += 1
                if n == 0:
                    self.kinds[kind] = lowest
                    continue
                qsort(self.sorted, n, sizeof(double), ascending)
                middle = self.sorted[n // 2]
                self.kinds[kind] = middle
                for i in range(self.moves.first[kind], self.moves.end[kind]):
                    self.classes[i] = self.classes[i] - middle if self.seen[i] else lowest - middle if self.avoid_unseen else 0
        if self.moves.n_kinds > 4:
            # Four weights for five kinds: those of the others against the first. See Perceptron.
            for kind in range(1, self.moves.n_kinds):
                self.kinds[kind] -= self.kinds[0]
            self.kinds[0] = 0
        for kind in range(self.moves.n_kinds):
            largest = max(largest, fabs(self.kinds[kind]))
        for i in range(self.moves.n_classes):
            largest = max(largest, fabs(self.classes[i]))
        return largest


def freeze_matrix(FeatureIndex index, const double[::1] weights, columns, plain, Moves moves, int n_kinds,
                  bias=None, int bias_feature=0, bint avoid_unseen=False):
    """Return the weights of a matrix, quantised for the table.

    ``weights``: a row per feature of the index, a weight per column; ``columns``: the decision of each. ``bias``: a
    weight per column; it goes to the feature numbered ``bias_feature``, which every configuration has. A decision that
    no column is for scores as usual ones of its kind do, or with ``avoid_unseen`` lower than any other.
    """
    cdef int64_t i, n = index.n_features
    cdef int n_columns = len(columns)
    cdef double largest = 0
    cdef const double* row
    cdef Spread spread = Spread(moves, columns, plain, avoid_unseen)
    cdef Perceptron learner = Perceptron(n_kinds, moves.n_classes)
    cdef double[::1] biased = array("d", bytes(8 * (n_columns + 1)))
    if weights.shape[0] < n * n_columns:
        raise ValueError("fewer weights than features and columns")
    if bias is not None:
        if not 1 <= bias_feature <= n:
            raise ValueError("a bias needs a feature that every configuration has")
        for i in range(n_columns):
            biased[i] = <double>bias[i] + weights[(bias_feature - 1) * n_columns + i]
    for i in range(n):
        row = &weights[i * n_columns]
        if i == bias_feature - 1:
            row = &biased[0]
        largest = max(largest, spread.take(row))
    for i in range(n):
        row = &weights[i * n_columns]
        if i == bias_feature - 1:
            row = &biased[0]
        spread.take(row)
        put(learner, index.keys[i], spread, largest / STEPS / 2)
    return freeze(learner)


cdef int put(Perceptron learner, uint64_t key, Spread spread, double least) except -1:
    """Give a feature its weights, those that are not lost in quantisation."""
    cdef int i, kind, first = 1 if spread.moves.n_kinds > 4 else 0
    cdef int32_t feature
    cdef bint any_weight = False
    for kind in range(4):
        any_weight = any_weight or fabs(spread.kinds[first + kind]) >= least
    for i in range(spread.moves.n_classes):
        any_weight = any_weight or fabs(spread.classes[i]) >= least
    if not any_weight or least == 0:
        return 0
    feature = learner.add(key)
    for kind in range(4):
        learner.features[feature].weight[kind] = <float>spread.kinds[first + kind]
    for i in range(spread.moves.n_classes):
        if fabs(spread.classes[i]) >= least:
            learner.add_to_class(&learner.features[feature], i, <float>spread.classes[i], 0)
    return 0
