"""The features of a boundary: characters and their classes on both sides, words, and what the lexicon says of them."""
from libc.stdint cimport int32_t, uint8_t, uint64_t

from treewright.features.extractor cimport tw_place
from treewright.kinds.tokenizer.boundaries.characters cimport NO_CHARACTER, SPACE, STOP, Characters, old_kinds
from treewright.kinds.tokenizer.boundaries.lexicon cimport LONGEST_WORD, WordLexicon

cdef enum:
    LONGEST_AHEAD = 24       # characters of a word ahead that features look at


cdef struct Around:          # the characters next to a boundary, the nearest first
    int32_t code[4]                      # before it
    uint8_t kind[4]
    uint8_t next_kind[4]                 # after it
    int word_kind, sentence_kind         # of the first character of word and sentence


cdef struct Ahead:           # what follows a boundary
    uint64_t rest, word, second          # hashes of the rest of the word, the next word, and the one after it
    Py_ssize_t start, end                # of the next word


cdef Ahead look_ahead(Characters text, const Boundary* b) noexcept nogil:
    cdef Ahead found
    cdef Py_ssize_t place = b.at + 1 if b.gap == NONE else b.next_at
    found.rest = hash_ahead(text, &place) if b.gap == NONE else EMPTY
    skip_spaces(text, &place)
    found.start = place
    found.word = hash_ahead(text, &place)
    found.end = place
    skip_spaces(text, &place)
    found.second = hash_ahead(text, &place)
    return found


cdef int first_keys(
    const tw_place* table, Characters text, const Reading* reading, const Boundary* b, uint64_t* out
) noexcept nogil:
    """Write the keys of the first models, which know fewer classes of characters; return how many."""
    cdef Around around
    cdef int j
    for j in range(4):
        around.code[j] = text.code[b.at - j]
        around.kind[j] = old_kinds[text.kind[b.at - j]]
        around.next_kind[j] = old_kinds[text.kind[b.next_at + j]]
    around.word_kind, around.sentence_kind = old_kinds[text.kind[reading.word]], old_kinds[text.kind[reading.sentence]]
    return common_keys(table, text, reading, b, look_ahead(text, b), b.gap != NONE, &around, 4, out)


cdef int boundary_keys(
    const tw_place* table, Characters text, const Reading* reading, const Boundary* b, WordLexicon lexicon,
    const uint8_t* matches, int features, uint64_t* out
) noexcept nogil:
    """Write the keys of all features of a boundary; return how many. Models of earlier versions have fewer of them."""
    cdef Around around
    cdef Ahead ahead = look_ahead(text, b)
    cdef int j, n
    for j in range(4):
        # What stands before the sentence does not count: text may be cut there.
        around.code[j] = text.code[b.at - j] if b.at - j >= reading.sentence else 0
        around.kind[j] = text.kind[b.at - j] if b.at - j >= reading.sentence else NO_CHARACTER
        around.next_kind[j] = text.kind[b.next_at + j]
    around.word_kind, around.sentence_kind = text.kind[reading.word], text.kind[reading.sentence]
    if b.gap >= SPACES_UNPUNCTUATED:
        n = word_keys(table, reading, b, &ahead, out)
        return sentence_keys(table, text, reading, b, &around, &ahead, lexicon, out, n)
    n = common_keys(table, text, reading, b, ahead, b.gap, &around, 5, out)
    n = window_keys(table, text, reading, b, &around, out, n)
    if b.gap != NONE:
        n = sentence_keys(table, text, reading, b, &around, &ahead, lexicon, out, n)
        return beginning_keys(table, text, reading, b, &ahead, out, n) if features > 2 else n
    if features > 4 and around.next_kind[0] == STOP:
        n = stop_keys(table, text, reading, b, &ahead, lexicon, out, n)
    return match_keys(table, reading, b, matches, out, n) if matches != NULL else n


