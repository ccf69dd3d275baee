"""Rounds over the sentences of a corpus, each in another order: the same for the same seed, on every machine."""
from array import array

from libc.stdint cimport uint64_t

from treewright.training.corpus cimport EncodedSentences


cdef class Rounds:
    """What trainers of trees, of beams and of graphs have in common."""

    cdef void prepare(self, EncodedSentences sentences, uint64_t seed):
        """Begin before the first round."""
        self.sentences = sentences
        self.random_state = (seed + 1) * 0x9E3779B97F4A7C15ULL | 1
        self.order = array("i", range(sentences.n_sentences + 1))
        self.round = 0

    cdef uint64_t random(self) noexcept nogil:
        """xorshift64*: small, fast, the same everywhere."""
        self.random_state ^= self.random_state >> 12
        self.random_state ^= self.random_state << 25
        self.random_state ^= self.random_state >> 27
        return self.random_state * 0x2545F4914F6CDD1DULL

    cdef double uniform(self) noexcept nogil:
        return <double>(self.random() >> 11) / 9007199254740992.0

    def start_round(self):
        """Shuffle the sentences for the next round."""
        cdef int i, other, n = <int>self.order.shape[0] - 1
        for i in range(n - 1, 0, -1):
            other = <int>(self.random() % <uint64_t>(i + 1))
            self.order[i], self.order[other] = self.order[other], self.order[i]
        self.round += 1
        self.decisions = self.mistakes = 0

    def learn(self, int first, int end):
        """Learn from the sentences first .. end of the round's order (so that callers can show progress)."""
        cdef int i, sentence, n
        end = min(end, self.sentences.n_sentences)
        with nogil:
            for i in range(first, end):
                sentence = self.order[i]
                n = self.sentences.length(sentence)
                if n > 0:
                    self.learn_sentence(sentence, n)

    cdef int learn_sentence(self, int sentence, int n) except -1 nogil:
        """Learn from a sentence of n words; subclasses do."""
        return 0
