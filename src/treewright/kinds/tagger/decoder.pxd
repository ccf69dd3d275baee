"""Choosing tags word by word. See decoder.pyx."""
from libc.stdint cimport int32_t, int64_t, uint64_t

from treewright.features.extractor cimport tw_place
from treewright.features.word_clusters cimport WordClusters
from treewright.learners.learner cimport Scorer
from treewright.learners.table cimport LinearTable
from treewright.kinds.tagger.feature_keys cimport Values
from treewright.kinds.tagger.lexicon cimport KnownLemmas, Lexicon
from treewright.kinds.tagger.open_tags cimport OpenTags, Ranking
from treewright.kinds.tagger.tags cimport TagSet
from treewright.kinds.tagger.words cimport EncodedWords, KeptScores, WordCodes

cdef enum:
    MOST_KEYS = 128


cdef struct History:                     # what the decoder keeps of the tags chosen so far
    int32_t tag1, tag2                   # of the last word and the one before
    int32_t nominal_tag, verbal_tag      # of the last noun or pronoun, of the last verb
    uint64_t nominal, verbal             # their forms


cdef class Decoder:
    cdef readonly TagSet tags
    cdef readonly Lexicon lexicon
    cdef readonly Scorer scorer
    cdef readonly KnownLemmas known      # None in models of earlier versions, whose features are fewer
    cdef readonly WordClusters clusters  # None without any
    cdef LinearTable table               # the scorer, where it is one
    cdef tw_place place                  # where keys will be looked up, for prefetching
    cdef readonly object open_tags       # array: tags tried for words that the lexicon does not close
    cdef const int32_t[::1] open_view
    cdef OpenTags ranked                 # the same tags
    cdef const int32_t[::1] sign_view    # tags tried for unknown words of signs
    cdef int sign_start[5]               # of each kind of signs, among these
    cdef int32_t first_tag               # before the first word: the code of no word
    cdef void begin(self, History* history) noexcept nogil
    cdef void advance(self, History* history, const WordCodes* word, int tag) noexcept nogil
    cdef int fixed_keys(self, const WordCodes* word, uint64_t* out) noexcept nogil
    cdef int keys_beside_kept(
        self, const WordCodes* word, KeptScores kept, const float** own, uint64_t* out
    ) noexcept nogil
    cdef const float* own_scores(self, const WordCodes* word, KeptScores kept) noexcept nogil
    cdef void score_keys(
        self, const uint64_t* keys, int n_keys, const float* before, float* scores
    ) noexcept nogil
    cdef int own_keys(self, const WordCodes* word, uint64_t* out) noexcept nogil
    cdef int context_keys(self, const WordCodes* word, uint64_t* out) noexcept nogil
    cdef int history_keys(self, const WordCodes* word, const History* history, uint64_t* out) noexcept nogil
    cdef int near_keys(self, const WordCodes* word, const History* history, uint64_t* out) noexcept nogil
    cdef void look_back(self, const History* history, Values* values) noexcept nogil
    cdef const int32_t* candidates(self, const WordCodes* word, int* n) noexcept nogil
    cdef int only_tag(self, const WordCodes* word) noexcept nogil
    cdef int best_tag(self, const WordCodes* word, const float* scores) noexcept nogil
    cdef int leading_tag(self, const WordCodes* word, const float* scores, float* lead) noexcept nogil
    cdef void rank(self, const WordCodes* word, const float* scores, int left_out, Ranking* out) noexcept nogil
    cdef int best_rival(
        self, const WordCodes* word, const float* scores, int gold, float* lead, bint* first
    ) noexcept nogil
    cdef int tag_sentence(
        self, const WordCodes* words, int n, KeptScores kept, float* scores, int32_t* out
    ) except -1 nogil
