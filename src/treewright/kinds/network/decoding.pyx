"""From scores of arcs and relations to trees: those of a network, and the votes of other parsers."""
from array import array

from libc.math cimport exp
from libc.stdint cimport int32_t, int64_t

from treewright.kinds.exact.search.spanning cimport NEVER, SpanningScratch
from treewright.treebank.blocks.owned_memory cimport Owner


cdef class TreeFinder(Owner):
    """Finds the tree with the best sum over its arcs; one thread at a time may use it.

    The network gives each word a distribution over heads; the score of an arc is its logarithm. The vote of another
    parser for a head adds to its score: the product of what both believe.
    """
    cdef SpanningScratch spanning
    cdef double* scores                  # [head][dependent] of one sentence
    cdef int64_t room
    cdef int32_t* heads

    def __cinit__(self):
        self.spanning = SpanningScratch()

    def find(self, const float[::1] arcs, const int32_t[::1] lengths, votes, const unsigned char[::1] leaves,
             bint single_root, bint projective, int32_t[::1] out, float[::1] confidences=None,
             const int32_t[::1] given=None, const int32_t[::1] first_banned=None, const int32_t[::1] banned=None,
             int first=0, const unsigned char[::1] enclosed=None):
        """Write the heads of all words of a batch to ``out``, sentence by sentence.

        ``arcs``: for each sentence the logarithms of the probabilities of heads, dependent by head, the root first.
        ``lengths`` count the root. ``votes``: pairs of a weight and the heads that a parser gives the words.
        ``leaves`` has a 1 for every word that may not govern others (systems/leaf_tags.pyx), or is empty.
        ``confidences`` takes how probable each chosen head is. ``given``, ``first_banned``, ``banned``: the arcs of a
        whole block that are to be kept or left out, see systems/kept_arcs.pyx; ``first`` is the batch's first word.
        ``enclosed`` has a 1 for every word that governs nothing and whose arc must cross no other: it gets its best
        head below which that holds, if there is one, while all others keep theirs.
        """
        cdef int64_t at = 0
        cdef int word = 0, sentence, length
        for sentence in range(lengths.shape[0]):
            length = lengths[sentence]
            if length < 1 or at + <int64_t>length * length > arcs.shape[0] or word + length - 1 > out.shape[0]:
                raise IndexError("a batch that is not as long as its sentences")
            self._fill(arcs, at, length)
            for weight, heads in votes:
                self._vote(weight, heads, word, length)
            forbid_leaves(self.scores, leaves, word, length, single_root)
            if given is not None:
                self._keep(given, first_banned, banned, first + word, length)
            if length > 1:
                self._solve(length, single_root, projective)
                if enclosed is not None:
                    self._enclose(length, word, enclosed)
            self._write(length, word, out, confidences)
            at += <int64_t>length * length
            word += length - 1

    cdef int _fill(self, const float[::1] arcs, int64_t at, int64_t length) except -1:
        cdef int64_t head, dep
        if length * length > self.room:
            self.scores = <double*>self.resized(self.scores, length * length, sizeof(double))
            self.heads = <int32_t*>self.resized(self.heads, length, sizeof(int32_t))
            self.room = length * length
        for dep in range(length):
            for head in range(length):
                self.scores[head * length + dep] = arcs[at + dep * length + head]
        for dep in range(length):
            self.scores[dep * length + dep] = NEVER
        return 0

    cdef int _vote(self, double weight, const int32_t[::1] heads, int word, int64_t length) except -1:
        cdef int64_t dep
        cdef int32_t head
        if word + length - 1 > heads.shape[0]:
            raise IndexError("votes for fewer words than there are")
        for dep in range(1, length):
            head = heads[word + dep - 1]
            if 0 <= head < length and head != dep:
                self.scores[head * length + dep] += weight
        return 0

    cdef int _keep(self, const int32_t[::1] given, const int32_t[::1] first_banned, const int32_t[::1] banned,
                   int first, int64_t length) except -1:
        """Leave the given head of a word as its only one, and take away the arcs that must not be."""
        cdef int64_t dep, head
        cdef int i
        if first < 0 or first + length - 1 > given.shape[0] or first_banned.shape[0] != given.shape[0] + 1:
            raise IndexError("given arcs for fewer words than there are")
        for dep in range(1, length):
            for i in range(first_banned[first + dep - 1], first_banned[first + dep]):
                if 0 <= banned[i] < length:
                    self.scores[banned[i] * length + dep] = NEVER
            if 0 <= given[first + dep - 1] < length:
                for head in range(length):
                    self.scores[head * length + dep] = 0 if head == given[first + dep - 1] else NEVER
        return 0

    cdef int _solve(self, int length, bint single_root, bint projective) except -1:
        with nogil:
            self.spanning.best(self.scores, length - 1, single_root, projective, self.heads)
        return 0

    cdef int _enclose(self, int64_t length, int word, const unsigned char[::1] enclosed) except -1:
        """Give words whose arcs must cross no others their best heads of that kind."""
        cdef int64_t dep, head, best
        if word + length - 1 > enclosed.shape[0]:
            raise IndexError("enclosed words of fewer words than there are")
        for dep in range(1, length):
            if not enclosed[word + dep - 1] or not self._crosses(length, dep, self.heads[dep]):
                continue
            best = 0
            for head in range(1, length):
                if self.heads[head] == dep:
                    best = 0
                    break
                if head == dep or self.scores[head * length + dep] <= NEVER / 2 or self._crosses(length, dep, head):
                    continue
                if best == 0 or self.scores[head * length + dep] > self.scores[best * length + dep]:
                    best = head
            if best:
                self.heads[dep] = <int32_t>best
        return 0

    cdef bint _crosses(self, int64_t length, int64_t dep, int64_t head) noexcept:
        """Would the arc to a word that governs nothing cross another one?"""
        cdef int64_t other, first = min(dep, head), last = max(dep, head)
        for other in range(1, length):
            if other == dep:
                continue
            if first < other < last and not first <= self.heads[other] <= last:
                return True
            if (other < first or other > last) and first < self.heads[other] < last:
                return True
        return False

    cdef int _write(self, int64_t length, int word, int32_t[::1] out, float[::1] confidences) except -1:
        cdef int64_t dep, head
        cdef double chosen, total
        for dep in range(1, length):
            out[word + dep - 1] = self.heads[dep]
            if confidences is not None:
                chosen, total = self.scores[self.heads[dep] * length + dep], 0
                for head in range(length):
                    total += exp(self.scores[head * length + dep] - chosen)
                confidences[word + dep - 1] = <float>(1 / total)
        return 0

    def matrix(self, const float[::1] arcs, int length, votes, const unsigned char[::1] leaves, bint single_root):
        """Return the scores of all arcs of one sentence, head by dependent, as an array of doubles."""
        if length < 1 or <int64_t>length * length > arcs.shape[0]:
            raise IndexError("a sentence that is not as long as it says")
        self._fill(arcs, 0, length)
        for weight, heads in votes:
            self._vote(weight, heads, 0, length)
        forbid_leaves(self.scores, leaves, 0, length, single_root)
        cdef int64_t place, size = <int64_t>length * length
        shown = array("d", bytes(8 * size))
        cdef double[::1] out = shown
        for place in range(size):
            out[place] = self.scores[place]
        return shown


