"""Lemmas by rule. See lemmatizer.pyx."""
from libc.stdint cimport int32_t, uint64_t

from treewright.features.extractor cimport tw_place
from treewright.learners.learner cimport Scorer
from treewright.learners.text_keys cimport KeyNumbers
from treewright.kinds.tagger.lexicon cimport KnownLemmas
from treewright.kinds.tagger.tags cimport TagCodes
from treewright.kinds.tagger.words cimport WordCodes

cdef enum:
    LEMMA_KEYS = 32
    N_CASES = 4


cdef struct Change:          # strip characters, add text; or the whole lemma
    int32_t strip_start, strip_end
    const char* add_start
    const char* add_end
    const char* whole
    int32_t start_length, end_length, whole_length
    bint guessed             # may be applied to words that are not remembered


cdef class Lemmatizer:
    cdef readonly list affixes           # [[strip_start, add_start, strip_end, add_end, whole, guessed]]
    cdef readonly object keys            # array: what is remembered, by word and tag
    cdef readonly object rules           # array: case + N_CASES * number of the affixes
    cdef readonly Scorer scorer          # classes: N_CASES cases, the affixes that are guessed, 2 if lemmas are known
    cdef readonly KnownLemmas known      # None in models of earlier versions
    cdef readonly int n_affixes, n_guessed, longest
    cdef list kept
    cdef Change* changes
    cdef KeyNumbers memory               # `keys` and `rules`
    cdef tw_place place
    cdef int remembered(self, const WordCodes* word, const TagCodes* tag) noexcept nogil
    cdef int keys_of(self, const WordCodes* word, const TagCodes* tag, bint first, uint64_t* out) noexcept nogil
    cdef int guess(
        self, const char* text, int length, const WordCodes* word, const TagCodes* tag, bint first, float* scores,
        uint64_t own
    ) noexcept nogil
    cdef int best_known(
        self, const char* text, int length, int case, const TagCodes* tag, const int* affixes, int n,
        const float* scores, uint64_t own
    ) noexcept nogil
    cdef int known_bits(self, const char* text, int length, int rule, const TagCodes* tag, uint64_t own) noexcept nogil
    cdef int write(self, const char* form, int length, int rule, char* out) noexcept nogil


cdef inline uint64_t memory_key(const WordCodes* word, const TagCodes* tag) noexcept nogil:
    cdef uint64_t key = word.form + (tag.whole << 23 | tag.whole >> 41)
    return key if key != 0 else 1
