"""Lemmas: those seen in training are remembered, the others guessed by rule.

A rule changes case, beginning and end of a word (lemma_rules.py). For words with tags seen in training, the rule is
remembered. For others a linear model chooses case and affixes, independently of each other, from the word's endings,
beginnings, shape and tag.
"""
from array import array

from libc.stdint cimport int32_t, uint8_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from treewright.errors import ModelFileError
from treewright.features.folding cimport TABLE, forth, lower_of, make_tables, put_character
from treewright.learners.learner cimport MAX_CLASSES, MAX_KINDS, Scorer
from treewright.learners.perceptron cimport Perceptron
from treewright.learners.table cimport LinearTable
from treewright.text.key_numbers cimport add_number, make_room, number_of
from treewright.text.tagger.tags cimport TagCodes, TagSet
from treewright.text.tagger.words cimport WordCodes, encode_word
from treewright.treebank.memory cimport allocate_zeroed

cdef extern from "join.h" nogil:
    uint64_t tw_turn(uint64_t x, int by)
    uint64_t tw_ask(const tw_place* p, uint64_t key)

cdef enum:
    KEEP
    LOWER
    CAPITAL
    UPPER

cdef enum:
    LONGEST_FORM = 512       # bytes; longer forms are their own lemmas

cdef int32_t* upper_of = NULL


cdef int make_upper() except -1:
    """Fill the table from lower to upper case, for characters that map back."""
    global upper_of
    cdef int code
    cdef int32_t* table
    make_tables()
    if upper_of != NULL:
        return 0
    table = <int32_t*>allocate_zeroed(TABLE, sizeof(int32_t))
    for code in range(TABLE):
        table[code] = code
    for code in range(TABLE - 1, -1, -1):
        if lower_of[code] != code and lower_of[code] < TABLE and chr(lower_of[code]).upper() == chr(code):
            table[lower_of[code]] = code
    upper_of = table
    return 0