cdef int common_keys(
    const tw_place* t, Characters text, const Reading* reading, const Boundary* b, Ahead ahead, uint64_t g,
    const Around* around, int shift, uint64_t* out
) noexcept nogil:
    """Write the keys that all models have: the characters c … and d … of kinds k … and m …, and words."""
    cdef const int32_t* c = &around.code[0]
    cdef const uint8_t* k = &around.kind[0]
    cdef const int32_t* d = text.code + b.next_at
    cdef const uint8_t* m = &around.next_kind[0]
    cdef int n = 0
    cdef uint64_t kinds = g << 2 * shift | k[0] << shift | m[0]
    cdef Py_ssize_t length = b.at - reading.word
    n = put(t, out, n, 1, kinds, 0, 0)
    n = put(t, out, n, 2, kinds, k[1], m[1])
    n = put(t, out, n, 3, kinds << 2 * shift | k[1] << shift | k[2], m[1], m[2])
    n = put(t, out, n, 4, g, c[0], 0)
    n = put(t, out, n, 5, g, 0, d[0])
    n = put(t, out, n, 6, g, c[0], d[0])
    n = put(t, out, n, 7, g, c[0], c[1])
    n = put(t, out, n, 8, g, d[0], d[1])
    n = put(t, out, n, 9, (<uint64_t>c[1] << 32) + c[0], d[0], g)
    n = put(t, out, n, 10, c[0], (<uint64_t>d[0] << 32) + d[1], g)
    n = put(t, out, n, 11, (<uint64_t>c[2] << 32) + c[1], c[0], g)
    n = put(t, out, n, 12, (<uint64_t>d[1] << 32) + d[0], d[2], g)
    n = put(t, out, n, 13, (<uint64_t>c[1] << 32) + c[0], (<uint64_t>d[1] << 32) + d[0], g)
    n = put(t, out, n, 14, reading.token_hash, g, 0)
    n = put(t, out, n, 15, reading.token_hash, d[0], g)
    n = put(t, out, n, 16, reading.word_hash, g, 0)
    n = put(t, out, n, 17, reading.word_hash, ahead.rest, g)
    n = put(t, out, n, 18, ahead.rest, c[0], g)
    n = put(t, out, n, 19, reading.token_hash, ahead.rest, g)
    n = put(t, out, n, 20, ahead.word, g, 0)
    n = put(t, out, n, 21, ahead.word, kinds, 0)
    n = put(t, out, n, 22, reading.word_hash, ahead.word, g)
    n = put(t, out, n, 23, reading.word_hash, m[0], m[1] + (g << 8))
    n = put(t, out, n, 24, reading.last_word, reading.word_hash, g)
    n = put(t, out, n, 25, bucket(length), kinds, reading.open > 0)
    n = put(t, out, n, 26, bucket(reading.words), kinds, 0)
    n = put(t, out, n, 27, bucket(reading.words), k[0], m[0] + (g << 8))
    n = put(t, out, n, 28, reading.open > 0, c[0], m[0] + (g << 8))
    n = put(t, out, n, 29, ahead.word, ahead.second, g)
    n = put(t, out, n, 30, around.word_kind, kinds, bucket(length))
    n = put(t, out, n, 31, around.sentence_kind, kinds, bucket(reading.words))
    n = put(t, out, n, 32, text.code[reading.word], kinds, d[0])
    n = put(t, out, n, 33, reading.last_word, kinds, 0)
    n = put(t, out, n, 34, bucket(ahead.end - ahead.start), kinds, m[1])
    n = put(t, out, n, 35, reading.token == reading.word, kinds, m[1])
    n = put(t, out, n, 36, joined(k, shift), joined(m, shift), g)
    return n


