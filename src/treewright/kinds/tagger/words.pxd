"""Words as the tagger sees them. See words.pyx."""
from libc.stdint cimport int32_t, int64_t, uint64_t

from treewright.features.word_clusters cimport WordClusters
from treewright.kinds.tagger.lexicon cimport KnownLemmas, Lexicon
from treewright.treebank.blocks.block cimport Block

cdef extern from "compiler.h" nogil:
    void TW_PREFETCH(const void* p)

cdef enum:
    PREFIXES = 6
    SUFFIXES = 8
    CLUSTER_SIZES = 3
    PADDING = 2              # empty rows before and after each sentence, so that neighbours need no checks


cdef enum:                   # the signs that a word consists of
    WORD
    MARKS                    # brackets, quotes, commas, stops, dashes
    PICTURES                 # emoji, symbols, currencies
    MIXED_SIGNS              # others, as & and %, and both together
    N_SIGNS


cdef struct WordCodes:
    uint64_t form, lower, shape
    uint64_t initial_shape   # with whether the word begins its sentence
    uint64_t last            # the last word of the sentence, in lower case
    uint64_t ambiguity       # the UPOS and XPOS that the lexicon lists for the word
    uint64_t stem, rest      # the longest known lemma that the word begins with: its class, and what follows it
    uint64_t cluster[3]      # coarse, finer, the cluster itself
    uint64_t prefix[6]       # of 1 to PREFIXES characters, in lower case
    uint64_t suffix[8]
    const char* text         # the form itself, as long as its block lives
    int32_t bytes            # of the form
    int32_t entry            # in the lexicon; -1: unknown
    int32_t length           # characters
    int32_t signs            # of an unknown word without letters and digits: which, else WORD
    bint complete            # whether all affixes and the stem are there


cdef class KeptScores:
    """What the features of a word alone add up to, by its form: most words of a text are not looked up again."""
    cdef uint64_t* forms
    cdef float* rows
    cdef int width                       # numbers in a row
    cdef uint64_t mask
    cdef object owner                    # whose scores these are
    cdef int open(self, object owner, int width) except -1
    cdef float* find(self, uint64_t form, bint* known) noexcept nogil

    cdef inline void ask(self, uint64_t form) noexcept nogil:
        """Have the row of a form brought nearer, for ``find``: its beginning, and the processor goes on."""
        cdef uint64_t at = form >> 20 & self.mask
        TW_PREFETCH(self.forms + at)
        TW_PREFETCH(self.rows + at * self.width)
        TW_PREFETCH(self.rows + at * self.width + 16)


cdef class EncodedWords:
    """Rows of sentences one after the other, each with PADDING rows around it."""
    cdef KeptScores kept
    cdef WordCodes* rows
    cdef int64_t n_rows, capacity
    cdef bint complete                   # affixes and stem of every word: training reads them in all rounds
    cdef int reserve(self, int64_t rows) except -1 nogil
    cdef int add_sentence(
        self, Block block, int sentence, Lexicon lexicon, KnownLemmas known, WordClusters clusters
    ) except -1 nogil


cdef uint64_t UNKNOWN                # the codes of a word made unknown
cdef int encode_word(const char* text, int length, bint rich, WordCodes* out) noexcept nogil
cdef void add_affixes(WordCodes* word, KnownLemmas known) noexcept nogil
cdef uint64_t shape_of(const WordCodes* word, bint first) noexcept nogil
cdef uint64_t form_code(const char* text, int length) noexcept nogil


cdef void forget(WordCodes* row) noexcept nogil
cdef void tell_last(WordCodes* rows, int n) noexcept nogil