def best_labels(const float[:, :] scores, const int32_t[::1] lengths, const int32_t[::1] heads, int32_t[::1] out,
                const double[::1] weights, const int32_t[::1] voted_heads, const int32_t[::1] voted_labels):
    """Write the best relation of each word of a batch to ``out``.

    ``scores``: a row for each word and root. Other parsers vote with their ``weights``: ``voted_heads`` and
    ``voted_labels`` hold what they give all words, one parser after the other. A vote counts where its head is the
    word's; a relation that is not a row's column (-1) is no vote.
    """
    cdef int sentence, step, row = 0, word = 0, n_votes = <int>weights.shape[0], n_words = <int>out.shape[0]
    if heads.shape[0] != n_words or voted_heads.shape[0] != n_votes * n_words or \
            voted_labels.shape[0] != n_votes * n_words:
        raise IndexError("votes for other words than there are")
    for sentence in range(lengths.shape[0]):
        if lengths[sentence] < 1 or row + lengths[sentence] > scores.shape[0] or word + lengths[sentence] - 1 > n_words:
            raise IndexError("a batch that is not as long as its sentences")
        for step in range(1, lengths[sentence]):
            out[word] = _best_label(scores, row + step, word, heads[word], weights, voted_heads, voted_labels, n_words)
            word += 1
        row += lengths[sentence]


cdef int _best_label(const float[:, :] scores, int row, int word, int head, const double[::1] weights,
                     const int32_t[::1] voted_heads, const int32_t[::1] voted_labels, int n_words) noexcept:
    cdef int label, vote, other, best = 0
    cdef double score, best_score
    for label in range(1, <int>scores.shape[1]):
        if scores[row, label] > scores[row, best]:
            best = label
    best_score = scores[row, best]
    for vote in range(weights.shape[0]):
        label = voted_labels[vote * n_words + word]
        if not 0 <= label < scores.shape[1]:
            continue
        score = scores[row, label]
        for other in range(weights.shape[0]):
            if voted_labels[other * n_words + word] == label and voted_heads[other * n_words + word] == head:
                score += weights[other]
        if score > best_score:
            best, best_score = label, score
    return best


cdef int forbid_leaves(double* scores, const unsigned char[::1] leaves, int word, int64_t length,
                       bint single_root) except -1:
    """Take away the arcs from leaves and, with a single root, those from the root to leaves.

    ``leaves`` is empty, or has a 1 for every leaf of the batch; the sentence begins at ``word``.
    """
    cdef int64_t leaf, dep
    if not leaves.shape[0]:
        return 0
    if word + length - 1 > leaves.shape[0]:
        raise IndexError("leaves of fewer words than there are")
    for leaf in range(1, length):
        if leaves[word + leaf - 1]:
            for dep in range(length):
                scores[leaf * length + dep] = NEVER
            if single_root:
                scores[leaf] = NEVER
    return 0
