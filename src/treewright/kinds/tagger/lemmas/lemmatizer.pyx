"""Lemmas: those seen in training are remembered, the others guessed by rule.

A rule changes case, beginning and end of a word (lemma_rules.py). For words with tags seen in training, the rule is
remembered. For others a linear model chooses case and affixes, independently of each other, from the word's endings,
beginnings, shape and tag.
"""
from array import array

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy

from treewright.errors import ModelFileError
from treewright.features.folding cimport SCRATCH, TABLE, fold, forth, lower_of, make_tables, put_character
from treewright.learners.learner cimport MAX_CLASSES, MAX_KINDS, Scorer
from treewright.learners.perceptron cimport Perceptron
from treewright.learners.table cimport LinearTable
from treewright.features.feature_table cimport Section
from treewright.learners.text_keys cimport add_number, make_room, number_of
from treewright.kinds.tagger.feature_keys cimport Values, load, put_mixed_keys, tw_turn
from treewright.kinds.tagger.lexicon cimport KnownLemmas, bit_of, key_of
from treewright.kinds.tagger.tags cimport TagCodes, TagSet
from treewright.kinds.tagger.words cimport WordCodes, encode_word, form_code
from treewright.treebank.blocks.memory cimport allocate_zeroed

cdef enum:
    KEEP
    LOWER
    CAPITAL
    UPPER

cdef enum:                   # marks of kept characters: as they are, without accent, with it (lemma_rules.py)
    KEPT = 0xE000
    PLAIN = 0xE100
    ACUTE = 0xE200
    LAST_MARK = 0xE2FF

cdef enum:
    LONGEST_FORM = 512       # bytes; longer forms are their own lemmas
    CANDIDATES = 8           # affixes that are compared by the lemmas that they make
    ROOM = 4096              # bytes for such a lemma

cdef enum:                   # what is known of a lemma
    SAME_POS = 1
    ANY_POS = 2

cdef Section features, lemma_features

load(&features, "lemmatizer", ("word",), True)
load(&lemma_features, "lemmatizer", ("known lemmas",), True)

cdef int32_t* upper_of = NULL
cdef int32_t* plain_of = NULL        # without, with an acute accent
cdef int32_t* acute_of = NULL


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


cdef int make_accents() except -1:
    """Fill the tables of accents, for the rules that need them."""
    global plain_of, acute_of
    cdef int code
    cdef int32_t* without
    cdef int32_t* with_accent
    if acute_of != NULL:
        return 0
    from treewright.kinds.tagger.lemmas.lemma_rules import accent_pairs, accented, plain

    without = <int32_t*>allocate_zeroed(TABLE, sizeof(int32_t))
    with_accent = <int32_t*>allocate_zeroed(TABLE, sizeof(int32_t))
    for code in range(TABLE):
        without[code] = with_accent[code] = code
    for char in accent_pairs():
        without[<int>ord(char)], with_accent[<int>ord(char)] = ord(plain(char)), ord(accented(char))
    plain_of, acute_of = without, with_accent
    return 0


