"""Marginals of a second-order model, approximately: belief propagation with a global tree factor (Smith & Eisner 2008).

Every arc is a binary variable. One factor over all arcs demands that they form a tree; its messages come from the
matrix-tree theorem. A grandparent part is a factor of two arcs, and siblings form chains. Messages are log
odds. Without parts the result is exact. Parts of arcs that are next to impossible in the first-order model are left
out: their messages change little.
"""
from array import array

from libc.math cimport exp, log1p
from libc.string cimport memset


cdef double NOTHING = -1e300     # the logarithm of 0, nearly


cdef inline double log_add(double a, double b) noexcept nogil:
    """The logarithm of the sum of two exponentials."""
    if a < b:
        a, b = b, a
    return a if b < a - 40 else a + log1p(exp(b - a))


cdef class SiblingChains:
    """Sibling parts: one factor for the children of a word on each side (Smith & Eisner 2008, §5).

    The children on one side form a chain, from the nearest to the farthest, and each pair of neighbours in it has a
    score. Sums over all chains, forwards and backwards, give the messages of the factor exactly. Arcs that are next to
    impossible are left out of the chains.
    """

    cdef int find(self, PartScores source, const double* beliefs, const int32_t* gold, double least) except -1 nogil:
        """Make chains of the arcs that are likely enough, or gold."""
        cdef int head
        self.n_chains = self.n_children = self.n_pairs = 0
        for head in range(source.length() + 1):
            find_side(self, source, beliefs, gold, least, head, 1)
            if head > 1:
                find_side(self, source, beliefs, gold, least, head, -1)
        return 0

    cdef void finish(self, const double* odds, int64_t width) noexcept nogil:
        """Fill the beliefs of pairs."""
        cdef int64_t i
        for i in range(self.n_chains):
            self.believe(&self.chains[i], odds, width, True)

    cdef void believe(self, Chain* chain, const double* odds, int64_t width, bint pairs) noexcept nogil:
        """Sum over all chains of children; write messages to ``work``, or the beliefs of pairs."""
        cdef int i, j, k = chain.count
        cdef double* message = self.work
        cdef double* theta = self.work + self.work_capacity
        cdef double* forward = self.work + 2 * self.work_capacity      # [0]: no child yet; [j + 1]: child j is the last
        cdef double* backward = self.work + 3 * self.work_capacity
        cdef const double* score = self.scores + chain.pairs
        cdef double total = 0, with_child
        for j in range(k):
            theta[j] = odds[chain.head * width + self.children[chain.first + j]] - self.messages[chain.first + j]
        forward[0] = 0
        for j in range(k):
            forward[j + 1] = NOTHING
            for i in range(j + 1):
                forward[j + 1] = log_add(forward[j + 1], forward[i] + score[i * k + j])
            forward[j + 1] += theta[j]
            total = log_add(total, forward[j + 1])
        for i in range(k, -1, -1):
            backward[i] = 0
            for j in range(i, k):
                backward[i] = log_add(backward[i], score[i * k + j] + theta[j] + backward[j + 1])
        if pairs:
            for i in range(k + 1):
                for j in range(i, k):
                    self.beliefs[chain.pairs + i * k + j] = exp(
                        forward[i] + score[i * k + j] + theta[j] + backward[j + 1] - total)
            return
        for j in range(k):
            with_child = forward[j + 1] + backward[j + 1] - total
            message[j] = log_odds(exp(with_child)) - theta[j]


