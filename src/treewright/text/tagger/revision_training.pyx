"""Training a tagger with two passes: each sentence is learnt from twice.

The first pass gives the words tags as it will later, mistakes included: words made unknown keep it from being right too
often. The second pass learns to use these tags, and both share all weights but those of the words that follow.
"""
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free

from treewright.learners.learner cimport MAX_CLASSES, MAX_KINDS
from treewright.text.tagger.decoder cimport MOST_KEYS, History
from treewright.text.tagger.online cimport TaggerTrainer
from treewright.text.tagger.revising cimport Following, RevisingDecoder
from treewright.text.tagger.words cimport WordCodes
from treewright.treebank.memory cimport allocate


cdef class RevisionTrainer(TaggerTrainer):
    """Learns both passes over sentences with gold tags."""
    cdef RevisingDecoder reviser

    def __init__(self, RevisingDecoder decoder not None, *arguments):
        super().__init__(decoder, *arguments)
        self.reviser = decoder

    cdef int learn_sentence(self, const WordCodes* words, const int32_t* gold, int n) except -1 nogil:
        cdef int32_t* found = <int32_t*>allocate(n, sizeof(int32_t))
        cdef Following* after = NULL
        try:
            after = <Following*>allocate(n, sizeof(Following))
            self.learn_pass(words, gold, n, NULL, found)
            self.reviser.look_ahead(found, n, after)
            self.learn_pass(words, gold, n, after, found)
        finally:
            free(found)
            free(after)
        return 0

    cdef int learn_pass(
        self, const WordCodes* words, const int32_t* gold, int n, const Following* after, int32_t* found
    ) except -1 nogil:
        """Learn from one pass, the second one if it knows what follows; write the tags chosen."""
        cdef History history
        cdef uint64_t keys[MOST_KEYS]
        cdef float scores[MAX_CLASSES + 64]
        cdef float kinds[MAX_KINDS]
        cdef int i, tag
        cdef int counts[3]
        counts[1] = counts[2] = 0
        self.decoder.begin(&history)
        for i in range(n):
            tag = gold[i]
            if self.decoder.only_tag(words + i) != gold[i]:
                counts[0] = self.decoder.fixed_keys(words + i, words[n - 1].lower, i == 0, keys)
                counts[0] += self.decoder.history_keys(words + i, &history, keys + counts[0])
                if after != NULL:
                    counts[0] += self.reviser.following_keys(words + i, &history, after + i, keys + counts[0])
                self.learner.score(keys, counts, kinds, scores)
                tag = self.decoder.best_tag(words + i, scores, gold[i], self.margin)
                self.decisions += 1
                if tag != gold[i]:
                    self.mistakes += 1
                    self.update(keys, counts[0], gold[i], tag)
                    if self.margin > 0:
                        tag = self.decoder.best_tag(words + i, scores, -1, 0)
                self.learner.advance()
            found[i] = tag
            self.decoder.advance(&history, words + i, tag)
        return 0