cdef class Lemmatizer:
    """Rules, a memory of words with tags, and a scorer for the rest.

    Invariants: rules in the memory exist; ``write`` needs 2 * length + ``longest`` + 8 bytes at most; the scorer has a
    class for each case and each rule that may be guessed, and two more where lemmas are known.
    """

    def __init__(self, affixes, keys, rules, Scorer scorer, KnownLemmas known=None):
        cdef const uint64_t[::1] every_key = keys
        cdef const uint16_t[::1] every_rule = rules
        cdef int word
        make_upper()
        self.affixes, self.keys, self.rules, self.scorer = list(affixes), keys, rules, scorer
        self.known = known
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
        for word in range(every_key.shape[0]):
            add_number(&self.memory, every_key[word], every_rule[word])

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
            if any(PLAIN <= ord(char) <= LAST_MARK for char in add_start + add_end):
                make_accents()
            self.kept.extend((start, end, lemma))
            self.changes[i].strip_start, self.changes[i].strip_end = strip_start, strip_end
            self.changes[i].add_start, self.changes[i].start_length = start, len(start)
            self.changes[i].add_end, self.changes[i].end_length = end, len(end)
            self.changes[i].whole, self.changes[i].whole_length = lemma, len(lemma)
            self.changes[i].guessed = guessed
            if guessed and self.n_guessed < i:
                raise ValueError("rules that may be guessed must come first")
            self.n_guessed += bool(guessed)
            # Marks of kept characters are three bytes each, and the characters four at most.
            self.longest = max(self.longest, 2 * (len(start) + len(end)), len(lemma))

    cdef int remembered(self, const WordCodes* word, const TagCodes* tag) noexcept nogil:
        """Return the rule of a word with its tag, or -1."""
        return number_of(&self.memory, memory_key(word, tag))

    cdef int guess(
        self, const char* text, int length, const WordCodes* word, const TagCodes* tag, bint first, float* scores,
        uint64_t own
    ) noexcept nogil:
        """Return the best rule for a word; ``own``: the key of a lemma that counts as unknown, in training."""
        cdef uint64_t keys[LEMMA_KEYS]
        cdef float kinds[MAX_KINDS]
        cdef int counts[3]
        cdef int best[CANDIDATES]
        cdef int k, stripped, case = 0, n = 0
        cdef Change* change
        counts[0] = self.keys_of(word, tag, first, keys)
        counts[1] = counts[2] = 0
        self.scorer.score(keys, counts, kinds, scores)
        for k in range(1, N_CASES):
            if scores[k] > scores[case]:
                case = k
        for k in range(self.n_guessed):
            change = &self.changes[k]
            stripped = change.strip_start + change.strip_end
            if stripped == 0 or stripped < word.length or change.whole_length > 0:
                n = insert(best, n, k, scores + N_CASES)
        if n == 0:
            return case
        return case + N_CASES * self.best_known(text, length, case, tag, best, n, scores, own)

    cdef int best_known(
        self, const char* text, int length, int case, const TagCodes* tag, const int* affixes, int n,
        const float* scores, uint64_t own
    ) noexcept nogil:
        """Return the best of some affixes, the best by their own score first: known lemmas may score higher."""
        cdef int k, best = 0, known
        cdef float score, highest = 0
        if self.known is None:
            return affixes[0]
        for k in range(n):
            score = scores[N_CASES + affixes[k]]
            known = self.known_bits(text, length, case + N_CASES * affixes[k], tag, own)
            if known & SAME_POS:
                score += scores[N_CASES + self.n_guessed]
            if known & ANY_POS:
                score += scores[N_CASES + self.n_guessed + 1]
            if k == 0 or score > highest:
                best, highest = k, score
        return affixes[best]

    cdef int known_bits(
        self, const char* text, int length, int rule, const TagCodes* tag, uint64_t own
    ) noexcept nogil:
        """Say whether the lemma that a rule makes is known: with the tag's part of speech, with any."""
        cdef char lemma[ROOM]
        cdef char lower[SCRATCH]
        cdef int n
        cdef uint32_t mask
        if self.known is None or 2 * length + self.longest + 8 > ROOM:
            return 0
        n = fold(lemma, self.write(text, length, rule, lemma), lower, False)
        if own != 0 and key_of(lower, n) == own:
            return 0
        mask = self.known.mask_of(lower, n)
        return (SAME_POS if mask & bit_of(tag.pos) else 0) | (ANY_POS if mask != 0 else 0)

    cdef int keys_of(self, const WordCodes* word, const TagCodes* tag, bint first, uint64_t* out) noexcept nogil:
        """Write the keys of features that tell the rule of a word with its tag; return how many."""
        cdef Values values
        cdef int n
        values.tag, values.whole_tag = tag.coarse, tag.whole
        values.tag_and_ending = tag.coarse + tw_turn(word.suffix[2], 11)
        values.initial_shape = word.shape + 1 + first
        n = put_mixed_keys(&features, word, &values, &self.place, out)
        if self.known is not None:
            n += put_mixed_keys(&lemma_features, word, &values, &self.place, out + n)
        return n

    cdef int write(self, const char* form, int length, int rule, char* out) noexcept nogil:
        """Write the lemma to ``out``, which has room for 2 * length + longest + 8 bytes; return its length."""
        cdef Change* change = &self.changes[rule // N_CASES]
        cdef int case = rule % N_CASES, n = 0, characters = 0, k = 0, first = 0, end, stripped
        cdef short places[LONGEST_FORM + 1]
        if change.whole_length:
            memcpy(out, change.whole, change.whole_length)
            return change.whole_length
        if length > LONGEST_FORM:
            memcpy(out, form, length)
            return length
        places[0] = 0
        while places[characters] < length:
            places[characters + 1] = <short>forth(form, places[characters], length)
            characters += 1
        end, stripped = characters, change.strip_start + change.strip_end
        if stripped > characters or (stripped == characters and change.start_length + change.end_length == 0):
            change = NULL
        if change != NULL:
            first, end = change.strip_start, characters - change.strip_end
            n = put_affix(form, places, 0, first, case, change.add_start, change.start_length, out)
        for k in range(first, end):
            n += put_cased(form + places[k], places[k + 1] - places[k], case, k == 0, out + n)
        if change != NULL:
            n += put_affix(form, places, end, characters, case, change.add_end, change.end_length, out + n)
        return n

    def lemma(self, form, int case, int number):
        """Return the lemma that a rule makes of a form."""
        cdef bytes raw = form.encode()
        cdef bytearray out = bytearray(2 * len(raw) + self.longest + 8)
        if not (0 <= case < N_CASES and 0 <= number < self.n_affixes):
            raise IndexError("unknown rule")
        length = self.write(raw, len(raw), case + N_CASES * number, out)
        return bytes(out[:length]).decode()


cdef int insert(int* best, int n, int number, const float* scores) noexcept nogil:
    """Insert a number into a list of at most CANDIDATES, highest score first; return how many there are now."""
    cdef int at = n
    while at > 0 and scores[number] > scores[best[at - 1]]:
        if at < CANDIDATES:
            best[at] = best[at - 1]
        at -= 1
    if at < CANDIDATES:
        best[at] = number
        return n + 1 if n < CANDIDATES else n
    return n


cdef int put_affix(
    const char* form, const short* places, int first, int end, int case, const char* text, int length, char* out
) noexcept nogil:
    """Write what replaces the characters first .. end of a form: a mark stands for one of them; return its length."""
    cdef int at = 0, n = 0, size, which, code
    while at < length:
        size = forth(text, at, length) - at
        code = code_at(text + at, size)
        which = first + (code & 0xFF)
        if KEPT <= code <= LAST_MARK and which < end:
            n += put_kept(form + places[which], places[which + 1] - places[which], case, which == 0, code, out + n)
        else:
            memcpy(out + n, text + at, size)
            n += size
        at += size
    return n


cdef int put_kept(const char* text, int size, int case, bint first, int mark, char* out) noexcept nogil:
    """Write a character that a rule keeps, its accent changed as the mark says; return how many bytes it takes."""
    cdef int n = put_cased(text, size, case, first, out), code = code_at(out, n), changed = code
    if code < TABLE and mark >= PLAIN:
        changed = plain_of[code] if mark < ACUTE else acute_of[code]
    return put_character(out, changed) if changed != code else n


cdef inline int code_at(const char* text, int size) noexcept nogil:
    """Return the code of a character of up to three bytes; TABLE stands for longer ones."""
    cdef int code = <uint8_t>text[0]
    if size == 2:
        return (code & 0x1F) << 6 | (<uint8_t>text[1] & 0x3F)
    if size == 3:
        return (code & 0x0F) << 12 | (<uint8_t>text[1] & 0x3F) << 6 | (<uint8_t>text[2] & 0x3F)
    return code if size == 1 else TABLE


cdef int put_cased(const char* text, int size, int case, bint first, char* out) noexcept nogil:
    """Write a character in the requested case; return how many bytes it takes."""
    cdef int code = code_at(text, size), changed = code
    if case != KEEP and code < TABLE:
        changed = upper_of[code] if case == UPPER or (case == CAPITAL and first) else lower_of[code]
    if changed == code:
        memcpy(out, text, size)
        return size
    return put_character(out, changed)


def memory_keys(forms, TagSet tags, pairs):
    """Return the keys of the memory for pairs (number of a form, number of a tag)."""
    cdef WordCodes codes
    cdef bytes raw
    cdef int tag
    keys = array("Q")
    for form, tag in pairs:
        raw = forms[form].encode("utf-8", "surrogateescape")
        codes.form = form_code(raw, len(raw))
        keys.append(memory_key(&codes, &tags.codes[tag]))
    return keys


def learn(Lemmatizer lemmatizer, Perceptron learner, TagSet tags, examples):
    """Go once over examples (form, own lemma, tag, first in its sentence, case, affixes); count the mistakes.

    ``own``: the key of the lemma if no other form has it, else 0.
    """
    cdef WordCodes codes
    cdef uint64_t keys[LEMMA_KEYS]
    cdef float scores[MAX_CLASSES + 64]
    cdef int n, tag, case, number, rule, good, bad, mistakes = 0
    cdef bint first
    cdef bytes form
    cdef uint64_t own
    for form, own, tag, first, case, number in examples:
        encode_word(form, len(form), lemmatizer.known is not None, &codes)
        rule = lemmatizer.guess(form, len(form), &codes, &tags.codes[tag], first, scores, own)
        if rule != case + N_CASES * number:
            mistakes += 1
            n = lemmatizer.keys_of(&codes, &tags.codes[tag], first, keys)
            update(learner, keys, n, case, rule % N_CASES)
            update(learner, keys, n, N_CASES + number, N_CASES + rule // N_CASES)
            good = lemmatizer.known_bits(form, len(form), case + N_CASES * number, &tags.codes[tag], own)
            bad = lemmatizer.known_bits(form, len(form), rule, &tags.codes[tag], own)
            shift(learner, keys, n, N_CASES + lemmatizer.n_guessed, (good & SAME_POS) - (bad & SAME_POS))
            shift(learner, keys, n, N_CASES + lemmatizer.n_guessed + 1, (good & ANY_POS) - (bad & ANY_POS))
        learner.advance()
    return mistakes


def guesses(Lemmatizer lemmatizer, TagSet tags, examples):
    """Return the guessed rule of each example."""
    cdef WordCodes codes
    cdef float scores[MAX_CLASSES + 64]
    cdef int tag
    cdef bint first
    cdef bytes form
    found = array("i")
    for form, _, tag, first, _, _ in examples:
        encode_word(form, len(form), lemmatizer.known is not None, &codes)
        found.append(lemmatizer.guess(form, len(form), &codes, &tags.codes[tag], first, scores, 0))
    return found


cdef int update(Perceptron learner, const uint64_t* keys, int n, int good, int bad) except -1:
    if good != bad:
        shift(learner, keys, n, good, 1)
        shift(learner, keys, n, bad, -1)
    return 0


cdef int shift(Perceptron learner, const uint64_t* keys, int n, int number, int direction) except -1:
    """Move the weights of features for a class up or down by one."""
    cdef int i, step = (direction > 0) - (direction < 0)
    cdef int32_t feature
    cdef float late = <float>learner.time * step
    for i in range(n if step else 0):
        feature = learner.find_or_add(keys[i])
        if feature >= 0:
            learner.add_to_class(feature, number, step, late)
    return 0
