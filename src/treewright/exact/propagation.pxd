"""Belief propagation with a tree factor. See propagation.pyx."""
from libc.stdint cimport int32_t, int64_t

from treewright.exact.chains cimport SiblingChains
from treewright.exact.marginals cimport TreeMarginals
from treewright.exact.part_scores cimport PartScores


cdef struct Factor:          # a grandparent part: two arcs, and the score that it adds if both are in the tree
    int64_t above, below     # places of the arcs (g, h) and (h, c) in a matrix of n + 1 columns
    double score
    double to_above, to_below        # messages, as log odds
    double belief


cdef class Propagation:
    cdef TreeMarginals trees
    cdef SiblingChains chains
    cdef Factor* factors
    cdef int64_t n_factors, factor_capacity
    cdef double* beliefs                 # of arcs, a matrix like the scores; one block with the next two
    cdef double* inputs                  # scores and the messages to an arc
    cdef double* odds
    cdef int capacity
    cdef int reserve(self, int n) except -1 nogil
    cdef int add_factor(self, int64_t above, int64_t below, double score) except -1 nogil
    cdef int find_factors(self, PartScores source, const int32_t* gold, double least) except -1 nogil
    cdef int run(self, PartScores grandparents, PartScores siblings, const double* scores, int n, const int32_t* gold,
                 bint single_root, double least, int rounds) except -1 nogil
    cdef int pass_messages(self, const double* scores, int n, bint single_root, int rounds) except -1 nogil