cdef int word_keys(
    const tw_place* t, const Reading* reading, const Boundary* b, const Ahead* ahead, uint64_t* out
) noexcept nogil:
    """Write the keys of words on both sides, which is all that text without punctuation has."""
    cdef uint64_t g = b.gap
    cdef int n = 0
    n = put(t, out, n, 1, g, 0, 0)
    n = put(t, out, n, 16, reading.word_hash, g, 0)
    n = put(t, out, n, 20, ahead.word, g, 0)
    n = put(t, out, n, 22, reading.word_hash, ahead.word, g)
    n = put(t, out, n, 24, reading.last_word, reading.word_hash, g)
    n = put(t, out, n, 26, bucket(reading.words), g, 0)
    n = put(t, out, n, 29, ahead.word, ahead.second, g)
    n = put(t, out, n, 33, reading.last_word, g, 0)
    n = put(t, out, n, 37, ahead.second, g, 0)
    n = put(t, out, n, 38, reading.words, g, 0)
    n = put(t, out, n, 39, bucket(reading.words), ahead.word, g)
    return n


cdef int window_keys(
    const tw_place* t, Characters text, const Reading* reading, const Boundary* b, const Around* around, uint64_t* out,
    int n
) noexcept nogil:
    """Add single characters further away, the token before, and what holds the characters together."""
    cdef const int32_t* c = &around.code[0]
    cdef const uint8_t* k = &around.kind[0]
    cdef const uint8_t* m = &around.next_kind[0]
    cdef const int32_t* d = text.code + b.next_at
    cdef uint64_t g = b.gap
    cdef Py_ssize_t length = b.at - reading.token
    n = put(t, out, n, 40, g, text.span[b.at], (k[0] << 5) + m[0])
    n = put(t, out, n, 41, g, c[1], 1)
    n = put(t, out, n, 42, g, d[1], 1)
    n = put(t, out, n, 43, g, reading.last_token, reading.token_hash)
    n = put(t, out, n, 44, g + (bucket(length) << 8), k[0], m[0])
    if b.gap == NONE:
        n = put(t, out, n, 45, c[2], 1, 0)
        n = put(t, out, n, 46, d[2], 1, 0)
        n = put(t, out, n, 47, c[1], d[0], 0)
        n = put(t, out, n, 48, c[0], d[1], 0)
        n = put(t, out, n, 49, (d[0] == c[0]) + 2 * (d[0] == c[1]) + 4 * (d[1] == c[0]), k[0], m[0])
        n = put(t, out, n, 50, bucket(length), c[0], d[0])
        n = put(t, out, n, 51, bucket(length) + (bucket(reading.last_length) << 8), k[0], m[0])
        n = put(t, out, n, 52, reading.last_token, d[0], k[0])
        n = put(t, out, n, 53, text.code[reading.token], c[0], d[0])
        n = put(t, out, n, 54, reading.token_hash, (<uint64_t>d[0] << 32) + d[1], 0)
    return n


cdef int sentence_keys(
    const tw_place* t, Characters text, const Reading* reading, const Boundary* b, const Around* around,
    const Ahead* ahead, WordLexicon lexicon, uint64_t* out, int n
) noexcept nogil:
    """Add what tells sentences apart: known words, endings, and how far the next given border is."""
    cdef const int32_t* c = &around.code[0]
    cdef const int32_t* d = text.code + b.next_at
    cdef uint64_t g = b.gap
    cdef uint64_t kinds = (g << 10) + (text.kind[b.at] << 5) + text.kind[b.next_at]
    cdef int before = lexicon.of_letters(text, reading.word), after = lexicon.of_letters(text, b.next_at)
    cdef uint64_t start = (<uint64_t>d[0] << 42) + (<uint64_t>d[1] << 21) + d[2]
    cdef uint64_t ending = (<uint64_t>c[2] << 42) + (<uint64_t>c[1] << 21) + c[0]
    cdef uint64_t next_ending = 0
    if ahead.end - ahead.start > 2:
        next_ending = ((<uint64_t>text.code[ahead.end - 3] << 42) + (<uint64_t>text.code[ahead.end - 2] << 21)
                       + text.code[ahead.end - 1])
    n = put(t, out, n, 60, kinds, before, after)
    n = put(t, out, n, 61, kinds, after, shape(text, reading.word, b.at + 1))
    n = put(t, out, n, 62, kinds, after, reading.word_hash)
    n = put(t, out, n, 63, kinds, before, ahead.word)
    n = put(t, out, n, 64, kinds, shape(text, reading.word, b.at + 1), shape(text, ahead.start, ahead.end))
    n = put(t, out, n, 65, g, ending, next_ending)
    n = put(t, out, n, 66, kinds, next_ending, 0)
    n = put(t, out, n, 67, g, ending, start)
    n = put(t, out, n, 70, kinds, after, bucket(reading.words))
    n = put(t, out, n, 71, g, reading.token_hash, ahead.word)
    n = put(t, out, n, 72, g, reading.last_token, ahead.word)
    n = put(t, out, n, 73, kinds, ending, after)
    n = put(t, out, n, 74, kinds, lexicon.of_letters(text, ahead.end + 1), after)
    return n