cdef class Lemmatizer:
    """Rules, a memory of words with tags, and a scorer for the rest."""

    def __init__(self, affixes, keys, rules, Scorer scorer):
        make_upper()
        self.affixes, self.keys, self.rules, self.scorer = list(affixes), keys, rules, scorer
        self.n_affixes = len(self.affixes)
        self.place.lines = NULL
        self.place.n_lines = 0
        if isinstance(scorer, LinearTable):
            self.place = (<LinearTable>scorer).place
        try:
            self._take_affixes()
        except (TypeError, ValueError, AttributeError, OverflowError) as error:
            raise ModelFileError(f"the model is damaged: its lemma rules cannot be read ({error})") from None
        if (
            len(keys) != len(rules) or max(rules, default=0) >= N_CASES * max(self.n_affixes, 1)
            or not 0 < self.n_affixes <= MAX_CLASSES - N_CASES
        ):
            raise ModelFileError("the model is damaged: its lemmas are inconsistent")
        make_room(&self.memory, len(keys))
        for key, rule in zip(keys, rules):
            add_number(&self.memory, key, rule)

    def __dealloc__(self):
        free(self.changes)
        free(self.memory.slots)

    def _take_affixes(self):
        cdef int i
        cdef bytes start, end, lemma
        self.kept = []
        self.changes = <Change*>allocate_zeroed(self.n_affixes + 1, sizeof(Change))
        for i, (strip_start, add_start, strip_end, add_end, whole, guessed) in enumerate(self.affixes):
            start, end, lemma = add_start.encode(), add_end.encode(), whole.encode()
            if strip_start < 0 or strip_end < 0 or any(c in text for text in (start, end, lemma) for c in b"\t\n\r"):
                raise ValueError("a rule is out of range")
            self.kept.extend((start, end, lemma))
            self.changes[i].strip_start, self.changes[i].strip_end = strip_start, strip_end
            self.changes[i].add_start, self.changes[i].start_length = start, len(start)
            self.changes[i].add_end, self.changes[i].end_length = end, len(end)
            self.changes[i].whole, self.changes[i].whole_length = lemma, len(lemma)
            self.changes[i].guessed = guessed
            if guessed and self.n_guessed < i:
                raise ValueError("rules that may be guessed must come first")
            self.n_guessed += bool(guessed)
            self.longest = max(self.longest, len(start) + len(end), len(lemma))

    cdef int remembered(self, const WordCodes* word, const TagCodes* tag) noexcept nogil:
        """Return the rule of a word with its tag, or -1."""
        return number_of(&self.memory, memory_key(word, tag))

    cdef int guess(self, const WordCodes* word, const TagCodes* tag, bint first, int length,
                   float* scores) noexcept nogil:
        """Return the best rule for a word of ``length`` characters."""
        cdef uint64_t keys[LEMMA_KEYS]
        cdef float kinds[MAX_KINDS]
        cdef int counts[3]
        cdef int k, stripped, case = 0, best = -1
        cdef Change* change
        counts[0] = self.keys_of(word, tag, first, keys)
        counts[1] = counts[2] = 0
        self.scorer.score(keys, counts, kinds, scores)
        for k in range(1, N_CASES):
            if scores[k] > scores[case]:
                case = k
        for k in range(self.n_affixes):
            change = &self.changes[k]
            if not change.guessed:
                break
            stripped = change.strip_start + change.strip_end
            if stripped > 0 and stripped >= length and change.whole_length == 0:
                continue
            if best < 0 or scores[N_CASES + k] > scores[N_CASES + best]:
                best = k
        return case + N_CASES * max(best, 0)

    cdef int keys_of(self, const WordCodes* word, const TagCodes* tag, bint first, uint64_t* out) noexcept nogil:
        cdef int n = 0, k
        cdef uint64_t c = tag.coarse
        n = put(&self.place, out, n, 1, c, 0)
        for k in range(5):
            n = put(&self.place, out, n, 2 + k, c, word.suffix[k])
        for k in range(4):
            n = put(&self.place, out, n, 7 + k, c, word.prefix[k])
        n = put(&self.place, out, n, 12, c, word.shape)
        n = put(&self.place, out, n, 13, c, word.shape + 1 + first)
        n = put(&self.place, out, n, 14, tag.whole, word.suffix[0])
        n = put(&self.place, out, n, 15, tag.whole, word.suffix[1])
        n = put(&self.place, out, n, 16, tag.whole, word.suffix[2])
        n = put(&self.place, out, n, 17, word.lower, 0)
        n = put(&self.place, out, n, 18, word.lower, c)
        n = put(&self.place, out, n, 19, word.suffix[2], word.shape)
        n = put(&self.place, out, n, 20, word.suffix[4], 0)
        n = put(&self.place, out, n, 21, tag.whole, word.shape)
        n = put(&self.place, out, n, 22, c + tw_turn(word.suffix[2], 11), word.prefix[0])
        return n

    cdef int write(self, const char* form, int length, int rule, char* out) noexcept nogil:
        """Write the lemma to ``out``, which has room for 2 * length + longest + 8 bytes; return its length."""
        cdef Change* change = &self.changes[rule // N_CASES]
        cdef int case = rule % N_CASES, n = 0, at = 0, characters = 0, k = 0, size
        if change.whole_length:
            memcpy(out, change.whole, change.whole_length)
            return change.whole_length
        if length > LONGEST_FORM:
            memcpy(out, form, length)
            return length
        while at < length:
            at = forth(form, at, length)
            characters += 1
        if change.strip_start + change.strip_end > characters or (
            change.strip_start + change.strip_end == characters and change.start_length + change.end_length == 0
        ):
            change = NULL
        if change != NULL:
            memcpy(out, change.add_start, change.start_length)
            n = change.start_length
        at = 0
        while at < length:
            size = forth(form, at, length) - at
            if change == NULL or change.strip_start <= k < characters - change.strip_end:
                n += put_cased(form + at, size, case, k == 0, out + n)
            at += size
            k += 1
        if change != NULL:
            memcpy(out + n, change.add_end, change.end_length)
            n += change.end_length
        return n

    def lemma(self, form, int case, int number):
        """Return the lemma that a rule makes of a form."""
        cdef bytes raw = form.encode()
        cdef bytearray out = bytearray(2 * len(raw) + self.longest + 8)
        if not (0 <= case < N_CASES and 0 <= number < self.n_affixes):
            raise IndexError("unknown rule")
        length = self.write(raw, len(raw), case + N_CASES * number, out)
        return bytes(out[:length]).decode()


cdef int put_cased(const char* text, int size, int case, bint first, char* out) noexcept nogil:
    """Write a character in the requested case; return how many bytes it takes."""
    cdef int code = <uint8_t>text[0], changed
    if size == 2:
        code = (code & 0x1F) << 6 | (<uint8_t>text[1] & 0x3F)
    elif size == 3:
        code = (code & 0x0F) << 12 | (<uint8_t>text[1] & 0x3F) << 6 | (<uint8_t>text[2] & 0x3F)
    elif size > 3:
        code = TABLE
    changed = code
    if case != KEEP and code < TABLE:
        changed = upper_of[code] if case == UPPER or (case == CAPITAL and first) else lower_of[code]
    if changed == code:
        memcpy(out, text, size)
        return size
    return put_character(out, changed)


cdef inline int put(const tw_place* place, uint64_t* out, int n, int template, uint64_t a, uint64_t b) noexcept nogil:
    out[n] = tw_ask(place, <uint64_t>template * 0x9E3779B97F4A7C15ULL + a + tw_turn(b, 17))
    return n + 1


def memory_keys(forms, TagSet tags, pairs):
    """Return the keys of the memory for pairs (number of a form, number of a tag)."""
    cdef WordCodes codes
    cdef bytes raw
    cdef int tag
    keys = array("Q")
    for form, tag in pairs:
        raw = forms[form].encode("utf-8", "surrogateescape")
        encode_word(raw, len(raw), &codes)
        keys.append(memory_key(&codes, &tags.codes[tag]))
    return keys


def learn(Lemmatizer lemmatizer, Perceptron learner, TagSet tags, examples):
    """Go once over examples (form, characters, tag, first in its sentence, case, affixes); count the mistakes."""
    cdef WordCodes codes
    cdef uint64_t keys[LEMMA_KEYS]
    cdef float scores[MAX_CLASSES + 64]
    cdef int n, tag, length, case, number, rule, mistakes = 0
    cdef bint first
    cdef bytes form
    for form, length, tag, first, case, number in examples:
        encode_word(form, len(form), &codes)
        rule = lemmatizer.guess(&codes, &tags.codes[tag], first, length, scores)
        if rule != case + N_CASES * number:
            mistakes += 1
            n = lemmatizer.keys_of(&codes, &tags.codes[tag], first, keys)
            update(learner, keys, n, case, rule % N_CASES)
            update(learner, keys, n, N_CASES + number, N_CASES + rule // N_CASES)
        learner.advance()
    return mistakes


def guesses(Lemmatizer lemmatizer, TagSet tags, examples):
    """Return the guessed rule of each example."""
    cdef WordCodes codes
    cdef float scores[MAX_CLASSES + 64]
    cdef int tag, length
    cdef bint first
    cdef bytes form
    found = array("i")
    for form, length, tag, first, _, _ in examples:
        encode_word(form, len(form), &codes)
        found.append(lemmatizer.guess(&codes, &tags.codes[tag], first, length, scores))
    return found


cdef int update(Perceptron learner, const uint64_t* keys, int n, int good, int bad) except -1:
    cdef int i
    cdef int32_t feature
    cdef float late = <float>learner.time
    if good == bad:
        return 0
    for i in range(n):
        feature = learner.find_or_add(keys[i])
        if feature >= 0:
            learner.add_to_class(feature, good, 1, late)
            learner.add_to_class(feature, bad, -1, -late)
    return 0
