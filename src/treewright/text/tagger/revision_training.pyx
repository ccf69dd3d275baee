"""Training a tagger with two passes: each sentence is learnt from twice.

The first pass gives the words tags as it will later, mistakes included: words made unknown keep it from being right too
often. The second pass learns to use these tags. Both share all weights but those of what follows.
"""
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free

from treewright.learners.learner cimport MAX_CLASSES, MAX_KINDS
from treewright.text.tagger.decoder cimport MOST_KEYS, History
from treewright.text.tagger.online cimport TaggerTrainer
from treewright.text.tagger.revising cimport RevisingDecoder, Seen
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
        cdef Seen* seen = NULL
        try:
            seen = <Seen*>allocate(n, sizeof(Seen))
            self.learn_pass(words, gold, n, NULL, found)
            self.reviser.look_ahead(found, n, seen)
            self.learn_pass(words, gold, n, seen, found)
        finally:
            free(found)
            free(seen)
        return 0

    cdef int learn_pass(
        self, const WordCodes* words, const int32_t* gold, int n, const Seen* seen, int32_t* found
    ) except -1 nogil:
        """Learn from one pass, the second one if it knows what follows each word; write the tags chosen."""
        cdef History history
        cdef uint64_t keys[MOST_KEYS]
        cdef float scores[MAX_CLASSES + 64]
        cdef float kinds[MAX_KINDS]
        cdef int i
        cdef int counts[3]
        counts[1] = counts[2] = 0
        self.decoder.begin(&history)
        for i in range(n):
            found[i] = gold[i]
            if self.decoder.only_tag(words + i) != gold[i]:
                counts[0] = self.decoder.fixed_keys(words + i, words[n - 1].lower, i == 0, keys)
                counts[0] += self.decoder.history_keys(words + i, &history, keys + counts[0])
                if seen != NULL:
                    counts[0] += self.reviser.following_keys(words + i, &history, seen + i, keys + counts[0])
                self.learner.score(keys, counts, kinds, scores)
                found[i] = self.correct(words + i, keys, counts[0], scores, gold[i])
            self.decoder.advance(&history, words + i, found[i])
        return 0
