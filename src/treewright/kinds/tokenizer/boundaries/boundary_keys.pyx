"""The features of a boundary: characters and their classes on both sides, words, and what the lexicon says of them."""
from libc.stdint cimport uint8_t, uint64_t

from treewright.features.extractor cimport tw_place
from treewright.features.feature_table cimport Section, count_up, load_section, places_in
from treewright.kinds.tokenizer.boundaries.characters cimport (
    NO_CHARACTER, SPACE, STOP, Characters, hash_of, is_unspaced,
)
from treewright.kinds.tokenizer.boundaries.lexicon cimport LONGEST_WORD, WordLexicon

cdef enum:
    LONGEST_AHEAD = 24       # characters of a word ahead that features look at
    KIND_BITS = 5            # of a class of characters


cdef uint64_t SEED = 0x2545F4914F6CDD1DULL
cdef Section everywhere, between_words, window, without_space, sentences, beginnings, full_stops, words_of_characters
cdef Section without_marks

cdef Values numbered         # each value is its place
count_up(<uint64_t*>&numbered, sizeof(Values) // sizeof(uint64_t))
PLACES = places_in(numbered)


cdef int load(Section* out, str name, str section, dict places) except -1:
    """Make the table of a section of a list; ``places``: of the values, by their names."""
    constants = {str(k): k for k in range(N_CONSTANTS)}
    return load_section(out, name, (section,), {**places, **constants}, {}, SEED)


load(&everywhere, "tokenizer", "everywhere", PLACES)
load(&between_words, "tokenizer", "between words", PLACES)
load(&window, "tokenizer", "window", PLACES)
load(&without_space, "tokenizer", "without a space", PLACES)
load(&sentences, "tokenizer", "sentences", PLACES)
load(&beginnings, "tokenizer", "beginnings of sentences", PLACES)
load(&full_stops, "tokenizer", "full stops", PLACES)
load(&words_of_characters, "tokenizer", "words of characters", PLACES)
load(&without_marks, "tokenizer", "without marks", PLACES)


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


cdef int boundary_keys(
    const tw_place* table, Characters text, const Reading* reading, const Boundary* b, WordLexicon lexicon,
    const uint8_t* matches, Values* v, uint64_t* out
) noexcept nogil:
    """Write the keys of all features of a boundary; return how many.

    What the features of a section look at must be written to ``v`` before.
    """
    cdef Ahead ahead = look_ahead(text, b)
    cdef int j, n
    for j in range(4):
        # What stands before the sentence does not count: text may be cut there.
        v.char_before[j] = text.code[b.at - j] if b.at - j >= reading.sentence else 0
        v.kind_before[j] = text.kind[b.at - j] if b.at - j >= reading.sentence else NO_CHARACTER
        v.kind_after[j] = text.kind[b.next_at + j]
    v.kind_of_word, v.kind_of_sentence = text.kind[reading.word], text.kind[reading.sentence]
    v.gap = b.gap
    look_around(text, reading, b, &ahead, v)
    if b.gap >= SPACES_UNPUNCTUATED:
        look_at_sentence(text, reading, b, &ahead, lexicon, v)
        n = put_keys(&between_words, <uint64_t*>v, table, out, 0)
        n = put_keys(&sentences, <uint64_t*>v, table, out, n)
        if matches != NULL and (is_unspaced(v.kind_before[0]) or is_unspaced(v.kind_after[0])):
            look_at_matches(text, reading, b, lexicon, matches, v)
            n = put_keys(&without_marks, <uint64_t*>v, table, out, n)
        return n
    look_at_tokens(text, reading, b, v)
    n = put_keys(&everywhere, <uint64_t*>v, table, out, 0)
    n = put_keys(&window, <uint64_t*>v, table, out, n)
    if b.gap != NONE:
        look_at_sentence(text, reading, b, &ahead, lexicon, v)
        n = put_keys(&sentences, <uint64_t*>v, table, out, n)
        return put_keys(&beginnings, <uint64_t*>v, table, out, n)
    n = put_keys(&without_space, <uint64_t*>v, table, out, n)
    if text.kind[b.next_at] == STOP:
        look_at_stop(text, reading, b, &ahead, lexicon, v)
        n = put_keys(&full_stops, <uint64_t*>v, table, out, n)
    if matches != NULL:
        look_for_words(reading, b, matches, v)
        n = put_keys(&words_of_characters, <uint64_t*>v, table, out, n)
    return n


cdef void look_around(
    Characters text, const Reading* reading, const Boundary* b, const Ahead* ahead, Values* v
) noexcept nogil:
    """Write what most features look at."""
    cdef int j
    for j in range(4):
        v.char_after[j] = text.code[b.next_at + j]
    v.kinds = v.gap << 2 * KIND_BITS | v.kind_before[0] << KIND_BITS | v.kind_after[0]
    v.kinds_before3 = v.kinds << 2 * KIND_BITS | v.kind_before[1] << KIND_BITS | v.kind_before[2]
    v.kinds_before, v.kinds_after = joined(v.kind_before), joined(v.kind_after)
    v.gap_and_kind_after = v.kind_after[0] + (v.gap << 8)
    v.gap_and_kind_after2 = v.kind_after[1] + (v.gap << 8)
    v.chars_before = (v.char_before[1] << 32) + v.char_before[0]
    v.chars_before2 = (v.char_before[2] << 32) + v.char_before[1]
    v.chars_after = (v.char_after[0] << 32) + v.char_after[1]
    v.chars_after_turned = (v.char_after[1] << 32) + v.char_after[0]
    v.char_of_word = text.code[reading.word]
    v.word, v.token, v.rest = reading.word_hash, reading.token_hash, ahead.rest
    v.next_word, v.second_word, v.last_word = ahead.word, ahead.second, reading.last_word
    v.word_length, v.sentence_length = bucket(b.at - reading.word), bucket(reading.words)
    v.next_word_length = bucket(ahead.end - ahead.start)
    v.tokens = reading.words
    v.open_bracket, v.one_token = reading.open > 0, reading.token == reading.word


cdef void look_at_tokens(Characters text, const Reading* reading, const Boundary* b, Values* v) noexcept nogil:
    """Write the token before the place, and what holds the characters together."""
    v.span, v.kind_before_and_after = text.span[b.at], (v.kind_before[0] << 5) + v.kind_after[0]
    v.last_token, v.char_of_token = reading.last_token, text.code[reading.token]
    v.token_length = bucket(b.at - reading.token)
    v.token_lengths = v.token_length + (bucket(reading.last_length) << 8)
    v.gap_and_token_length = v.gap + (v.token_length << 8)
    v.repeated = ((v.char_after[0] == v.char_before[0]) + 2 * (v.char_after[0] == v.char_before[1])
                  + 4 * (v.char_after[1] == v.char_before[0]))


cdef void look_at_sentence(
    Characters text, const Reading* reading, const Boundary* b, const Ahead* ahead, WordLexicon lexicon, Values* v
) noexcept nogil:
    """Write what tells sentences apart: known words, endings, outlines, and how the sentence began."""
    v.known_before, v.known_after = lexicon.of_letters(text, reading.word), lexicon.of_letters(text, b.next_at)
    v.known_second = lexicon.of_letters(text, ahead.end + 1)
    v.beginning = three(v.char_after[0], v.char_after[1], v.char_after[2])
    v.ending = three(v.char_before[2], v.char_before[1], v.char_before[0])
    v.next_ending = 0
    if ahead.end - ahead.start > 2:
        v.next_ending = three(text.code[ahead.end - 3], text.code[ahead.end - 2], text.code[ahead.end - 1])
    v.shape, v.next_shape = shape(text, reading.word, b.at + 1), shape(text, ahead.start, ahead.end)
    v.last_shape = EMPTY
    if reading.before < reading.word:
        v.last_shape = shape(text, reading.before, reading.word - 1)
    v.last_token, v.first_token = reading.last_token, reading.first_token


cdef void look_at_stop(
    Characters text, const Reading* reading, const Boundary* b, const Ahead* ahead, WordLexicon lexicon, Values* v
) noexcept nogil:
    """Write what tells a full stop that belongs to an abbreviation: the word before it, and how the next one begins.

    In text without capitals, a small letter says nothing: what a text lacks is part of these features.
    """
    v.lacking = b.lacking
    v.lacking_and_kind = text.kind[ahead.start] + (v.lacking << 8)
    v.shape, v.known_ahead = shape(text, reading.word, b.at + 1), lexicon.of_letters(text, ahead.start)


cdef void look_for_words(
    const Reading* reading, const Boundary* b, const uint8_t* matches, Values* v
) noexcept nogil:
    """Write which known words end, begin or stand across a place in text without spaces."""
    cdef int ends = 0, begins = longest(matches[b.next_at]), across = 0, length, k
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
    v.words_end, v.words_begin, v.words_across = ends, begins, across
    v.words_begin_and_across = begins + (across << 8)
    v.own_word = (matches[reading.token] >> (length - 1) & 1) + 2 * (matches[reading.token] >> length != 0)
    v.own_length = length


cdef int unmarked_keys(
    const tw_place* table, Characters text, const Reading* reading, const Boundary* b, WordLexicon lexicon,
    const uint8_t* matches, uint64_t* out
) noexcept nogil:
    """Write the keys of the words around a place in text without spaces and punctuation; return how many."""
    cdef Values v
    look_at_matches(text, reading, b, lexicon, matches, &v)
    return put_keys(&without_marks, <uint64_t*>&v, table, out, 0)


cdef void look_at_matches(
    Characters text, const Reading* reading, const Boundary* b, WordLexicon lexicon, const uint8_t* matches, Values* v
) noexcept nogil:
    """Write the words around a place where spaces, if there are any, do not stand between words."""
    cdef Py_ssize_t at = b.next_at, end = at + max(1, longest(matches[at]))
    v.token, v.last_token, v.first_token = reading.token_hash, reading.last_token, reading.first_token
    v.next_match = hash_of(EMPTY, text, at, min(end, text.n))
    v.half_length = bucket(reading.words // 2)
    v.char_before[0] = text.code[b.at]
    v.char_after[0], v.char_after[1], v.char_after[2] = text.code[at], text.code[at + 1], text.code[at + 2]
    v.known_token = lexicon.of_stretch(text, reading.token, b.at + 1)
    v.known_match = lexicon.of_stretch(text, at, end)


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


cdef inline uint64_t joined(const uint64_t* kinds) noexcept nogil:
    return (kinds[3] << 3 * KIND_BITS) + (kinds[2] << 2 * KIND_BITS) + (kinds[1] << KIND_BITS) + kinds[0]


cdef inline uint64_t three(uint64_t first, uint64_t second, uint64_t third) noexcept nogil:
    """Three characters as one number."""
    return (first << 42) + (second << 21) + third


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
