"""Clusters of words by exchange: each word moves to the cluster where the text is most likely, again and again.

The model is the bigram class model (Kneser & Ney 1993; Martin, Liermann & Ney 1998): a word depends on its cluster, and
its cluster on that of the word before. With N(a, b) for how often a word of cluster b follows one of cluster a and with
marginals N(a, ·) and N(·, b), the logarithm of the likelihood is, up to a constant,

    Σ f(N(a, b)) − Σ f(N(a, ·)) − Σ f(N(·, b)),   f(n) = n log n.

To judge a move, only the cells of a word's own neighbours need to be looked at.
"""
from array import array

from libc.math cimport log
from libc.stdint cimport int32_t, int64_t
from libc.string cimport memset

from treewright.treebank.blocks.owned_memory cimport Owner

cdef enum:
    TABLE = 1 << 16          # values of f that are computed once
    MOST_CLUSTERS = 4096


cdef struct Neighbours:      # of all words: those of word w are start[w] .. start[w + 1]
    int64_t* start
    int32_t* word
    int32_t* count


cdef class Exchange(Owner):
    """Words of a text as numbers (-1: a rare word, which splits the text), and their clusters so far."""
    cdef readonly int n_words, n_clusters
    cdef readonly object clusters        # array: the cluster of each word
    cdef int32_t[::1] cluster
    cdef Neighbours after, before
    cdef int32_t* itself                 # [n_words]: how often a word follows itself
    cdef int64_t* left_total             # [n_words]: bigrams that the word begins, ends
    cdef int64_t* right_total
    cdef int32_t* cells                  # [n_clusters ** 2]: N(a, b) at a * n_clusters + b
    cdef int32_t* mirror                 # the same at b * n_clusters + a
    cdef int64_t* rows                   # N(a, ·)
    cdef int64_t* columns                # N(·, b)
    cdef double* table

    def __cinit__(self, text, int n_words, int n_clusters):
        cdef int64_t i
        if not (1 < n_clusters <= MOST_CLUSTERS and n_words >= n_clusters):
            raise ValueError(f"expected 2 to {MOST_CLUSTERS} clusters, and as many words at least")
        self.n_words, self.n_clusters = n_words, n_clusters
        self.table = <double*>self.new_block(TABLE, sizeof(double))
        self.table[0] = 0
        for i in range(1, TABLE):
            self.table[i] = i * log(<double>i)
        self.itself = <int32_t*>self.new_block(n_words, sizeof(int32_t))
        self.left_total = <int64_t*>self.new_block(n_words, sizeof(int64_t))
        self.right_total = <int64_t*>self.new_block(n_words, sizeof(int64_t))
        self.cells = <int32_t*>self.new_block(n_clusters * n_clusters, sizeof(int32_t))
        self.mirror = <int32_t*>self.new_block(n_clusters * n_clusters, sizeof(int32_t))
        self.rows = <int64_t*>self.new_block(n_clusters, sizeof(int64_t))
        self.columns = <int64_t*>self.new_block(n_clusters, sizeof(int64_t))

    def __init__(self, text, int n_words, int n_clusters):
        cdef const int32_t[::1] numbers = text
        cdef int64_t i
        cdef int word
        for i in range(numbers.shape[0]):
            if not -1 <= numbers[i] < n_words:
                raise ValueError("the number of a word is out of range")
        # Frequent words come first: each of the most frequent begins a cluster, the others follow in turns.
        self.clusters = array("i", [word % n_clusters for word in range(n_words)])
        self.cluster = self.clusters
        self.gather(numbers, True, &self.after)
        self.gather(numbers, False, &self.before)
        for word in range(n_words):
            self.put(word, self.cluster[word], 1)

    cdef int gather(self, const int32_t[::1] text, bint following, Neighbours* out) except -1:
        """List the different neighbours of every word on one side, with their counts. A word itself is not listed."""
        cdef int64_t i, at, end, n = text.shape[0]
        cdef int a, b, word
        cdef Owner for_now = Owner()
        cdef int64_t* fill = <int64_t*>for_now.new_block(self.n_words + 2, sizeof(int64_t))
        cdef int32_t* seen = <int32_t*>for_now.new_block(self.n_words, sizeof(int32_t))
        out.start = <int64_t*>self.new_block(self.n_words + 2, sizeof(int64_t))
        out.word = <int32_t*>self.new_block(n + 1, sizeof(int32_t))
        out.count = <int32_t*>self.new_block(n + 1, sizeof(int32_t))
        with nogil:
            for i in range(n - 1):
                a, b = text[i], text[i + 1]
                if a >= 0 and b >= 0 and a != b:
                    fill[(a if following else b) + 1] += 1
                if a >= 0 and b >= 0 and following:
                    self.itself[a] += a == b
                    self.left_total[a] += 1
                    self.right_total[b] += 1
            for word in range(self.n_words):
                fill[word + 1] += fill[word]
            for i in range(n - 1):
                a, b = text[i], text[i + 1]
                if a >= 0 and b >= 0 and a != b:
                    word = a if following else b
                    out.word[fill[word]] = b if following else a
                    fill[word] += 1
            at = i = 0
            for word in range(self.n_words):
                out.start[word] = at
                end = i
                while end < fill[word]:
                    seen[out.word[end]] += 1
                    end += 1
                while i < end:
                    b = out.word[i]
                    if seen[b]:
                        out.word[at], out.count[at] = b, seen[b]
                        at += 1
                        seen[b] = 0
                    i += 1
            out.start[self.n_words] = at
        return 0

    cdef inline double f(self, int64_t n) noexcept nogil:
        return self.table[n] if n < TABLE else n * log(<double>n)

    cdef void put(self, int word, int cluster, int sign) noexcept nogil:
        """Add the bigrams of a word with words that have a cluster to the cells, or remove them.

        Each bigram is counted from its left side, so putting all words once counts every bigram once. A word that is
        moved is counted from both sides; see ``move``.
        """
        cdef int64_t i
        for i in range(self.after.start[word], self.after.start[word + 1]):
            self.count(cluster, self.cluster[self.after.word[i]], sign * self.after.count[i])
        self.count(cluster, cluster, sign * self.itself[word])
        self.rows[cluster] += sign * self.left_total[word]
        self.columns[cluster] += sign * self.right_total[word]

    cdef inline void count(self, int a, int b, int n) noexcept nogil:
        self.cells[a * self.n_clusters + b] += n
        self.mirror[b * self.n_clusters + a] += n

    cdef void take(self, int word, int cluster, int sign) noexcept nogil:
        """Add or remove the bigrams of one word on both sides."""
        cdef int64_t i
        self.put(word, cluster, sign)
        for i in range(self.before.start[word], self.before.start[word + 1]):
            self.count(self.cluster[self.before.word[i]], cluster, sign * self.before.count[i])

    def likelihood(self):
        """Return the logarithm of the likelihood, up to a constant."""
        cdef int64_t i
        cdef double total = 0
        for i in range(self.n_clusters * self.n_clusters):
            total += self.f(self.cells[i])
        for i in range(self.n_clusters):
            total -= self.f(self.rows[i]) + self.f(self.columns[i])
        return total

    def round(self, int first, int end):
        """Give each of the words first .. end its best cluster; return how many moved."""
        cdef int word, best, moved = 0
        cdef Owner for_now = Owner()
        cdef int32_t* right = <int32_t*>for_now.new_block(self.n_clusters, sizeof(int32_t))
        cdef int32_t* left = <int32_t*>for_now.new_block(self.n_clusters, sizeof(int32_t))
        cdef double* gains = <double*>for_now.new_block(self.n_clusters, sizeof(double))
        with nogil:
            for word in range(first, min(end, self.n_words)):
                self.take(word, self.cluster[word], -1)
                best = self.best(word, right, left, gains)
                moved += best != self.cluster[word]
                self.cluster[word] = best
                self.take(word, best, 1)
        return moved

    cdef int best(self, int word, int32_t* right, int32_t* left, double* gains) noexcept nogil:
        """Return the cluster that a word, taken out of its own, fits best; its own if none is better."""
        cdef int x, k, n, best = self.cluster[word], size = self.n_clusters
        cdef int64_t i
        memset(right, 0, size * sizeof(int32_t))
        memset(left, 0, size * sizeof(int32_t))
        for i in range(self.after.start[word], self.after.start[word + 1]):
            right[self.cluster[self.after.word[i]]] += self.after.count[i]
        for i in range(self.before.start[word], self.before.start[word + 1]):
            left[self.cluster[self.before.word[i]]] += self.before.count[i]
        for k in range(size):
            gains[k] = (
                self.f(self.rows[k]) - self.f(self.rows[k] + self.left_total[word])
                + self.f(self.columns[k]) - self.f(self.columns[k] + self.right_total[word])
            )
        for x in range(size):
            if right[x]:
                self.add_gains(gains, self.mirror + x * size, right[x], x)
            if left[x]:
                self.add_gains(gains, self.cells + x * size, left[x], x)
        for k in range(size):
            n = self.cells[k * size + k]
            gains[k] += self.f(n + right[k] + left[k] + self.itself[word]) - self.f(n)
        for k in range(size):
            if gains[k] > gains[best] + 1e-9:
                best = k
        return best

    cdef void add_gains(self, double* gains, const int32_t* line, int n, int but) noexcept nogil:
        """Add what n more bigrams in each cell of a line bring, but for one cell."""
        cdef int k
        cdef double kept = gains[but]
        for k in range(self.n_clusters):
            gains[k] += self.f(line[k] + n) - self.f(line[k])
        gains[but] = kept

    def tables(self):
        """Return N(a, b), row by row, as an array."""
        return array("q", [self.cells[i] for i in range(self.n_clusters * self.n_clusters)])