cdef int beginning_keys(
    const tw_place* t, Characters text, const Reading* reading, const Boundary* b, const Ahead* ahead, uint64_t* out,
    int n
) noexcept nogil:
    """Add how the sentence began (a greeting, the number of an item), and the outlines of the last two words."""
    cdef uint64_t kinds = (<uint64_t>b.gap << 10) + (text.kind[b.at] << 5) + text.kind[b.next_at]
    cdef uint64_t last = shape(text, reading.word, b.at + 1), following = shape(text, ahead.start, ahead.end)
    cdef uint64_t before = EMPTY
    if reading.before < reading.word:
        before = shape(text, reading.before, reading.word - 1)
    n = put(t, out, n, 85, kinds, reading.first_token, 0)
    n = put(t, out, n, 86, kinds, reading.first_token, bucket(reading.words))
    n = put(t, out, n, 87, kinds, before, last)
    n = put(t, out, n, 88, before, last, following)
    n = put(t, out, n, 89, last, following, bucket(reading.words))
    n = put(t, out, n, 90, following, ahead.second, kinds)
    n = put(t, out, n, 91, reading.first_token, following, b.gap)
    return n


cdef int stop_keys(
    const tw_place* t, Characters text, const Reading* reading, const Boundary* b, const Ahead* ahead,
    WordLexicon lexicon, uint64_t* out, int n
) noexcept nogil:
    """Add what tells a full stop that belongs to an abbreviation: the word before it, and how the next one begins.

    In text without capitals, a small letter says nothing: what a text lacks is part of these features.
    """
    cdef uint64_t lacking = b.lacking, last = shape(text, reading.word, b.at + 1)
    cdef uint64_t following = text.kind[ahead.start] + (lacking << 8)
    n = put(t, out, n, 95, lacking, ahead.rest, following)
    n = put(t, out, n, 96, reading.word_hash, ahead.rest, following)
    n = put(t, out, n, 97, last, ahead.rest, following)
    n = put(t, out, n, 98, last, ahead.word, lacking)
    n = put(t, out, n, 99, last, lexicon.of_letters(text, ahead.start), following)
    n = put(t, out, n, 100, bucket(b.at - reading.word), ahead.rest, following)
    return n


cdef int match_keys(
    const tw_place* t, const Reading* reading, const Boundary* b, const uint8_t* matches, uint64_t* out, int n
) noexcept nogil:
    """Add which known words end, begin or stand across a place in text without spaces."""
    cdef int ends = 0, begins = longest(matches[b.next_at]), across = 0, length, k, own
    cdef Py_ssize_t at
    for k in range(LONGEST_WORD):
        at = b.at - k
        if at < reading.sentence:
            break
        if matches[at] >> k & 1:
            ends = k + 1
        if k < LONGEST_WORD - 1 and matches[at] >> (k + 1):
            length = longest(matches[at])
            across = max(across, length)
    length = <int>min(b.at - reading.token + 1, LONGEST_WORD)
    own = (matches[reading.token] >> (length - 1) & 1) + 2 * (matches[reading.token] >> length != 0)
    n = put(t, out, n, 80, ends, begins, 0)
    n = put(t, out, n, 81, ends, begins, across)
    n = put(t, out, n, 82, across, own, length)
    n = put(t, out, n, 83, own, ends, begins + (across << 8))
    n = put(t, out, n, 84, own, begins, length)
    return n


