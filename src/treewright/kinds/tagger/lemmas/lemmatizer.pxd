"""Lemmas by rule. See lemmatizer.pyx."""
from libc.stdint cimport int32_t, uint64_t

from treewright.features.extractor cimport tw_place
from treewright.learners.learner cimport Scorer
from treewright.learners.text_keys cimport KeyNumbers
from treewright.features.word_clusters cimport WordClusters
from treewright.kinds.tagger.lexicon cimport KnownLemmas, Lexicon
from treewright.kinds.tagger.tags cimport TagCodes
from treewright.kinds.tagger.words cimport WordCodes

cdef enum:
    LEMMA_KEYS = 32
    N_CASES = 4
    LONGEST_CUT = 16


cdef struct Change:          # strip characters, add text; or the whole lemma
    int32_t strip_start, strip_end
    const char* add_start
    const char* add_end
    const char* whole
    int32_t start_length, end_length, whole_length
    bint guessed             # may be applied to words that are not remembered
    uint64_t code            # the same for the same rule in every model
    uint64_t kept_start, kept_end    # a bit for each stripped character that the added text keeps
    bint adds_start, adds_end        # is there added text that is not kept?


cdef struct Choice:          # what is known of the best lemma, which affixes come next, by how much it leads
    int known, second
    float lead


cdef class Lemmatizer:
    cdef readonly list affixes           # [[strip_start, add_start, strip_end, add_end, whole, guessed]]
    cdef readonly object keys            # array: what is remembered, by word and tag
    cdef readonly object rules           # array: case + N_CASES * number of the affixes
    cdef readonly Scorer scorer          # classes: N_CASES cases, the affixes that are guessed, n_known
    cdef readonly KnownLemmas known      # None in models of earlier versions
    cdef readonly object endings         # array: what rules may strip, how words end; None in earlier models
    cdef readonly object times           # array: of how many words each of `endings` was seen
    cdef Lexicon lexicon                 # words that the treebank has, and raw text; None if they tell nothing
    cdef WordClusters clusters
    cdef readonly int n_affixes, n_guessed, n_known, longest
    cdef readonly float sure             # what a lemma that nothing is known of must lead by
    cdef list kept
    cdef Change* changes
    cdef KeyNumbers memory               # `keys` and `rules`
    cdef KeyNumbers allowed              # `endings` and `times`
    cdef int[LONGEST_CUT + 1] cuts       # affixes that strip so many characters and no more; -1: none
    cdef tw_place place
    cdef int remembered(self, const char* text, int length, const TagCodes* tag) noexcept nogil
    cdef int keys_of(self, const WordCodes* word, const TagCodes* tag, bint first, uint64_t* out) noexcept nogil
    cdef int guess(
        self, const char* text, int length, const WordCodes* word, const TagCodes* tag, bint first, float* scores
    ) noexcept nogil
    cdef int highest(
        self, const char* text, int length, const WordCodes* word, const TagCodes* tag, bint first, float* scores,
        uint64_t own, Choice* choice
    ) noexcept nogil
    cdef bint fits(self, const Change* change, const char* lower, const short* places, int characters) noexcept nogil
    cdef int best_known(
        self, const char* text, int length, int case, const TagCodes* tag, const int* affixes, int n,
        const float* scores, uint64_t own, Choice* choice
    ) noexcept nogil
    cdef float share(self, const WordCodes* word, const TagCodes* tag, const Change* change) noexcept nogil
    cdef int cut_to_known(self, const char* text, int length, const TagCodes* tag) noexcept nogil
    cdef int known_bits(self, const char* text, int length, int rule, const TagCodes* tag, uint64_t own) noexcept nogil
    cdef bint is_word(self, const char* lower, int n) noexcept nogil
    cdef int write(self, const char* form, int length, int rule, char* out) noexcept nogil


cdef inline uint64_t memory_key(uint64_t form, uint64_t tag) noexcept nogil:
    """Return the key of a form with a tag, whole or coarse."""
    cdef uint64_t key = form + (tag << 23 | tag >> 41)
    return key if key != 0 else 1
