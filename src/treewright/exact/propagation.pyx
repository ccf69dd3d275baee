"""Marginals of a second-order model, approximately: belief propagation with a global tree factor (Smith & Eisner 2008).

Every arc is a binary variable. One factor over all arcs demands that they form a tree; its messages come from the
matrix-tree theorem. A grandparent part is a factor of two arcs, and siblings form chains (chains.pyx). Messages are log
odds. Without parts the result is exact. Parts of arcs that are next to impossible in the first-order model are left
out: their messages change little.
"""
from array import array

from libc.math cimport exp, log1p
from libc.stdlib cimport free
from libc.string cimport memset

from treewright.exact.chains cimport Chain, log_odds
from treewright.treebank.memory cimport resize


cdef inline double log_one_plus_exp(double x) noexcept nogil:
    return x if x > 30 else log1p(exp(x))


cdef class Propagation:
    def __cinit__(self):
        self.trees, self.chains = TreeMarginals(), SiblingChains()
        self.reserve(64)

    def __dealloc__(self):
        free(self.factors)
        free(self.beliefs)

    cdef int reserve(self, int n) except -1 nogil:
        cdef int64_t arcs = <int64_t>(n + 1) * (n + 1)
        if n > self.capacity:
            self.beliefs = <double*>resize(self.beliefs, 3 * arcs, sizeof(double))
            # Nothing leads to the root: those cells are read with the others, and never written.
            memset(self.beliefs, 0, 3 * arcs * sizeof(double))
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

    cdef int find_factors(self, PartScores source, const int32_t* gold, double least) except -1 nogil:
        """Make factors of the grandparents with arcs that are likely enough, or gold."""
        cdef int64_t g, h, c, width = source.n + 1
        for h in range(1, width):
            for g in range(width):
                if g == h or (self.beliefs[g * width + h] < least and gold[h] != g):
                    continue
                for c in range(1, width):
                    if c == h or c == g or (self.beliefs[h * width + c] < least and gold[c] != h):
                        continue
                    self.add_factor(g * width + h, h * width + c, source.score(<int>g, <int>h, <int>c))
        return 0

    cdef int run(self, PartScores grandparents, PartScores siblings, const double* scores, int n, const int32_t* gold,
                 bint single_root, double least, int rounds) except -1 nogil:
        """Fill the beliefs of arcs, ``factors`` and ``chains``. Arcs of gold[1] .. gold[n] are never left out.

        Either kind of parts may be None.
        """
        self.reserve(n)
        self.trees.run(scores, n, single_root, self.beliefs)
        self.n_factors = self.chains.n_chains = 0
        if grandparents is not None:
            self.find_factors(grandparents, gold, least)
        if siblings is not None:
            self.chains.find(siblings, self.beliefs, gold, least)
        self.pass_messages(scores, n, single_root, rounds)
        return 0

    cdef int pass_messages(self, const double* scores, int n, bint single_root, int rounds) except -1 nogil:
        """Pass messages for some rounds, starting from the beliefs without parts."""
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
            self.chains.send(self.odds, n + 1, self.inputs)
            self.trees.run(self.inputs, n, single_root, self.beliefs)
        for i in range(size):
            self.odds[i] = log_odds(self.beliefs[i])
        self.chains.finish(self.odds, n + 1)
        for f in range(self.n_factors):
            factor = &self.factors[f]
            above = log_odds(self.beliefs[factor.above]) - factor.to_above
            below = log_odds(self.beliefs[factor.below]) - factor.to_below
            factor.belief = 1 / (1 + exp(-factor.score - above) + exp(-factor.score - below)
                                 + exp(-factor.score - above - below))
        return 0


def propagate(const double[:, ::1] scores, PartScores grandparents=None, PartScores siblings=None,
              bint single_root=False, int rounds=10):
    """Return the beliefs of arcs, head by child, of grandparent parts ⟨g, h, c⟩ and of sibling parts ⟨h, s, c⟩."""
    cdef int n = scores.shape[0] - 1, i, j
    cdef int64_t width = n + 1, f
    cdef Propagation work = Propagation()
    cdef Chain* chain
    if not {scores.shape[1] - 1, *(source.n for source in (grandparents, siblings) if source is not None)} <= {n}:
        raise ValueError("the scores of arcs and of parts are for sentences of different lengths")
    gold = array("i", [-1] * (n + 1))
    cdef int32_t[::1] none_is_gold = gold
    work.run(grandparents, siblings, &scores[0, 0], n, &none_is_gold[0], single_root, -1, rounds)
    parts = {}
    for f in range(work.n_factors):
        part = *divmod(work.factors[f].above, width), work.factors[f].below % width
        parts[part] = work.factors[f].belief
    pairs = {}
    for f in range(work.chains.n_chains):
        chain = &work.chains.chains[f]
        for i in range(chain.count + 1):
            before = work.chains.children[chain.first + i - 1] if i > 0 else chain.head
            for j in range(i, chain.count):
                part = chain.head, before, work.chains.children[chain.first + j]
                pairs[part] = work.chains.beliefs[chain.pairs + i * chain.count + j]
    return array("d", [work.beliefs[f] for f in range(width * width)]), parts, pairs
