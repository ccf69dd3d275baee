"""Choosing tags from left to right.

Each word gets the tag with the highest score, given the words around it and the tags chosen so far. Features of the
following words include their classes in the lexicon, so little is lost by not knowing their tags.
"""
from array import array

from libc.stdint cimport int32_t, uint64_t

from treewright.errors import ModelFileError
from treewright.features.word_clusters cimport WordClusters
from treewright.learners.learner cimport MAX_CLASSES, MAX_KINDS, Scorer
from treewright.learners.table cimport LinearTable
from treewright.kinds.tagger.feature_keys cimport pair, single, triple
from treewright.kinds.tagger.lexicon cimport KnownLemmas, Lexicon
from treewright.kinds.tagger.open_tags cimport OpenTags, Ranking, begin_ranking, consider
from treewright.kinds.tagger.tags cimport TagSet
from treewright.kinds.tagger.words cimport (
    CLUSTER_SIZES, N_SIGNS, PADDING, PREFIXES, SUFFIXES, EncodedWords, KeptScores, WordCodes, add_affixes,
)
from treewright.treebank.blocks.block cimport Block


def sign_tags(tags):
    """Return the tags to try for unknown words, by their signs: quotes and pictures are punctuation and symbols."""
    marks = [number for number, tag in enumerate(tags) if tag[0] == "PUNCT"]
    pictures = [number for number, tag in enumerate(tags) if tag[0] == "SYM"]
    return [[], marks, pictures or marks, marks + pictures]