cdef int find_side(SiblingChains self, PartScores source, const double* beliefs, const int32_t* gold, double least,
                   int head, int step) except -1 nogil:
    """Make the chain of one side of a word."""
    cdef int64_t width = source.length() + 1, capacity
    cdef int c, before, i, j
    cdef Chain chain
    chain.head, chain.count, chain.first, chain.pairs = head, 0, self.n_children, self.n_pairs
    if self.n_children + width > self.child_capacity:
        capacity = 2 * (self.n_children + width)
        self.children = <int32_t*>self.resized(self.children, capacity, sizeof(int32_t))
        self.messages = <double*>self.resized(self.messages, capacity, sizeof(double))
        self.child_capacity = capacity
    c = head + step
    while 1 <= c < width:
        if beliefs[head * width + c] >= least or gold[c] == head:
            self.children[self.n_children] = c
            self.messages[self.n_children] = 0
            self.n_children += 1
            chain.count += 1
        c += step
    if chain.count == 0:
        return 0
    if self.n_pairs + (chain.count + 1) * chain.count > self.pair_capacity:
        capacity = 2 * (self.n_pairs + (chain.count + 1) * chain.count)
        self.scores = <double*>self.resized(self.scores, capacity, sizeof(double))
        self.beliefs = <double*>self.resized(self.beliefs, capacity, sizeof(double))
        self.pair_capacity = capacity
    for i in range(chain.count + 1):
        before = self.children[chain.first + i - 1] if i > 0 else head
        for j in range(i, chain.count):
            self.scores[chain.pairs + i * chain.count + j] = source.score(
                before, head, self.children[chain.first + j])
    self.n_pairs += (chain.count + 1) * chain.count
    if chain.count >= self.work_capacity:
        self.work = <double*>self.resized(self.work, 4 * (2 * chain.count + 1), sizeof(double))
        self.work_capacity = 2 * chain.count + 1
    if self.n_chains == self.chain_capacity:
        capacity = 64 + 2 * self.chain_capacity
        self.chains = <Chain*>self.resized(self.chains, capacity, sizeof(Chain))
        self.chain_capacity = capacity
    self.chains[self.n_chains] = chain
    self.n_chains += 1
    return 0


cdef void send(SiblingChains self, const double* odds, int64_t width, double* inputs) noexcept nogil:
    """Compute the messages to arcs from the arcs' log odds, and add them to ``inputs``."""
    cdef int64_t i, j, arc
    cdef Chain* chain
    for i in range(self.n_chains):
        chain = &self.chains[i]
        self.believe(chain, odds, width, False)
        for j in range(chain.count):
            arc = chain.head * width + self.children[chain.first + j]
            self.messages[chain.first + j] = self.work[j]
            inputs[arc] += self.work[j]


cdef inline double log_one_plus_exp(double x) noexcept nogil:
    return x if x > 30 else log1p(exp(x))


cdef class Propagation:
    def __cinit__(self):
        self.trees, self.chains = TreeMarginals(), SiblingChains()
        self.reserve(64)

    cdef int reserve(self, int n) except -1 nogil:
        cdef int64_t arcs = <int64_t>(n + 1) * (n + 1)
        if n > self.capacity:
            self.beliefs = <double*>self.resized(self.beliefs, 3 * arcs, sizeof(double))
            # Nothing leads to the root: those cells are read with the others, and never written.
            memset(self.beliefs, 0, 3 * arcs * sizeof(double))
            self.inputs, self.odds = self.beliefs + arcs, self.beliefs + 2 * arcs
            self.capacity = n
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
            find_factors(self, grandparents, gold, least)
        if siblings is not None:
            self.chains.find(siblings, self.beliefs, gold, least)
        pass_messages(self, scores, n, single_root, rounds)
        return 0


cdef int add_factor(Propagation self, int64_t above, int64_t below, double score) except -1 nogil:
    cdef int64_t capacity = 1024 + 2 * self.factor_capacity
    cdef Factor* factor
    if self.n_factors >= self.factor_capacity:
        self.factors = <Factor*>self.resized(self.factors, capacity, sizeof(Factor))
        self.factor_capacity = capacity
    factor = &self.factors[self.n_factors]
    factor.above, factor.below, factor.score = above, below, score
    factor.to_above = factor.to_below = factor.belief = 0
    self.n_factors += 1
    return 0


cdef int find_factors(Propagation self, PartScores source, const int32_t* gold, double least) except -1 nogil:
    """Make factors of the grandparents with arcs that are likely enough, or gold."""
    cdef int64_t g, h, c, width = source.length() + 1
    for h in range(1, width):
        for g in range(width):
            if g == h or (self.beliefs[g * width + h] < least and gold[h] != g):
                continue
            for c in range(1, width):
                if c == h or c == g or (self.beliefs[h * width + c] < least and gold[c] != h):
                    continue
                add_factor(self, g * width + h, h * width + c, source.score(<int>g, <int>h, <int>c))
    return 0


cdef int pass_messages(Propagation self, const double* scores, int n, bint single_root, int rounds) except -1 nogil:
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
        send(self.chains, self.odds, n + 1, self.inputs)
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
    if scores.shape[1] - 1 != n or (grandparents is not None and grandparents.length() != n) or (
            siblings is not None and siblings.length() != n):
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
