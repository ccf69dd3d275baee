from libc.math cimport log
from libc.stdint cimport int32_t, int64_t

from treewright.kinds.exact.search.marginals cimport TreeMarginals
from treewright.kinds.exact.parts.part_scores cimport PartScores
from treewright.treebank.blocks.owned_memory cimport Owner

cdef struct Chain:           # the likely children of a word on one side, from the nearest to the farthest
    int head, count
    int64_t first            # the first child's place in ``children`` and ``messages``
    int64_t pairs            # the first pair's place in ``scores`` and ``beliefs``: (before, child), before 0 for none


cdef class SiblingChains(Owner):
    cdef Chain* chains
    cdef int64_t n_chains, chain_capacity
    cdef int32_t* children
    cdef double* messages                # to the arcs, as log odds
    cdef int64_t n_children, child_capacity
    cdef double* scores                  # of pairs of siblings
    cdef double* beliefs
    cdef int64_t n_pairs, pair_capacity
    cdef double* work                    # [4][longest + 1]
    cdef int work_capacity
    cdef int find(self, PartScores source, const double* beliefs, const int32_t* gold, double least) except -1 nogil
    cdef void believe(self, Chain* chain, const double* odds, int64_t width, bint pairs) noexcept nogil
    cdef void finish(self, const double* odds, int64_t width) noexcept nogil


cdef inline double log_odds(double p) noexcept nogil:
    """The log odds of a probability, kept away from 0 and 1."""
    p = 1e-9 if p < 1e-9 else 1 - 1e-9 if p > 1 - 1e-9 else p
    return log(p / (1 - p))


cdef struct Factor:          # a grandparent part: two arcs, and the score that it adds if both are in the tree
    int64_t above, below     # places of the arcs (g, h) and (h, c) in a matrix of n + 1 columns
    double score
    double to_above, to_below        # messages, as log odds
    double belief


cdef class Propagation(Owner):
    cdef TreeMarginals trees
    cdef SiblingChains chains
    cdef Factor* factors
    cdef int64_t n_factors, factor_capacity
    cdef double* beliefs                 # of arcs, a matrix like the scores; one block with the next two
    cdef double* inputs                  # scores and the messages to an arc
    cdef double* odds
    cdef int capacity
    cdef int reserve(self, int n) except -1 nogil
    cdef int run(self, PartScores grandparents, PartScores siblings, const double* scores, int n, const int32_t* gold,
                 bint single_root, double least, int rounds) except -1 nogil
