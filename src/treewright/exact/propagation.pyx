"""Marginals of a second-order model, approximately: belief propagation with a global tree factor (Smith & Eisner 2008).

Every arc is a binary variable. One factor over all arcs demands that they form a tree; its messages come from the
matrix-tree theorem. A grandparent part is a factor of two arcs. Messages are log odds. Without parts the result is
exact. Parts of arcs that are next to impossible in the first-order model are left out: their messages change little.
"""
from array import array

from libc.math cimport exp, log, log1p
from libc.stdlib cimport free

from treewright.treebank.memory cimport resize

cdef double SURE = 1e-9


cdef inline double log_one_plus_exp(double x) noexcept nogil:
    return x if x > 30 else log1p(exp(x))


cdef inline double log_odds(double p) noexcept nogil:
    p = SURE if p < SURE else 1 - SURE if p > 1 - SURE else p
    return log(p / (1 - p))


cdef class Propagation:
    def __cinit__(self):
        self.trees = TreeMarginals()
        self.reserve(64)

    def __dealloc__(self):
        free(self.factors)
        free(self.beliefs)

    cdef int reserve(self, int n) except -1 nogil:
        cdef int64_t arcs = <int64_t>(n + 1) * (n + 1)
        if n > self.capacity:
            self.beliefs = <double*>resize(self.beliefs, 3 * arcs, sizeof(double))
            self.inputs, self.odds = self.beliefs + arcs, self.beliefs + 2 * arcs
            self.capacity = n
        return 0

    cdef int add_factor(self, int64_t above, int64_t below, double score) except -1 nogil:
        cdef int64_t capacity = 1024 + 2 * self.factor_capacity
        cdef Factor* factor
        if self.n_factors >= self.factor_capacity:
            self.factors = <Factor*>resize(self.factors, capacity, sizeof(Factor))
            self.factor_capacity = capacity
        factor = &self.factors[self.n_factors]
        factor.above, factor.below, factor.score = above, below, score
        factor.to_above = factor.to_below = factor.belief = 0
        self.n_factors += 1
        return 0

    cdef int find_factors(self, PartScorer scorer, PartScratch parts, const int32_t* gold,
                          double least) except -1 nogil:
        """Make factors of the parts with arcs that are likely enough, or gold."""
        cdef int64_t g, h, c, width = parts.n + 1
        self.n_factors = 0
        for h in range(1, width):
            for g in range(width):
                if g == h or (self.beliefs[g * width + h] < least and gold[h] != g):
                    continue
                for c in range(1, width):
                    if c == h or c == g or (self.beliefs[h * width + c] < least and gold[c] != h):
                        continue
                    self.add_factor(g * width + h, h * width + c,
                                    scorer.score_grandparent(parts, <int>g, <int>h, <int>c))
        return 0

    cdef int run(self, PartScorer scorer, PartScratch parts, const double* scores, const int32_t* gold,
                 bint single_root, double least, int rounds) except -1 nogil:
        """Fill ``beliefs`` and the beliefs of ``factors``. Arcs of gold[1] .. gold[n] are never left out."""
        self.reserve(parts.n)
        self.trees.run(scores, parts.n, single_root, self.beliefs)
        self.find_factors(scorer, parts, gold, least)
        self.pass_messages(scores, parts.n, single_root, rounds)
        return 0

    cdef int pass_messages(self, const double* scores, int n, bint single_root, int rounds) except -1 nogil:
        """Pass messages for some rounds, starting from the beliefs without grandparents."""
        cdef int64_t i, f, size = <int64_t>(n + 1) * (n + 1)
        cdef Factor* factor
        cdef double above, below
        for _ in range(rounds):
            for i in range(size):
                self.inputs[i] = scores[i]
                self.odds[i] = log_odds(self.beliefs[i])
            for f in range(self.n_factors):
                factor = &self.factors[f]
                above = self.odds[factor.above] - factor.to_above
                below = self.odds[factor.below] - factor.to_below
                factor.to_above = log_one_plus_exp(factor.score + below) - log_one_plus_exp(below)
                factor.to_below = log_one_plus_exp(factor.score + above) - log_one_plus_exp(above)
                self.inputs[factor.above] += factor.to_above
                self.inputs[factor.below] += factor.to_below
            self.trees.run(self.inputs, n, single_root, self.beliefs)
        for f in range(self.n_factors):
            factor = &self.factors[f]
            above = log_odds(self.beliefs[factor.above]) - factor.to_above
            below = log_odds(self.beliefs[factor.below]) - factor.to_below
            factor.belief = 1 / (1 + exp(-factor.score - above) + exp(-factor.score - below)
                                 + exp(-factor.score - above - below))
        return 0


def propagate(const double[:, ::1] scores, grandparents, bint single_root=False, int rounds=10):
    """Return the beliefs of arcs (head by child) and of grandparent parts, given as (g, h, c, score)."""
    cdef int n = scores.shape[0] - 1
    cdef int64_t width = n + 1, i
    cdef Propagation work = Propagation()
    work.reserve(n)
    work.n_factors = 0
    for g, h, c, score in grandparents:
        work.add_factor(g * width + h, h * width + c, score)
    work.trees.run(&scores[0, 0], n, single_root, work.beliefs)
    work.pass_messages(&scores[0, 0], n, single_root, rounds)
    return (array("d", [work.beliefs[i] for i in range(width * width)]),
            [work.factors[i].belief for i in range(work.n_factors)])
