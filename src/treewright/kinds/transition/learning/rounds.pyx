"""Rounds over the sentences of a corpus, each in another order, which depends only on the seed."""
from array import array

from treewright.features.encoder cimport Encoded
from treewright.systems.configuration cimport Configuration

POLICIES = {"static": STATIC, "ambiguity": AMBIGUITY, "explore": EXPLORE}


cdef class Rounds(Walker):
    """What trainers of trees, of beams and of graphs share."""

    cdef int prepare(self, Walker parser, EncodedSentences sentences, Scratch scratch, policy) except -1:
        """Get ready for the first round. ``policy`` is a RoundsPolicy."""
        self.system, self.extractor, self.moves = parser.system, parser.extractor, parser.moves
        self.sentences, self.scratch, self.gold = sentences, scratch, GoldStandard()
        self.live = LiveGold() if parser.extractor.encoder.rules is not None else None
        self.policy, self.k, self.p = POLICIES[policy.name], policy.k, policy.p
        if self.policy == STATIC and sentences.teaches is None:
            sentences.keep_derivable(self.system)
        self.follow_above = policy.exploration == "2012"
        self.random_state = (<uint64_t>policy.seed + 1) * 0x9E3779B97F4A7C15ULL | 1
        self.order = array("i", range(sentences.n_sentences + 1))
        return 0

    cdef bint follows(self) noexcept nogil:
        """Does the policy make the model's move now, even though it is wrong?"""
        cdef double drawn
        if self.policy != EXPLORE or self.round <= self.k:
            return False
        drawn = uniform(self)
        return drawn > self.p if self.follow_above else drawn < self.p

    cdef uint64_t random(self) noexcept nogil:
        """xorshift64*: small, fast, the same everywhere."""
        self.random_state ^= self.random_state >> 12
        self.random_state ^= self.random_state << 25
        self.random_state ^= self.random_state >> 27
        return self.random_state * 0x2545F4914F6CDD1DULL

    def start_round(self):
        """Shuffle the sentences for the next round."""
        cdef int i, other, n = <int>self.order.shape[0] - 1
        for i in range(n - 1, 0, -1):
            other = <int>(self.random() % <uint64_t>(i + 1))
            self.order[i], self.order[other] = self.order[other], self.order[i]
        self.round += 1
        self.decisions = self.mistakes = 0

    def learn(self, int first, int end):
        """Learn from the sentences first .. end of the round's order; callers show progress in between."""
        cdef int i, sentence, n
        end = min(end, self.sentences.n_sentences)
        with nogil:
            for i in range(first, end):
                sentence = self.order[i]
                n = self.sentences.length(sentence)
                if n > 0 and self.sentences.has_gold(sentence):
                    self.learn_sentence(sentence, n)

    cdef int learn_sentence(self, int sentence, int n) except -1 nogil:
        """Learn from a sentence of n words, move by move."""
        self.sentence = sentence
        return self.walk(self.sentences.encoded, self.sentences.row_start[sentence], n, self.scratch)

    cdef int begin(self, Configuration* c, Encoded e, int64_t row, Scratch s) except -1 nogil:
        self.sentences.bind(self.gold, self.sentence, c.root)
        return self.live.bind(&self.gold.gold, c.n, c.root) if self.live is not None else 0


cdef double uniform(Rounds self) noexcept nogil:
    return <double>(self.random() >> 11) / 9007199254740992.0
