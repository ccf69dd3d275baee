"""The features of a boundary. See boundary_keys.pyx."""
from libc.stdint cimport uint8_t, uint64_t

from treewright.features.extractor cimport tw_place
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
    MOST_KEYS = 96


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


cdef inline int put(
    const tw_place* place, uint64_t* out, int n, int template, uint64_t a, uint64_t b, uint64_t c
) noexcept nogil:
    """Write the key of a feature: the number of its template and up to three values."""
    cdef uint64_t value = add(add(add(<uint64_t>template * 0x2545F4914F6CDD1DULL, a), b), c)
    out[n] = tw_ask(place, value ^ value << 31)
    return n + 1


cdef inline int bucket(Py_ssize_t length) noexcept nogil:
    """The class of a length: small ones have a class each."""
    if length < 6:
        return <int>length
    return 6 if length < 9 else 7 if length < 14 else 8 if length < 25 else 9 if length < 45 else 10


cdef int first_keys(
    const tw_place* table, Characters text, const Reading* reading, const Boundary* b, uint64_t* out
) noexcept nogil
cdef int boundary_keys(
    const tw_place* table, Characters text, const Reading* reading, const Boundary* b, WordLexicon lexicon,
    const uint8_t* matches, int features, uint64_t* out
) noexcept nogil
cdef int unmarked_keys(
    const tw_place* t, Characters text, const Reading* reading, const Boundary* b, WordLexicon lexicon,
    const uint8_t* matches, uint64_t* out
) noexcept nogil
