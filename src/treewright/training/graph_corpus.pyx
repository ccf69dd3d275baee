"""Sentences with gold graphs, which parsers of graphs learn from as those of trees do."""
from array import array

from libc.stdint cimport int32_t, int64_t

from treewright.features.encoder cimport Encoder
from treewright.systems.gold cimport GoldStandard
from treewright.training.corpus cimport EncodedSentences


cdef class GraphCorpus(EncodedSentences):
    """Encoded sentences with their graphs, in flat arrays."""
    cdef const int32_t[::1] first, heads, labels

    def __init__(self, blocks, Encoder encoder, graphs, bint root_last=True):
        EncodedSentences.__init__(self, blocks, encoder, root_last)
        if len(graphs.first) != self.n_words + 1:
            raise ValueError("the graphs and the sentences have different numbers of words")
        self.first = graphs.first
        self.heads, self.labels = array("i", [*graphs.heads, 0]), array("i", [*graphs.labels, 0])
        self._check_heads()

    def _check_heads(self):
        """Reject heads out of range: the oracle uses them as indices."""
        cdef int sentence
        cdef int64_t word, n, i
        for sentence in range(self.n_sentences):
            n = self.length(sentence)
            for word in range(self.word_start[sentence], self.word_start[sentence + 1]):
                for i in range(self.first[word], self.first[word + 1]):
                    if not 0 <= self.heads[i] <= n or self.heads[i] == word - self.word_start[sentence] + 1:
                        raise ValueError(f"sentence {sentence} has a head out of range")

    cdef bint has_gold(self, int64_t sentence) noexcept nogil:
        """A sentence without any arc has no graph: nothing is known about it."""
        return self.first[self.word_start[sentence + 1]] > self.first[self.word_start[sentence]]

    cdef int bind(self, GoldStandard gold, int64_t sentence, int root) except -1 nogil:
        return gold.bind_graph(
            self.length(sentence), root, &self.first[self.word_start[sentence]], &self.heads[0], &self.labels[0]
        )
