"""Training the tagger: the averaged perceptron over components of tags.

A greedy tagger follows its own choices, word by word. One with two passes learns from each sentence twice. One that
searches learns from whole sentences.
"""
from array import array

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from treewright.learners.learner cimport MAX_CLASSES
from treewright.learners.perceptron cimport Perceptron
from treewright.learners.resting cimport rest_after, rests
from treewright.kinds.tagger.decoder cimport MOST_KEYS, Decoder, History
from treewright.kinds.tagger.revising cimport RevisingDecoder, Seen
from treewright.kinds.tagger.search cimport Lattice, SearchingDecoder, close_lattice, read_back
from treewright.kinds.tagger.words cimport PADDING, UNKNOWN, EncodedWords, WordCodes, forget, tell_last
from treewright.treebank.blocks.block cimport Block
from treewright.treebank.blocks.memory cimport allocate


cdef class TaggerTrainer:
    """Learns from sentences with gold tags, round by round."""

    def __init__(self, Decoder decoder, Perceptron learner, blocks, gold, uint64_t seed, float margin=0.0,
                 float dropout=0.0, counts=None):
        """``gold``: the number of every word's tag, over all blocks; ``counts``: how often its form occurs.

        A word that occurs n times is made unknown with probability dropout / (dropout + n), each time it is met.
        """
        cdef Block block
        cdef int sentence, before = 0
        self.decoder, self.learner, self.gold, self.margin = decoder, learner, gold, margin
        self.words = EncodedWords()
        self.words.complete = True
        self.scratch = EncodedWords()
        self.dropout = dropout
        self.counts = counts
        rows, words = array("q"), array("i")
        for block in blocks:
            for sentence in range(block.n_sentences):
                rows.append(self.words.n_rows + PADDING)
                words.append(before + block.sentence_word[sentence])
                self.words.add_sentence(block, sentence, decoder.lexicon, decoder.known, decoder.clusters)
            before += block.n_words
        words.append(before)
        self.n_sentences = len(rows)
        rows.append(0)
        self.first_row, self.first_word = rows, words
        self.order = array("i", range(self.n_sentences + 1))
        self.rest = memoryview(bytearray(2 * (before + 1))).cast("B", (2, before + 1))
        self.random_state = (seed + 1) * 0x9E3779B97F4A7C15ULL | 1

    cdef uint64_t random(self) noexcept nogil:
        self.random_state ^= self.random_state >> 12
        self.random_state ^= self.random_state << 25
        self.random_state ^= self.random_state >> 27
        return self.random_state * 0x2545F4914F6CDD1DULL

    def start_round(self):
        """Shuffle the sentences."""
        cdef int i, k
        for i in range(self.n_sentences - 1, 0, -1):
            k = <int>(self.random() % <uint64_t>(i + 1))
            self.order[i], self.order[k] = self.order[k], self.order[i]
        self.decisions = self.mistakes = 0
        self.round += 1

    def learn(self, int first, int end):
        """Learn from sentences first .. end of the round's order."""
        cdef int i, sentence, n
        cdef const WordCodes* rows
        with nogil:
            for i in range(first, min(end, self.n_sentences)):
                sentence = self.order[i]
                n = self.first_word[sentence + 1] - self.first_word[sentence]
                rows = self.words.rows + self.first_row[sentence]
                if self.dropout > 0:
                    rows = self.with_unknown(rows, self.first_word[sentence], n)
                self.learn_sentence(rows, &self.gold[self.first_word[sentence]], n, self.first_word[sentence])

    cdef const WordCodes* with_unknown(self, const WordCodes* rows, int first, int n) except NULL nogil:
        """Return the rows of a sentence with some words unknown, rare words most often."""
        cdef int i
        cdef double draw
        self.scratch.reserve(n + 2 * PADDING)
        memcpy(self.scratch.rows, rows - PADDING, (n + 2 * PADDING) * sizeof(WordCodes))
        for i in range(n):
            draw = <double>(self.random() >> 11) / <double>(1ULL << 53)
            if draw * (self.dropout + self.counts[first + i]) < self.dropout:
                forget(self.scratch.rows + PADDING + i)
        tell_last(self.scratch.rows + PADDING, n)
        return self.scratch.rows + PADDING

    cdef int learn_sentence(self, const WordCodes* words, const int32_t* gold, int n, int first) except -1 nogil:
        return self.learn_pass(words, gold, n, NULL, NULL, &self.rest[0, first])

    cdef int learn_pass(
        self, const WordCodes* words, const int32_t* gold, int n, const Seen* seen, int32_t* found, uint8_t* rest
    ) except -1 nogil:
        """Learn from a sentence, with what follows each word if that is known; write the tags chosen if wanted."""
        cdef History history
        cdef uint64_t keys[MOST_KEYS]
        cdef float scores[MAX_CLASSES + 64]
        cdef int i, tag, n_keys
        self.decoder.begin(&history)
        for i in range(n):
            tag = gold[i]
            if self.decoder.only_tag(words + i) != tag and not self.is_resting(words + i, rest + i):
                n_keys = self.decoder.fixed_keys(words + i, keys)
                n_keys += self.decoder.history_keys(words + i, &history, keys + n_keys)
                if seen != NULL:
                    n_keys += self.following_keys(words + i, &history, seen + i, keys + n_keys)
                self.decoder.score_keys(keys, n_keys, NULL, scores)
                tag = self.correct(words + i, keys, n_keys, scores, tag, rest + i)
            if found != NULL:
                found[i] = tag
            self.decoder.advance(&history, words + i, tag)
        return 0

    cdef int following_keys(
        self, const WordCodes* word, const History* history, const Seen* seen, uint64_t* out
    ) noexcept nogil:
        """Write the keys of what follows a word; return how many."""
        return 0

    cdef bint is_resting(self, const WordCodes* word, uint8_t* rest) noexcept nogil:
        """Say whether a word needs no look in this round; one made unknown needs it."""
        if not rests(rest) or word.form == UNKNOWN:
            return False
        self.decisions += 1
        self.learner.advance()
        return True

    cdef int correct(
        self, const WordCodes* word, const uint64_t* keys, int n, const float* scores, int gold, uint8_t* rest
    ) except -1 nogil:
        """Correct the weights unless the right tag is ahead by the margin; return the tag chosen before that."""
        cdef float lead
        cdef bint first
        cdef int rival = self.decoder.best_rival(word, scores, gold, &lead, &first)
        if word.form != UNKNOWN:
            rest[0] = rest_after(rest[0], lead, self.margin)
        self.decisions += 1
        if lead < self.margin or (lead == self.margin and first):
            self.mistakes += 1
            self.update(keys, n, gold, rival)
        self.learner.advance()
        return rival if lead < 0 or (lead == 0 and first) else gold

    cdef int update(self, const uint64_t* keys, int n, int gold, int predicted) except -1 nogil:
        cdef int32_t plus[MOST_COMPONENTS]
        cdef int32_t minus[MOST_COMPONENTS]
        cdef int i, k
        cdef int32_t feature
        cdef float late = <float>self.learner.time
        self.decoder.tags.differences(gold, predicted, plus, minus)
        for i in range(n):
            feature = self.learner.find_or_add(keys[i])
            if feature < 0:
                continue
            k = 0
            while plus[k] >= 0:
                self.learner.add_to_class(feature, plus[k], 1, late)
                k += 1
            k = 0
            while minus[k] >= 0:
                self.learner.add_to_class(feature, minus[k], -1, -late)
                k += 1
        return 0


