"""The features of a boundary. See boundary_keys.pyx."""
from libc.stdint cimport uint8_t, uint64_t

from treewright.features.extractor cimport tw_place
from treewright.features.feature_table cimport Feature, Section
from treewright.kinds.tokenizer.boundaries.characters cimport Characters, add
from treewright.kinds.tokenizer.boundaries.lexicon cimport WordLexicon

cdef enum:                   # the gap between a character and the next one that is no space
    NONE
    SPACES                   # in ordinary text; then in text without capitals, without full stops, without both
    SPACES_SMALL
    SPACES_UNPUNCTUATED
    SPACES_BARE
    N_GAPS
    HARD_END                 # a border that is given: blank line, line that counts, end of the text

cdef enum:
    MOST_KEYS = 160          # features in all, and more
    N_CONSTANTS = 4          # numbers from 0 on, which features may look at


cdef struct Values:                      # what features look at, as features/lists/tokenizer.features names it
    uint64_t numbers[N_CONSTANTS]
    uint64_t char_before[4]
    uint64_t char_after[4]
    uint64_t kind_before[4]
    uint64_t kind_after[4]
    uint64_t gap, kinds, open_bracket, span, repeated, one_token, tokens
    uint64_t chars_before, chars_before2, chars_after, chars_after_turned, char_of_word, char_of_token
    uint64_t kinds_before, kinds_before3, kinds_after, kind_of_word, kind_of_sentence
    uint64_t gap_and_kind_after, gap_and_kind_after2, kind_before_and_after
    uint64_t word, token, rest, next_word, second_word, last_word, last_token, first_token
    uint64_t word_length, sentence_length, half_length, next_word_length
    uint64_t token_length, token_lengths, gap_and_token_length
    uint64_t known_before, known_after, known_second, known_ahead, known_token, known_match
    uint64_t shape, next_shape, last_shape, beginning, ending, next_ending
    uint64_t lacking, lacking_and_kind
    uint64_t words_end, words_begin, words_across, words_begin_and_across, own_word, own_length, next_match
    uint64_t cluster, coarse_cluster, whole_cluster, next_cluster, coarse_next_cluster, whole_next_cluster
    uint64_t last_cluster, second_cluster


cdef struct Reading:                     # the state of reading from left to right
    Py_ssize_t token, word, sentence     # where the token, the stretch without spaces and the sentence begin
    uint64_t token_hash, word_hash       # of token and word up to the current character
    uint64_t last_word, last_token       # hashes of the word and of the token before
    uint64_t first_token                 # of the sentence; EMPTY while it is read
    Py_ssize_t before                    # where the word before begins; at `word` if there is none in the sentence
    int last_length                      # of the token before
    int words                            # in the sentence so far
    int open                             # brackets that are not closed yet


cdef struct Boundary:                    # a place where a token may end
    Py_ssize_t at, next_at               # the character before, and the next one that is no space
    int gap
    int lacking                          # marks of sentences that the text lacks, of those that the treebank has


cdef extern from *:
    """
    #define TW_EMPTY 0x6C62272E07BB0142ULL
    """
    const uint64_t EMPTY "TW_EMPTY"      # the hash of no text


cdef extern from "join.h" nogil:
    uint64_t tw_ask(const tw_place* p, uint64_t key)


cdef inline int put_keys(
    const Section* section, uint64_t* values, const tw_place* place, uint64_t* out, int n
) noexcept nogil:
    """Add the keys of a section's features, each asked for where its weights will be read; return how many we have.

    ``values`` are a structure that begins with constants. They are where features lack a value.
    """
    cdef const Feature* f = section.features
    cdef tw_place lines = place[0]
    cdef uint64_t key
    cdef int k
    for k in range(N_CONSTANTS):
        values[k] = k
    for k in range(section.n):
        key = add(add(add(f[k].seed, values[f[k].value[0]]), values[f[k].value[1]]), values[f[k].value[2]])
        out[n + f[k].place] = tw_ask(&lines, key ^ key << 31)
    return n + section.n


cdef inline int bucket(Py_ssize_t length) noexcept nogil:
    """The class of a length: small ones have a class each."""
    if length < 6:
        return <int>length
    return 6 if length < 9 else 7 if length < 14 else 8 if length < 25 else 9 if length < 45 else 10


cdef int load(Section* out, str name, str section, dict places) except -1
cdef int boundary_keys(
    const tw_place* table, Characters text, const Reading* reading, const Boundary* b, WordLexicon lexicon,
    const uint8_t* matches, Values* v, uint64_t* out
) noexcept nogil
cdef int unmarked_keys(
    const tw_place* table, Characters text, const Reading* reading, const Boundary* b, WordLexicon lexicon,
    const uint8_t* matches, uint64_t* out
) noexcept nogil
