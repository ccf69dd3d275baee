"""Sibling parts in belief propagation: one factor for the children of a word on each side (Smith & Eisner 2008, §5).

The children on one side form a chain, from the nearest to the farthest, and each pair of neighbours in it has a score.
Sums over all chains, forwards and backwards, give the messages of the factor exactly. Arcs that are next to impossible
are left out of the chains.
"""
from libc.math cimport exp, log1p
from libc.stdlib cimport free

from treewright.treebank.memory cimport resize

cdef double NOTHING = -1e300     # the logarithm of 0, nearly


cdef inline double log_add(double a, double b) noexcept nogil:
    """The logarithm of the sum of two exponentials."""
    if a < b:
        a, b = b, a
    return a if b < a - 40 else a + log1p(exp(b - a))


cdef class SiblingChains:
    def __dealloc__(self):
        free(self.chains)
        free(self.children)
        free(self.messages)
        free(self.scores)
        free(self.beliefs)
        free(self.work)

    cdef int find(self, PartScores source, const double* beliefs, const int32_t* gold, double least) except -1 nogil:
        """Make chains of the arcs that are likely enough, or gold."""
        cdef int head
        self.n_chains = self.n_children = self.n_pairs = 0
        for head in range(source.n + 1):
            self.find_side(source, beliefs, gold, least, head, 1)
            if head > 1:
                self.find_side(source, beliefs, gold, least, head, -1)
        return 0

    cdef int find_side(self, PartScores source, const double* beliefs, const int32_t* gold, double least, int head,
                       int step) except -1 nogil:
        """Make the chain of one side of a word."""
        cdef int64_t width = source.n + 1, capacity
        cdef int c, before, i, j
        cdef Chain chain
        chain.head, chain.count, chain.first, chain.pairs = head, 0, self.n_children, self.n_pairs
        if self.n_children + width > self.child_capacity:
            capacity = 2 * (self.n_children + width)
            self.children = <int32_t*>resize(self.children, capacity, sizeof(int32_t))
            self.messages = <double*>resize(self.messages, capacity, sizeof(double))
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
            self.scores = <double*>resize(self.scores, capacity, sizeof(double))
            self.beliefs = <double*>resize(self.beliefs, capacity, sizeof(double))
            self.pair_capacity = capacity
        for i in range(chain.count + 1):
            before = self.children[chain.first + i - 1] if i > 0 else head
            for j in range(i, chain.count):
                self.scores[chain.pairs + i * chain.count + j] = source.score(
                    before, head, self.children[chain.first + j])
        self.n_pairs += (chain.count + 1) * chain.count
        if chain.count >= self.work_capacity:
            self.work = <double*>resize(self.work, 4 * (2 * chain.count + 1), sizeof(double))
            self.work_capacity = 2 * chain.count + 1
        if self.n_chains == self.chain_capacity:
            capacity = 64 + 2 * self.chain_capacity
            self.chains = <Chain*>resize(self.chains, capacity, sizeof(Chain))
            self.chain_capacity = capacity
        self.chains[self.n_chains] = chain
        self.n_chains += 1
        return 0

    cdef void send(self, const double* odds, int64_t width, double* inputs) noexcept nogil:
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
