"""Choosing tags twice: the second pass sees the tags that the first one gave to the words that follow.

The first pass is that of the greedy decoder. A determiner or an adjective often takes case and gender from a noun that
follows it, whose tag is not known yet in the first pass.
"""
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free

from treewright.learners.learner cimport MAX_KINDS
from treewright.text.tagger.decoder cimport MOST_KEYS
from treewright.text.tagger.feature_keys cimport pair, single, triple
from treewright.treebank.memory cimport allocate


cdef class RevisingDecoder(Decoder):
    """A decoder with a second pass."""

    cdef int tag_sentence(self, const WordCodes* words, int n, float* scores, int32_t* out) except -1 nogil:
        cdef Following* after = <Following*>allocate(n, sizeof(Following))
        cdef History history
        cdef uint64_t keys[MOST_KEYS]
        cdef float kinds[MAX_KINDS]
        cdef int counts[3]
        cdef int i
        counts[1] = counts[2] = 0
        try:
            Decoder.tag_sentence(self, words, n, scores, out)
            self.look_ahead(out, n, after)
            self.begin(&history)
            for i in range(n):
                if self.only_tag(words + i) < 0:
                    counts[0] = self.fixed_keys(words + i, words[n - 1].lower, i == 0, keys)
                    counts[0] += self.history_keys(words + i, &history, keys + counts[0])
                    counts[0] += self.following_keys(words + i, &history, after + i, keys + counts[0])
                    self.scorer.score(keys, counts, kinds, scores)
                    out[i] = self.best_tag(words + i, scores, -1, 0)
                self.advance(&history, words + i, out[i])
        finally:
            free(after)
        return 0

    cdef void look_ahead(self, const int32_t* tags, int n, Following* out) noexcept nogil:
        """Write for every word what follows it."""
        cdef Following now
        cdef int i
        now.tag1 = now.tag2 = now.nominal_tag = now.verbal_tag = self.first_tag
        for i in range(n - 1, -1, -1):
            out[i] = now
            now.tag2 = now.tag1
            now.tag1 = tags[i]
            if self.tags.codes[tags[i]].nominal:
                now.nominal_tag = tags[i]
            elif self.tags.codes[tags[i]].verbal:
                now.verbal_tag = tags[i]

    cdef int following_keys(
        self, const WordCodes* word, const History* history, const Following* after, uint64_t* out
    ) noexcept nogil:
        """Write the keys of features that look at tags of the words that follow; return how many."""
        cdef uint64_t a = word.ambiguity, w = word.lower, p1 = self.tags.codes[history.tag1].coarse
        cdef uint64_t q1 = self.tags.codes[after.tag1].coarse, q2 = self.tags.codes[after.tag2].coarse
        cdef uint64_t whole = self.tags.codes[after.tag1].whole, noun = self.tags.codes[after.nominal_tag].whole
        cdef int n = 0
        n = single(&self.place, out, n, 80, q1)
        n = pair(&self.place, out, n, 81, q1, q2)
        n = pair(&self.place, out, n, 82, p1, q1)
        n = triple(&self.place, out, n, 83, p1, q1, a)
        n = pair(&self.place, out, n, 84, q1, a)
        n = pair(&self.place, out, n, 85, q1, w)
        n = pair(&self.place, out, n, 86, whole, a)
        n = pair(&self.place, out, n, 87, q1, word.suffix[2])
        n = pair(&self.place, out, n, 88, whole, word.suffix[1])
        n = pair(&self.place, out, n, 89, noun, a)
        n = pair(&self.place, out, n, 90, noun, word.suffix[1])
        n = triple(&self.place, out, n, 91, p1, q1, q2)
        n = triple(&self.place, out, n, 92, p1, self.tags.codes[history.tag2].coarse, q1)
        n = pair(&self.place, out, n, 93, self.tags.codes[history.tag1].whole, whole)
        n = pair(&self.place, out, n, 94, self.tags.codes[after.verbal_tag].whole, a)
        n = triple(&self.place, out, n, 95, p1, q1, w)
        n = pair(&self.place, out, n, 96, whole, w)
        return n