cdef int unmarked_keys(
    const tw_place* t, Characters text, const Reading* reading, const Boundary* b, WordLexicon lexicon,
    const uint8_t* matches, uint64_t* out
) noexcept nogil:
    """Write the keys of the words around a place in text without spaces and punctuation; return how many."""
    cdef const int32_t* d = text.code + b.next_at
    cdef Py_ssize_t at = b.next_at, k
    cdef int word = lexicon.of_stretch(text, reading.token, b.at + 1), following, n = 0
    cdef uint64_t next_word = EMPTY, length = bucket(reading.words // 2)
    cdef int size = max(1, longest(matches[at]))
    for k in range(at, min(at + size, text.n)):
        next_word = add(next_word, text.code[k])
    following = lexicon.of_stretch(text, at, at + size)
    n = put(t, out, n, 110, 0, 0, 0)
    n = put(t, out, n, 111, reading.token_hash, 0, 0)
    n = put(t, out, n, 112, reading.last_token, reading.token_hash, 0)
    n = put(t, out, n, 113, next_word, 0, 0)
    n = put(t, out, n, 114, reading.token_hash, next_word, 0)
    n = put(t, out, n, 115, length, 0, 0)
    n = put(t, out, n, 116, length, next_word, 0)
    n = put(t, out, n, 117, length, reading.token_hash, 0)
    n = put(t, out, n, 118, d[0], d[1], 0)
    n = put(t, out, n, 119, d[0], d[1], d[2])
    n = put(t, out, n, 120, text.code[b.at], d[0], 0)
    n = put(t, out, n, 121, word, following, 0)
    n = put(t, out, n, 122, word, following, length)
    n = put(t, out, n, 123, word, next_word, 0)
    n = put(t, out, n, 124, following, reading.token_hash, 0)
    n = put(t, out, n, 125, text.code[b.at], 0, 0)
    n = put(t, out, n, 126, d[0], 0, 0)
    n = put(t, out, n, 127, word, 1, 0)
    n = put(t, out, n, 128, following, 1, 0)
    n = put(t, out, n, 129, reading.first_token, next_word, length)
    return n


cdef inline int longest(int lengths) noexcept nogil:
    """The length of the longest word of a set, as bits."""
    cdef int k = 0
    while lengths >> k:
        k += 1
    return k


cdef uint64_t shape(Characters text, Py_ssize_t start, Py_ssize_t end) noexcept nogil:
    """The classes of the characters of a word; of those in a row, two are kept."""
    cdef uint64_t value = EMPTY
    cdef Py_ssize_t at
    cdef int run = 0
    end = min(end, start + LONGEST_AHEAD)
    for at in range(start, end):
        run = run + 1 if at > start and text.kind[at] == text.kind[at - 1] else 0
        if run < 2:
            value = add(value, text.kind[at])
    return value


cdef inline uint64_t joined(const uint8_t* kinds, int shift) noexcept nogil:
    return ((<uint64_t>kinds[3] << 3 * shift) + (<uint64_t>kinds[2] << 2 * shift) + (<uint64_t>kinds[1] << shift)
            + kinds[0])


cdef inline void skip_spaces(Characters text, Py_ssize_t* place) noexcept nogil:
    while place[0] < text.n and text.kind[place[0]] == SPACE:
        place[0] += 1


cdef inline uint64_t hash_ahead(Characters text, Py_ssize_t* place) noexcept nogil:
    """Return the hash of the characters from a place to the next space, and go there; of LONGEST_AHEAD at most."""
    cdef uint64_t value = EMPTY
    cdef Py_ssize_t end = min(place[0] + LONGEST_AHEAD, text.n)
    while place[0] < end and text.kind[place[0]] != SPACE:
        value = add(value, text.code[place[0]])
        place[0] += 1
    return value
