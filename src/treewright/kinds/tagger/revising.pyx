"""Choosing tags twice: the second pass sees the tags that the first one gave to the words that follow.

The first pass is that of the greedy decoder. A determiner or an adjective often takes case and gender from a noun that
follows it, whose tag is not known yet in the first pass. Words whose tag is far ahead of all others are not looked at
again: they are most of a text, and few of them would change.
"""
from libc.stdint cimport int32_t, uint64_t
from libc.stdlib cimport free

from treewright.learners.table cimport LinearTable
from treewright.features.feature_table cimport Section
from treewright.kinds.tagger.decoder cimport MOST_KEYS
from treewright.kinds.tagger.feature_keys cimport Values, load, put_mixed_keys
from treewright.kinds.tagger.tags cimport TagCodes
from treewright.kinds.tagger.words cimport KeptScores
from treewright.treebank.blocks.memory cimport allocate, resize

SURE = 100.0                 # the lead that training asks for, unless told otherwise

cdef enum:
    PADDING = 8                              # scorers may write classes in eights

cdef Section features

load(&features, "tagger", ("tags after",), True)


cdef class RevisingDecoder(Decoder):
    """A decoder with a second pass."""

    def __init__(self, *parts):
        super().__init__(*parts)
        self.sure = SURE * self.scorer.scale if isinstance(self.scorer, LinearTable) else SURE

    cdef int tag_sentence(
        self, const WordCodes* words, int n, KeptScores kept, float* scores, int32_t* out
    ) except -1 nogil:
        cdef Seen* seen = <Seen*>allocate(n, sizeof(Seen))
        cdef float* fixed = NULL         # what features without tags say of words to look at again
        cdef History history
        cdef const float* own
        cdef uint64_t keys[MOST_KEYS]
        cdef uint64_t around[2][MOST_KEYS]   # of this word and of the next one, asked for while this one is scored
        cdef int n_around[2]
        cdef int i, n_keys, turn = 0, width = self.tags.n_components
        cdef Py_ssize_t unsure = 0, room = 0
        try:
            self.begin(&history)
            self.ask_next(words, -1, n, kept, around[0], n_around)
            for i in range(n):
                out[i] = self.only_tag(words + i)
                seen[i].lead = 1e30
                if out[i] < 0:
                    if unsure + width + PADDING > room:
                        room = 2 * room + 32 * width + PADDING
                        fixed = <float*>resize(fixed, room, sizeof(float))
                    n_keys = self.history_keys(words + i, &history, keys)
                    self.ask_next(words, i, n, kept, around[1 - turn], n_around + 1 - turn)
                    own = self.own_scores(words + i, kept)
                    self.score_keys(around[turn], n_around[turn], own, fixed + unsure)
                    turn = 1 - turn
                    out[i] = self.choose(words + i, keys, n_keys, fixed + unsure, scores, &seen[i].lead)
                    unsure += width if seen[i].lead < self.sure else 0
                self.advance(&history, words + i, out[i])
            self.look_ahead(out, n, seen)
            self.begin(&history)
            unsure = 0
            for i in range(n):
                if seen[i].lead < self.sure:
                    n_keys = self.history_keys(words + i, &history, keys)
                    n_keys += self.following_keys(words + i, &history, seen + i, keys + n_keys)
                    out[i] = self.choose(words + i, keys, n_keys, fixed + unsure, scores, &seen[i].lead)
                    unsure += width
                self.advance(&history, words + i, out[i])
        finally:
            free(seen)
            free(fixed)
        return 0

    cdef void ask_next(
        self, const WordCodes* words, int i, int n, KeptScores kept, uint64_t* out, int* n_out
    ) noexcept nogil:
        """Write the keys of the next word that may have several tags, without those of ``kept`` scores.

        The memory that they need is on its way while the word before is looked at.
        """
        i += 1
        while i < n and self.only_tag(words + i) >= 0:
            i += 1
        n_out[0] = 0
        if i == n:
            return
        if kept is None:
            n_out[0] = self.fixed_keys(words + i, out)
        else:
            kept.ask(words[i].form)
            n_out[0] = self.context_keys(words + i, out)

    cdef int choose(
        self, const WordCodes* word, const uint64_t* keys, int n_keys, const float* fixed, float* scores, float* lead
    ) noexcept nogil:
        """Return the best tag of a word by its features and ``fixed`` scores, and by how much it is ahead."""
        self.score_keys(keys, n_keys, fixed, scores)
        return self.leading_tag(word, scores, lead)

    cdef void look_ahead(self, const int32_t* tags, int n, Seen* out) noexcept nogil:
        """Write for every word what follows it."""
        cdef Seen now
        cdef int i
        now.tag1 = now.tag2 = now.nominal_tag = now.verbal_tag = self.first_tag
        for i in range(n - 1, -1, -1):
            now.lead = out[i].lead
            out[i] = now
            now.tag2 = now.tag1
            now.tag1 = tags[i]
            if self.tags.codes[tags[i]].nominal:
                now.nominal_tag = tags[i]
            elif self.tags.codes[tags[i]].verbal:
                now.verbal_tag = tags[i]

    cdef int following_keys(
        self, const WordCodes* word, const History* history, const Seen* after, uint64_t* out
    ) noexcept nogil:
        """Write the keys of features that look at tags of the words that follow; return how many."""
        cdef const TagCodes* codes = self.tags.codes
        cdef Values values
        self.look_back(history, &values)
        values.tag_after, values.whole_tag_after = codes[after.tag1].coarse, codes[after.tag1].whole
        values.tag_after_that = codes[after.tag2].coarse
        values.noun_tag_after, values.verb_tag_after = codes[after.nominal_tag].whole, codes[after.verbal_tag].whole
        return put_mixed_keys(&features, word, &values, &self.place, out)