cdef class RevisionTrainer(TaggerTrainer):
    """Learns both passes over sentences with gold tags.

    The first pass gives the words tags as it will later, mistakes included: words made unknown keep it from being right
    too often. The second pass learns to use these tags. Both share all weights but those of what follows.
    """
    cdef RevisingDecoder reviser

    def __init__(self, RevisingDecoder decoder not None, *arguments):
        super().__init__(decoder, *arguments)
        self.reviser = decoder

    cdef int learn_sentence(self, const WordCodes* words, const int32_t* gold, int n, int first) except -1 nogil:
        cdef int32_t* found = <int32_t*>allocate(n, sizeof(int32_t))
        cdef Seen* seen = NULL
        try:
            seen = <Seen*>allocate(n, sizeof(Seen))
            self.learn_pass(words, gold, n, NULL, found, &self.rest[0, first])
            self.reviser.look_ahead(found, n, seen)
            self.learn_pass(words, gold, n, seen, found, &self.rest[1, first])
        finally:
            free(found)
            free(seen)
        return 0

    cdef int following_keys(
        self, const WordCodes* word, const History* history, const Seen* seen, uint64_t* out
    ) noexcept nogil:
        return self.reviser.following_keys(word, history, seen, out)


cdef class StructuredTrainer(TaggerTrainer):
    """Learns to choose the tags of a sentence together: the structured perceptron.

    Collins (2002) for exact search: the features of the right tags gain weight, those of the best wrong sequence lose
    it. With a beam the right sequence may have been lost on the way, and a whole sentence would teach nothing then: the
    update stops where the best sequence was ahead of the right one by most (*maximum violation*, Huang et al. 2012).
    """
    cdef SearchingDecoder searcher

    def __init__(self, SearchingDecoder decoder not None, *arguments):
        super().__init__(decoder, *arguments)
        self.searcher = decoder

    cdef int learn_sentence(self, const WordCodes* words, const int32_t* gold, int n, int first) except -1 nogil:
        cdef Lattice lattice
        cdef int32_t* found = <int32_t*>allocate(n, sizeof(int32_t))
        cdef int end, i
        try:
            self.searcher.open_lattice(n, &lattice)
            self.searcher.fill(words, n, gold, self.margin, &lattice)
            read_back(&lattice, self.searcher.best(n, &lattice), n, found)
            for i in range(n):
                self.mistakes += found[i] != gold[i]
            self.decisions += n
            end = n if self.searcher.first_order else self.worst_end(words, gold, n, &lattice)
            read_back(&lattice, self.searcher.best(end, &lattice), end, found)
            self.update_sentence(words, gold, found, n, end)
        finally:
            close_lattice(&lattice)
            free(found)
        self.learner.time += n
        return 0

    cdef int worst_end(self, const WordCodes* words, const int32_t* gold, int n, const Lattice* lattice) noexcept nogil:
        """Return after how many words the best sequence is ahead of the right one by most; 0 if it never is."""
        cdef History history
        cdef double right = 0, ahead, most = 0
        cdef int i, end = 0
        self.searcher.begin(&history)
        for i in range(n):
            right += self.searcher.score_of(words, n, i, gold[i], &history)
            self.searcher.follow(&history, words + i, gold[i])
            ahead = lattice.steps[self.searcher.best(i + 1, lattice)].score - right
            if ahead > most:
                most, end = ahead, i + 1
        return end

    cdef int update_sentence(
        self, const WordCodes* words, const int32_t* gold, const int32_t* found, int n, int end
    ) except -1 nogil:
        """Move weights from the features of the tags found to those of the right ones, for the first words."""
        cdef History right, wrong
        cdef uint64_t keys[MOST_KEYS]
        cdef uint64_t right_keys[MOST_KEYS]
        cdef uint64_t wrong_keys[MOST_KEYS]
        cdef int i, k, n_keys
        self.searcher.begin(&right)
        self.searcher.begin(&wrong)
        for i in range(end):
            if self.searcher.only_tag(words + i) != gold[i]:
                n_keys = self.searcher.search_keys(words + i, &right, right_keys)
                self.searcher.search_keys(words + i, &wrong, wrong_keys)
                for k in range(n_keys):
                    if right_keys[k] != wrong_keys[k]:
                        self.add_parts(right_keys[k], gold[i], 1)
                        self.add_parts(wrong_keys[k], found[i], -1)
                    elif gold[i] != found[i]:
                        self.update(&right_keys[k], 1, gold[i], found[i])
                if gold[i] != found[i]:
                    n_keys = self.searcher.fixed_keys(words + i, keys)
                    self.update(keys, n_keys, gold[i], found[i])
            self.searcher.follow(&right, words + i, gold[i])
            self.searcher.follow(&wrong, words + i, found[i])
        return 0

    cdef int add_parts(self, uint64_t key, int tag, float step) except -1 nogil:
        """Add to the weights of a feature for the components of a tag."""
        cdef int k
        cdef int32_t feature = self.learner.find_or_add(key)
        if feature >= 0:
            for k in range(self.searcher.tags.start[tag], self.searcher.tags.start[tag + 1]):
                self.learner.add_to_class(feature, self.searcher.tags.parts[k], step, <float>(step * self.learner.time))
        return 0
