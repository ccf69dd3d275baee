"""From scores of arcs to graphs: the best set of arcs that obeys the rules of a treebank.

Every arc is worth its score minus a threshold. Without rules, the best graph has the arcs above the threshold. Where
every word must be reachable from the root, the best graph has these arcs and those that a best spanning tree adds, if
arcs above the threshold cost nothing in it and others what they lack: any graph in which all words are reachable
contains such a tree, and nothing else needs to be added.
"""
from array import array

from libc.math cimport exp
from libc.stdint cimport int32_t, int64_t

from treewright.kinds.exact.search.spanning cimport NEVER, SpanningScratch
from treewright.kinds.network.decoding cimport forbid_leaves
from treewright.treebank.blocks.owned_memory cimport Owner


cdef class GraphFinder(Owner):
    """Finds graphs; one thread at a time may use it."""
    cdef SpanningScratch spanning
    cdef double* worth                   # [head][dependent]: the score minus the threshold
    cdef double* scores                  # the same as the tree sees it
    cdef int32_t* heads
    cdef int64_t room

    def __cinit__(self):
        self.spanning = SpanningScratch()

    def find(self, const float[::1] arcs, const int32_t[::1] lengths, double threshold,
             const unsigned char[::1] leaves, bint connected, bint headed, bint single_root):
        """Return the arcs of a batch, sentence by sentence: dependents, heads, and the logit of each.

        ``arcs``: the scores of each sentence, dependent by head, the root first. ``lengths`` count the root. ``leaves``
        has a 1 for every word that may not govern others, or is empty. Words and heads are numbered in their sentence.
        ``connected``: every word is reachable from the root. ``headed``: every word has a head. ``single_root``: of a
        connected graph, one arc leaves the root. The result has a dependent of 0 where a sentence ends.
        """
        cdef int64_t at = 0, dep, head
        cdef int word = 0, sentence, length
        dependents, found, values = array("i"), array("i"), array("d")
        for sentence in range(lengths.shape[0]):
            length = lengths[sentence]
            if length < 1 or at + <int64_t>length * length > arcs.shape[0]:
                raise IndexError("a batch that is not as long as its sentences")
            self._fill(arcs, at, length, threshold)
            forbid_leaves(self.worth, leaves, word, length, connected and single_root)
            if length > 1 and connected:
                self._solve(length, single_root)
            for dep in range(1, length):
                self._choose(dep, length, connected, headed, single_root)
                for head in range(length):
                    if self.scores[head * length + dep] > 0:
                        dependents.append(dep)
                        found.append(head)
                        values.append(self.worth[head * length + dep])
            dependents.append(0)
            found.append(0)
            values.append(0)
            at += <int64_t>length * length
            word += length - 1
        return dependents, found, values

    cdef int _fill(self, const float[::1] arcs, int64_t at, int64_t length, double threshold) except -1:
        cdef int64_t head, dep
        if length * length > self.room:
            self.worth = <double*>self.resized(self.worth, length * length, sizeof(double))
            self.scores = <double*>self.resized(self.scores, length * length, sizeof(double))
            self.heads = <int32_t*>self.resized(self.heads, length, sizeof(int32_t))
            self.room = length * length
        for dep in range(length):
            for head in range(length):
                self.worth[head * length + dep] = arcs[at + dep * length + head] - threshold
            self.worth[dep * length + dep] = NEVER
        return 0

    cdef int _solve(self, int64_t length, bint single_root) except -1:
        """Find the tree that adds the least to the arcs above the threshold."""
        cdef int64_t head, dep, place
        for head in range(length):
            for dep in range(length):
                place = head * length + dep
                self.scores[place] = self.worth[place]
                if self.scores[place] > 0 and not (single_root and head == 0):
                    self.scores[place] = 0
        with nogil:
            self.spanning.best_tree(self.scores, <int>length - 1, single_root, self.heads)
        return 0

    cdef int _choose(self, int64_t dep, int64_t length, bint connected, bint headed, bint single_root) except -1:
        """Set ``scores`` of the arcs to a word to 1 where they are in the graph, else to 0."""
        cdef int64_t head, best = 0
        for head in range(length):
            if self.worth[head * length + dep] > self.worth[best * length + dep]:
                best = head
        for head in range(length):
            self.scores[head * length + dep] = 0
            if self.worth[head * length + dep] > 0 and not (connected and single_root and head == 0):
                self.scores[head * length + dep] = 1
        if connected:
            self.scores[self.heads[dep] * length + dep] = 1
        elif headed:  # in the graph already if it is above the threshold
            self.scores[best * length + dep] = 1
        return 0


def as_probabilities(const double[::1] logits):
    """Return the probabilities that logits stand for."""
    cdef Py_ssize_t i
    return array("f", [1 / (1 + exp(-logits[i])) for i in range(logits.shape[0])])