cdef class Decoder:
    """A tag set, a lexicon and a scorer of components."""

    def __init__(self, TagSet tags, Lexicon lexicon, Scorer scorer, open_tags, KnownLemmas known=None,
                 WordClusters clusters=None):
        cdef int signs
        self.tags, self.lexicon, self.scorer = tags, lexicon, scorer
        self.open_tags = open_tags
        self.known, self.clusters = known, clusters
        in_range = len(open_tags) and 0 <= min(open_tags) <= max(open_tags) < len(tags)
        if tags.n_components > MAX_CLASSES or scorer.n_classes != tags.n_components or not in_range:
            raise ModelFileError("the model is damaged: its tags do not match its weights")
        self.open_view = open_tags
        self.ranked = OpenTags(tags, open_tags)
        listed = array("i")
        for signs, numbers in enumerate(sign_tags(tags.tags)):
            self.sign_start[signs] = len(listed)
            listed.extend(numbers)
        self.sign_start[N_SIGNS] = len(listed)
        self.sign_view = listed or array("i", [0])
        self.place.n_lines = 0
        self.place.lines = NULL
        if isinstance(scorer, LinearTable):
            self.table = scorer
            self.place = self.table.place
        self.first_tag = tags.n_tags

    def tag(self, Block block, EncodedWords scratch, int32_t[::1] out):
        """Write the number of every word's tag."""
        cdef int sentence, n
        cdef float scores[MAX_CLASSES + 64]
        cdef KeptScores kept = None
        if out.shape[0] < block.n_words:
            raise ValueError("there must be room for one tag per word")
        if self.table is not None:     # others may still learn
            kept = scratch.kept
            kept.open(self.scorer, self.tags.n_components)
        with nogil:
            for sentence in range(block.n_sentences):
                n = block.sentence_word[sentence + 1] - block.sentence_word[sentence]
                if n == 0:
                    continue
                scratch.n_rows = 0
                scratch.add_sentence(block, sentence, self.lexicon, self.known, self.clusters)
                self.tag_sentence(scratch.rows + PADDING, n, kept, scores, &out[block.sentence_word[sentence]])

    cdef int tag_sentence(
        self, const WordCodes* words, int n, KeptScores kept, float* scores, int32_t* out
    ) except -1 nogil:
        cdef History history
        cdef uint64_t keys[MOST_KEYS]
        cdef const float* own
        cdef int i, n_keys
        self.begin(&history)
        for i in range(n):
            out[i] = self.only_tag(words + i)
            if out[i] < 0:
                n_keys = self.keys_beside_kept(words + i, words[n - 1].lower, i == 0, kept, &own, keys)
                n_keys += self.history_keys(words + i, &history, keys + n_keys)
                self.score_keys(keys, n_keys, own, scores)
                out[i] = self.best_tag(words + i, scores)
            self.advance(&history, words + i, out[i])
        return 0

    cdef int only_tag(self, const WordCodes* word) noexcept nogil:
        """Return the tag of a word that can only have one, else -1."""
        if not self.lexicon.has_one_tag(word.entry):
            return -1
        return self.lexicon.tag_view[self.lexicon.start_view[word.entry]]

    cdef int best_tag(self, const WordCodes* word, const float* scores) noexcept nogil:
        """Return the tag with the highest sum."""
        cdef float lead
        return self.leading_tag(word, scores, &lead)

    cdef int leading_tag(self, const WordCodes* word, const float* scores, float* lead) noexcept nogil:
        """Do the same, and write by how much it is ahead of the next one; 1e30 if there is none."""
        cdef Ranking ranking
        self.rank(word, scores, -1, &ranking)
        lead[0] = ranking.highest - ranking.second
        return ranking.tag

    cdef int best_rival(
        self, const WordCodes* word, const float* scores, int gold, float* lead, bint* first
    ) noexcept nogil:
        """Return the best tag but the right one, -1 if there is none.

        Write by how much the right tag is ahead of it, and whether the other comes first if they are equal.
        """
        cdef Ranking ranking
        self.rank(word, scores, gold, &ranking)
        first[0] = ranking.tag >= 0 and ranking.place < ranking.left_out
        lead[0] = self.tags.total(gold, scores) - ranking.highest
        return ranking.tag

    cdef void rank(self, const WordCodes* word, const float* scores, int left_out, Ranking* out) noexcept nogil:
        """Look at the tags that a word may have, but for one that is left out (-1: none)."""
        cdef int place, n
        cdef const int32_t* tried = self.candidates(word, &n)
        if tried == &self.open_view[0] and self.ranked.fits:
            self.ranked.rank(scores, left_out, out)
            return
        begin_ranking(out, n)
        for place in range(n):
            if tried[place] == left_out:
                out.left_out = place
            else:
                consider(out, tried[place], place, self.tags.total(tried[place], scores))

    cdef const int32_t* candidates(self, const WordCodes* word, int* n) noexcept nogil:
        """Return the tags that a word may have, and how many there are."""
        if word.entry >= 0 and self.lexicon.closed_view[word.entry]:
            n[0] = self.lexicon.start_view[word.entry + 1] - self.lexicon.start_view[word.entry]
            return &self.lexicon.tag_view[self.lexicon.start_view[word.entry]]
        n[0] = self.sign_start[word.signs + 1] - self.sign_start[word.signs] if word.entry < 0 else 0
        if n[0] > 0:
            return &self.sign_view[self.sign_start[word.signs]]
        n[0] = <int>self.open_view.shape[0]
        return &self.open_view[0]

    cdef void begin(self, History* history) noexcept nogil:
        history.tag1 = history.tag2 = history.nominal_tag = history.verbal_tag = self.first_tag
        history.nominal = history.verbal = 0

    cdef void advance(self, History* history, const WordCodes* word, int tag) noexcept nogil:
        history.tag2 = history.tag1
        history.tag1 = tag
        if self.tags.codes[tag].nominal:
            history.nominal_tag = tag
            history.nominal = word.lower
        elif self.tags.codes[tag].verbal:
            history.verbal_tag = tag
            history.verbal = word.lower

    cdef int fixed_keys(self, const WordCodes* word, uint64_t last, bint first, uint64_t* out) noexcept nogil:
        """Write the keys of features that do not look at tags; return how many."""
        return self.context_keys(word, last, first, out, self.own_keys(word, out))

    cdef int keys_beside_kept(
        self, const WordCodes* word, uint64_t last, bint first, KeptScores kept, const float** own, uint64_t* out
    ) noexcept nogil:
        """Do the same, but leave out features of the word alone if ``own`` can point to their sum; else it is NULL."""
        own[0] = self.own_scores(word, kept)
        if own[0] == NULL:
            return self.fixed_keys(word, last, first, out)
        return self.context_keys(word, last, first, out, 0)

    cdef const float* own_scores(self, const WordCodes* word, KeptScores kept) noexcept nogil:
        """Return what features of the word alone add up to, until another word is asked for; NULL if none is kept."""
        cdef uint64_t keys[MOST_KEYS]
        cdef float* row
        cdef bint known
        if kept is None:
            return NULL
        row = kept.find(word.form, &known)
        if not known:
            self.score_keys(keys, self.own_keys(word, keys), NULL, row)
        return row

    cdef void score_keys(
        self, const uint64_t* keys, int n_keys, const float* before, float* scores
    ) noexcept nogil:
        """Write the scores of all components, added to those of ``before`` if there are any."""
        cdef float kinds[MAX_KINDS]
        cdef int counts[3]
        cdef int k
        if self.table is not None:
            self.table.add_classes(keys, n_keys, before, scores)
            return
        counts[0], counts[1], counts[2] = n_keys, 0, 0
        self.scorer.score(keys, counts, kinds, scores)
        if before != NULL:
            for k in range(self.tags.n_components):
                scores[k] += before[k]

    cdef int own_keys(self, const WordCodes* word, uint64_t* out) noexcept nogil:
        """Write the keys of features that look at the word alone: its form says all of them."""
        cdef WordCodes whole
        cdef uint64_t a = word.ambiguity
        cdef int n = 0, k
        if not word.complete:
            whole = word[0]
            add_affixes(&whole, self.known)
            word = &whole
        n = single(&self.place, out, n, 1, word.form)
        n = single(&self.place, out, n, 2, word.lower)
        for k in range(4):
            n = single(&self.place, out, n, 10 + k, word.prefix[k])
        for k in range(5):
            n = single(&self.place, out, n, 15 + k, word.suffix[k])
        n = pair(&self.place, out, n, 23, word.suffix[2], word.shape)
        n = single(&self.place, out, n, 26, a)
        n = pair(&self.place, out, n, 38, a, word.shape)
        n = pair(&self.place, out, n, 40, word.suffix[2], word.prefix[0])
        if self.known is not None:
            n = self.rich_keys(word, out, n)
        if self.clusters is not None:
            for k in range(CLUSTER_SIZES):
                n = single(&self.place, out, n, 110 + k, word.cluster[k])
            n = pair(&self.place, out, n, 123, word.cluster[1], word.suffix[2])
            n = pair(&self.place, out, n, 124, word.cluster[1], word.shape)
        return n

    cdef int rich_keys(self, const WordCodes* word, uint64_t* out, int n) noexcept nogil:
        """Add longer affixes, and the known lemma that the word begins with."""
        cdef int k
        for k in range(5, SUFFIXES):
            n = single(&self.place, out, n, 36 + k, word.suffix[k])
        for k in range(4, PREFIXES):
            n = single(&self.place, out, n, 40 + k, word.prefix[k])
        n = single(&self.place, out, n, 46, word.stem)
        n = single(&self.place, out, n, 47, word.rest)
        n = pair(&self.place, out, n, 48, word.stem, word.rest)
        n = pair(&self.place, out, n, 49, word.stem, word.suffix[1])
        return n

    cdef int context_keys(
        self, const WordCodes* word, uint64_t last, bint first, uint64_t* out, int n
    ) noexcept nogil:
        """Add the keys of features that look at other words, too."""
        cdef const WordCodes* before = word - 1
        cdef const WordCodes* after = word + 1
        cdef uint64_t a = word.ambiguity, w = word.lower
        n = single(&self.place, out, n, 3, before.lower)
        n = single(&self.place, out, n, 4, after.lower)
        n = single(&self.place, out, n, 5, (before - 1).lower)
        n = single(&self.place, out, n, 6, (after + 1).lower)
        n = pair(&self.place, out, n, 7, before.lower, w)
        n = pair(&self.place, out, n, 8, w, after.lower)
        n = pair(&self.place, out, n, 9, before.lower, after.lower)
        n = single(&self.place, out, n, 20, word.shape + first)
        n = pair(&self.place, out, n, 21, before.shape, word.shape)
        n = pair(&self.place, out, n, 22, word.shape, after.shape)
        n = single(&self.place, out, n, 24, before.suffix[2])
        n = single(&self.place, out, n, 25, after.suffix[2])
        n = single(&self.place, out, n, 27, after.ambiguity)
        n = single(&self.place, out, n, 28, before.ambiguity)
        n = single(&self.place, out, n, 29, (after + 1).ambiguity)
        n = pair(&self.place, out, n, 30, a, after.ambiguity)
        n = pair(&self.place, out, n, 31, before.ambiguity, a)
        n = triple(&self.place, out, n, 32, before.ambiguity, a, after.ambiguity)
        n = triple(&self.place, out, n, 33, a, after.ambiguity, (after + 1).ambiguity)
        n = pair(&self.place, out, n, 34, word.suffix[2], after.ambiguity)
        n = pair(&self.place, out, n, 35, w, after.ambiguity)
        n = pair(&self.place, out, n, 36, a, after.lower)
        n = pair(&self.place, out, n, 37, a, last)
        n = triple(&self.place, out, n, 39, w, after.ambiguity, (after + 1).ambiguity)
        return n if self.clusters is None else self.cluster_keys(word, out, n)

    cdef int cluster_keys(self, const WordCodes* word, uint64_t* out, int n) noexcept nogil:
        """Add the clusters of the neighbours."""
        cdef const WordCodes* before = word - 1
        cdef const WordCodes* after = word + 1
        cdef int k
        for k in range(CLUSTER_SIZES):
            n = single(&self.place, out, n, 113 + k, before.cluster[k])
            n = single(&self.place, out, n, 116 + k, after.cluster[k])
        n = pair(&self.place, out, n, 119, before.cluster[1], word.cluster[2])
        n = pair(&self.place, out, n, 120, word.cluster[2], after.cluster[1])
        n = pair(&self.place, out, n, 121, before.cluster[1], word.suffix[1])
        n = pair(&self.place, out, n, 122, word.suffix[1], after.cluster[1])
        return n

    cdef int history_keys(self, const WordCodes* word, const History* history, uint64_t* out) noexcept nogil:
        """Write the keys of features that look at the tags chosen so far; return how many."""
        return self.far_keys(word, history, out, self.near_keys(word, history, out))

    cdef int near_keys(self, const WordCodes* word, const History* history, uint64_t* out) noexcept nogil:
        """Write the keys of features that look at the tag of the word before, and at no other."""
        cdef const WordCodes* before = word - 1
        cdef const WordCodes* after = word + 1
        cdef uint64_t a = word.ambiguity, w = word.lower, p1 = self.tags.codes[history.tag1].coarse
        cdef int n = 0
        n = single(&self.place, out, n, 60, p1)
        n = pair(&self.place, out, n, 62, p1, w)
        n = pair(&self.place, out, n, 63, p1, a)
        n = pair(&self.place, out, n, 65, p1, word.suffix[2])
        n = pair(&self.place, out, n, 66, p1, after.ambiguity)
        n = triple(&self.place, out, n, 67, p1, a, after.ambiguity)
        n = pair(&self.place, out, n, 68, self.tags.codes[history.tag1].whole, a)
        n = triple(&self.place, out, n, 70, p1, before.lower, a)
        n = pair(&self.place, out, n, 71, p1, after.lower)
        n = pair(&self.place, out, n, 72, p1, word.shape)
        return n

    cdef int far_keys(self, const WordCodes* word, const History* history, uint64_t* out, int n) noexcept nogil:
        """Add the keys of features that look at tags further back."""
        cdef uint64_t a = word.ambiguity
        cdef uint64_t p1 = self.tags.codes[history.tag1].coarse, p2 = self.tags.codes[history.tag2].coarse
        n = pair(&self.place, out, n, 61, p1, p2)
        n = triple(&self.place, out, n, 64, p1, p2, a)
        n = triple(&self.place, out, n, 69, p1, p2, word.lower)
        n = pair(&self.place, out, n, 73, self.tags.codes[history.nominal_tag].whole, a)
        n = pair(&self.place, out, n, 74, history.nominal, a)
        n = pair(&self.place, out, n, 75, self.tags.codes[history.nominal_tag].whole, word.suffix[1])
        n = pair(&self.place, out, n, 76, self.tags.codes[history.verbal_tag].whole, a)
        n = pair(&self.place, out, n, 77, history.verbal, a)
        n = pair(&self.place, out, n, 78, self.tags.codes[history.verbal_tag].coarse, word.suffix[1])
        n = triple(&self.place, out, n, 79, self.tags.codes[history.verbal_tag].coarse, p1, a)
        return n
