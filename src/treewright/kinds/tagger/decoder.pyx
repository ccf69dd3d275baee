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
from treewright.features.feature_table cimport Section
from treewright.kinds.tagger.feature_keys cimport Values, load, put_keys, put_mixed_keys
from treewright.kinds.tagger.lexicon cimport KnownLemmas, Lexicon
from treewright.kinds.tagger.open_tags cimport OpenTags, Ranking, begin_ranking, consider
from treewright.kinds.tagger.tags cimport TagCodes, TagSet
from treewright.kinds.tagger.words cimport (
    N_SIGNS, PADDING, EncodedWords, KeptScores, WordCodes, add_affixes,
)
from treewright.treebank.blocks.block cimport Block

cdef Section own_features, lemma_features, cluster_features
cdef Section context_features, context_cluster_features, near_features, history_features

load(&own_features, "tagger", ("word",), False)
load(&lemma_features, "tagger", ("known lemmas",), False)
load(&cluster_features, "tagger", ("clusters",), False)
load(&context_features, "tagger", ("words around",), False)
load(&context_cluster_features, "tagger", ("clusters around",), False)
load(&near_features, "tagger", ("tag before",), True)
load(&history_features, "tagger", ("tag before", "tags before"), True)


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
                n_keys = self.keys_beside_kept(words + i, kept, &own, keys)
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

    cdef int fixed_keys(self, const WordCodes* word, uint64_t* out) noexcept nogil:
        """Write the keys of features that do not look at tags; return how many."""
        cdef int n = self.own_keys(word, out)
        return n + self.context_keys(word, out + n)

    cdef int keys_beside_kept(
        self, const WordCodes* word, KeptScores kept, const float** own, uint64_t* out
    ) noexcept nogil:
        """Do the same, but leave out features of the word alone if ``own`` can point to their sum; else it is NULL."""
        own[0] = self.own_scores(word, kept)
        return self.fixed_keys(word, out) if own[0] == NULL else self.context_keys(word, out)

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
        cdef int n
        if not word.complete:
            whole = word[0]
            add_affixes(&whole, self.known)
            word = &whole
        n = put_keys(&own_features, <const uint64_t*>word, &self.place, out)
        if self.known is not None:
            n += put_keys(&lemma_features, <const uint64_t*>word, &self.place, out + n)
        if self.clusters is not None:
            n += put_keys(&cluster_features, <const uint64_t*>word, &self.place, out + n)
        return n

    cdef int context_keys(self, const WordCodes* word, uint64_t* out) noexcept nogil:
        """Write the keys of features that look at other words, too."""
        cdef int n = put_keys(&context_features, <const uint64_t*>word, &self.place, out)
        if self.clusters is not None:
            n += put_keys(&context_cluster_features, <const uint64_t*>word, &self.place, out + n)
        return n

    cdef int history_keys(self, const WordCodes* word, const History* history, uint64_t* out) noexcept nogil:
        """Write the keys of features that look at the tags chosen so far; return how many."""
        cdef Values values
        self.look_back(history, &values)
        return put_mixed_keys(&history_features, word, &values, &self.place, out)

    cdef int near_keys(self, const WordCodes* word, const History* history, uint64_t* out) noexcept nogil:
        """Write the keys of features that look at the tag of the word before, and at no other."""
        cdef Values values
        self.look_back(history, &values)
        return put_mixed_keys(&near_features, word, &values, &self.place, out)

    cdef void look_back(self, const History* history, Values* values) noexcept nogil:
        """Write what features look at of the tags chosen so far."""
        cdef const TagCodes* codes = self.tags.codes
        values.tag_before, values.whole_tag_before = codes[history.tag1].coarse, codes[history.tag1].whole
        values.tag_before_that = codes[history.tag2].coarse
        values.noun_before, values.noun_tag_before = history.nominal, codes[history.nominal_tag].whole
        values.verb_before, values.verb_tag_before = history.verbal, codes[history.verbal_tag].coarse
        values.whole_verb_tag_before = codes[history.verbal_tag].whole
