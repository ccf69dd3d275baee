"""Lemmas: those seen in training are remembered, the others guessed by rule.

A rule changes case, beginning and end of a word (lemma_rules.py). For words with tags seen in training, the rule is
remembered; and for words with their UPOS, in case FEATS differ. For others a linear model chooses case and affixes,
independently of each other, from the word's endings, beginnings, shape and tag. Affixes are only stripped where
training stripped the same letters, and lemmas that are known words are preferred.
"""
from array import array

from libc.stdint cimport int32_t, uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memcpy

from treewright.errors import ModelFileError
from treewright.features.folding cimport (
    LONGEST, SCRATCH, TABLE, back, fold, forth, lower_of, make_tables, put_character,
)
from treewright.learners.learner cimport MAX_CLASSES, MAX_KINDS, Scorer
from treewright.learners.perceptron cimport Perceptron
from treewright.learners.table cimport LinearTable
from treewright.features.feature_table cimport Section
from treewright.learners.text_keys cimport add_number, make_room, number_of
from treewright.kinds.tagger.feature_keys cimport Values, load, put_mixed_keys, tw_turn
from treewright.features.word_clusters cimport WordClusters
from treewright.kinds.tagger.lexicon cimport KnownLemmas, Lexicon, bit_of, key_of
from treewright.kinds.tagger.tags cimport TagCodes, TagSet
from treewright.kinds.tagger.words cimport WordCodes, encode_word, form_code, shape_of
from treewright.treebank.blocks.memory cimport allocate_zeroed

cdef extern from "text_hash.h" nogil:
    uint64_t tw_hash(const char* text, int n, uint64_t seed)
    uint64_t tw_mix(uint64_t a, uint64_t b)

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
    SURE = 215               # what a lemma that nothing is known of must lead by, with what its share makes of SHARED
    FEW_LEMMAS = 9000        # that training saw; the more, the rarer such lemmas are, and the less they must lead by
    SHARED = 200
    LETTERS_SHARED = 5       # at most: words that end like another in so many letters
    MARGIN = 60              # lead that the right lemma must have in training
    SHORTEST_CUT = 3         # bytes of a known lemma that a word is cut to
    CANDIDATES = 12          # affixes that are compared by the lemmas that they make
    ROOM = 4096              # bytes for such a lemma

cdef enum:                   # what is known of a lemma
    SAME_POS = 1
    ANY_POS = 2
    WORD = 4                 # as a word of the treebank or of raw text; the form itself says nothing

cdef enum:                   # what stands for a stripped character where it is not the character
    KEPT_ONE = 1
    DOUBLED = 2              # the same as the one before: "running", "sitting"

cdef uint64_t ENDING_SEED = 0x656E64696E67ULL

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
    class for each case and each rule that may be guessed, and ``n_known`` more for what is known of a lemma.
    """

    def __init__(self, affixes, keys, rules, Scorer scorer, KnownLemmas known=None, endings=None,
                 times=None, Lexicon lexicon=None, WordClusters clusters=None):
        """``endings``: keys of what rules may strip, None: anything; and of endings of words, alone and with a rule.

        ``times``: of how many words each of them was seen. Lexicon and clusters tell what is a word.
        """
        cdef const uint64_t[::1] every_key = keys
        cdef const uint16_t[::1] every_rule = rules
        cdef int word
        make_upper()
        self.affixes, self.keys, self.rules, self.scorer = list(affixes), keys, rules, scorer
        self.known, self.endings, self.times, self.lexicon, self.clusters = known, endings, times, lexicon, clusters
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
        if endings is not None:
            make_room(&self.allowed, len(endings))
            for key, count in zip(endings, times, strict=True):
                add_number(&self.allowed, key, count)
        self.n_known = scorer.n_classes - N_CASES - self.n_guessed
        self.sure = SURE * min(1.0, <float>FEW_LEMMAS / max(1, len(known or ())))

    def __dealloc__(self):
        free(self.changes)
        free(self.allowed.slots)
        free(self.memory.slots)

    def _take_affixes(self):
        cdef int i
        cdef bytes start, end, lemma
        self.kept = []
        for i in range(LONGEST_CUT + 1):
            self.cuts[i] = 0 if i == 0 else -1
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
            if strip_start == 0 and strip_end <= LONGEST_CUT and not start and not end and not lemma:
                self.cuts[strip_end] = i
            self.changes[i].code = tw_hash(start, len(start), tw_hash(end, len(end), 64 * strip_start + strip_end))
            self.changes[i].kept_start, self.changes[i].adds_start = kept_characters(add_start)
            self.changes[i].kept_end, self.changes[i].adds_end = kept_characters(add_end)
            if guessed and self.n_guessed < i:
                raise ValueError("rules that may be guessed must come first")
            self.n_guessed += bool(guessed)
            # Marks of kept characters are three bytes each, and the characters four at most.
            self.longest = max(self.longest, 2 * (len(start) + len(end)), len(lemma))

    cdef int remembered(self, const char* text, int length, const TagCodes* tag) noexcept nogil:
        """Return the rule of a form with its tag, or with its UPOS, or of its lower case with its UPOS; else -1."""
        cdef char lower[SCRATCH]
        cdef uint64_t form = form_code(text, length), small
        cdef int rule = number_of(&self.memory, memory_key(form, tag.whole))
        if rule >= 0 or self.endings is None:
            return rule
        rule = number_of(&self.memory, memory_key(form, tag.upos))
        if rule >= 0:
            return rule
        small = form_code(lower, fold(text, length, lower, False))
        rule = number_of(&self.memory, memory_key(small, tag.upos)) if small != form else -1
        return rule + LOWER if rule >= 0 and rule % N_CASES == KEEP else rule

    cdef int guess(
        self, const char* text, int length, const WordCodes* word, const TagCodes* tag, bint first, float* scores
    ) noexcept nogil:
        """Return the rule for a word: a lemma that nothing is known of must lead by far, or be like most of its kind.

        Else the word is cut to a known lemma that it begins with, or stays as it is.
        """
        cdef Choice choice
        cdef int rule = self.highest(text, length, word, tag, first, scores, 0, &choice)
        cdef Change* change = &self.changes[rule // N_CASES]
        if self.endings is None or choice.known or is_nothing(change) or change.whole_length:
            return rule
        if choice.lead + SHARED * self.share(word, tag, change) >= self.sure:
            return rule
        return rule % N_CASES + N_CASES * self.cut_to_known(text, length, tag)

    cdef float share(self, const WordCodes* word, const TagCodes* tag, const Change* change) noexcept nogil:
        """Return the share of a rule among the words of training that end like this one, in as many letters as any."""
        cdef int k, n, own
        for k in range(LETTERS_SHARED - 1, -1, -1):
            n = number_of(&self.allowed, like_key(word, tag, k, NULL))
            if n > 0:
                own = number_of(&self.allowed, like_key(word, tag, k, change))
                return <float>max(own, 0) / n
        return 0

    cdef int cut_to_known(self, const char* text, int length, const TagCodes* tag) noexcept nogil:
        """Return the affixes that leave the longest known lemma of the part of speech; those that leave all if none."""
        cdef char lower[SCRATCH]
        cdef int n = fold(text, length, lower, False), end = n, cut
        for cut in range(1, LONGEST_CUT + 1):
            end = back(lower, end)
            if end < SHORTEST_CUT:
                break
            if self.cuts[cut] >= 0 and self.known.mask_of(lower, end) & bit_of(tag.pos):
                return self.cuts[cut]
        return self.cuts[0]

    cdef int highest(
        self, const char* text, int length, const WordCodes* word, const TagCodes* tag, bint first, float* scores,
        uint64_t own, Choice* choice
    ) noexcept nogil:
        """Return the rule with the highest score; ``own``: the key of a lemma that counts as unknown, in training."""
        cdef uint64_t keys[LEMMA_KEYS]
        cdef float kinds[MAX_KINDS]
        cdef int counts[3]
        cdef int best[CANDIDATES]
        cdef int k, stripped, case = 0, n = 0, characters = -1, n_lower
        cdef char lower[SCRATCH]
        cdef short places[LONGEST_FORM + 1]
        cdef Change* change
        if length <= LONGEST and self.endings is not None:
            n_lower = fold(text, length, lower, False)
            characters = places[0] = 0
            while places[characters] < n_lower:
                places[characters + 1] = <short>forth(lower, places[characters], n_lower)
                characters += 1
        choice.known, choice.second, choice.lead = 0, -1, 1e30
        counts[0] = self.keys_of(word, tag, first, keys)
        counts[1] = counts[2] = 0
        self.scorer.score(keys, counts, kinds, scores)
        for k in range(1, N_CASES):
            if scores[k] > scores[case]:
                case = k
        for k in range(self.n_guessed):
            change = &self.changes[k]
            stripped = change.strip_start + change.strip_end
            if n == CANDIDATES and scores[N_CASES + k] <= scores[N_CASES + best[n - 1]]:
                continue
            if change.whole_length == 0 and characters >= 0 and not self.fits(change, lower, places, characters):
                continue
            if stripped == 0 or stripped < word.length or change.whole_length > 0:
                n = insert(best, n, k, scores + N_CASES)
        if n == 0:
            return case
        return case + N_CASES * self.best_known(text, length, case, tag, best, n, scores, own, choice)

    cdef bint fits(
        self, const Change* change, const char* lower, const short* places, int characters
    ) noexcept nogil:
        """Did training strip these letters by this rule?"""
        if change.strip_start + change.strip_end > characters:
            return False
        return is_nothing(change) or number_of(&self.allowed, ending_key(change, lower, places, characters)) >= 0

    cdef int best_known(
        self, const char* text, int length, int case, const TagCodes* tag, const int* affixes, int n,
        const float* scores, uint64_t own, Choice* choice
    ) noexcept nogil:
        """Return the best of some affixes, the best by their own score first: known lemmas may score higher."""
        cdef int k, best = 0, known
        cdef float score, highest = 0, second = -1e30
        if self.known is None:
            return affixes[0]
        for k in range(n):
            score = scores[N_CASES + affixes[k]]
            known = self.known_bits(text, length, case + N_CASES * affixes[k], tag, own)
            if known & SAME_POS:
                score += scores[N_CASES + self.n_guessed]
            if known & ANY_POS:
                score += scores[N_CASES + self.n_guessed + 1]
            if known & WORD and self.n_known > 2:
                score += scores[N_CASES + self.n_guessed + 2]
            if k == 0 or score > highest:
                if k:
                    second, choice.second = highest, affixes[best]
                best, highest, choice.known = k, score, known
            elif score > second:
                second, choice.second = score, affixes[k]
        choice.lead = highest - second
        return affixes[best]

    cdef int known_bits(
        self, const char* text, int length, int rule, const TagCodes* tag, uint64_t own
    ) noexcept nogil:
        """Say whether the lemma that a rule makes is known: with the tag's part of speech, with any."""
        cdef char lemma[ROOM]
        cdef char lower[SCRATCH]
        cdef int n, size, found
        cdef uint32_t mask
        if self.known is None or 2 * length + self.longest + 8 > ROOM:
            return 0
        n = fold(lemma, self.write(text, length, rule, lemma), lower, False)
        if own != 0 and key_of(lower, n) == own:
            return 0
        mask = self.known.mask_of(lower, n)
        found = (SAME_POS if mask & bit_of(tag.pos) else 0) | (ANY_POS if mask != 0 else 0)
        if self.n_known > 2 and self.is_word(lower, n):
            size = fold(text, length, lemma, False)
            return found if n == size and memcmp(lower, lemma, n) == 0 else found | WORD
        return found

    cdef bint is_word(self, const char* lower, int n) noexcept nogil:
        """Is a lemma in lower case a word of the treebank or of raw text?"""
        cdef int32_t entry = -1
        cdef uint64_t ambiguity
        if self.lexicon is not None:
            self.lexicon.look_up(form_code(lower, n), &entry, &ambiguity)
        return entry >= 0 or (self.clusters is not None and self.clusters.cluster_of(lower, n) >= 0)

    cdef int keys_of(self, const WordCodes* word, const TagCodes* tag, bint first, uint64_t* out) noexcept nogil:
        """Write the keys of features that tell the rule of a word with its tag; return how many."""
        cdef Values values
        cdef int n
        values.tag, values.whole_tag = tag.coarse, tag.whole
        values.tag_and_ending = tag.coarse + tw_turn(word.suffix[2], 11)
        values.initial_shape = shape_of(word, first) + 1
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


def kept_characters(text):
    """Return a bit for each stripped character that added text keeps, and whether it adds others."""
    places = [ord(char) & 0xFF for char in text if KEPT <= ord(char) <= LAST_MARK]
    return sum(1 << place for place in {*places} if place < 64), len(places) < len(text)


cdef inline bint is_nothing(const Change* change) noexcept nogil:
    return change.strip_start + change.strip_end + change.start_length + change.end_length == 0


cdef uint64_t ending_key(const Change* change, const char* lower, const short* places, int characters) noexcept nogil:
    """Return the key of what a rule strips from a word: the letters that it does not keep, and how short the rest is.

    Where it adds letters and strips none, the letters beside them count: "Nov" may become "November", "Cat" may not.
    """
    cdef uint64_t key = change.code
    cdef int k, end = characters - change.strip_end, rest = end - change.strip_start
    for k in range(change.strip_start):
        key = tw_mix(key, stripped_letter(lower, places, k, k, change.kept_start))
    for k in range(end, characters):
        key = tw_mix(key, stripped_letter(lower, places, k, k - end, change.kept_end))
    if change.adds_start and change.kept_start + 1 == (<uint64_t>1 << min(change.strip_start, 63)):
        key = tw_mix(key, letters(lower, places, change.strip_start, min(change.strip_start + 2, end)))
    if change.adds_end and change.kept_end + 1 == (<uint64_t>1 << min(change.strip_end, 63)):
        key = tw_mix(key, letters(lower, places, max(end - 2, change.strip_start), end))
    key = tw_mix(key, ENDING_SEED + min(rest, 3))
    return key if key != 0 else 1


cdef inline uint64_t like_key(
    const WordCodes* word, const TagCodes* tag, int k, const Change* change
) noexcept nogil:
    """Return the key of the last k + 1 letters of a word with its UPOS, alone or with a rule."""
    cdef uint64_t key = tw_mix(tw_mix(word.suffix[k], tag.upos), change.code if change != NULL else ENDING_SEED)
    return key if key != 0 else 1


cdef inline uint64_t stripped_letter(
    const char* lower, const short* places, int k, int number, uint64_t kept
) noexcept nogil:
    """Return what stands for the k-th character of a word, the one of that number among those that are stripped."""
    cdef int size = places[k + 1] - places[k]
    if number < 64 and kept >> number & 1:
        return KEPT_ONE
    if k > 0 and number == 0 and size == places[k] - places[k - 1]:
        if memcmp(lower + places[k], lower + places[k - 1], size) == 0:
            return DOUBLED
    return letters(lower, places, k, k + 1)


cdef inline uint64_t letters(const char* lower, const short* places, int first, int end) noexcept nogil:
    return tw_hash(lower + places[first], places[end] - places[first], ENDING_SEED)


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
    """Return the keys of the memory for pairs (number of a form, number of a tag): with the tag, and with its UPOS."""
    cdef bytes raw
    cdef int tag
    cdef uint64_t code
    keys, wider = array("Q"), array("Q")
    for form, tag in pairs:
        raw = forms[form].encode("utf-8", "surrogateescape")
        code = form_code(raw, len(raw))
        keys.append(memory_key(code, tags.codes[tag].whole))
        wider.append(memory_key(code, tags.codes[tag].upos))
    return keys, wider


def ending_keys(Lemmatizer lemmatizer, examples):
    """Return the keys of what the rules of examples strip, 0 for rules that strip nothing and add nothing."""
    cdef char lower[SCRATCH]
    cdef short places[LONGEST_FORM + 1]
    cdef bytes form
    cdef int number, n, characters
    cdef Change* change
    found = array("Q")
    for form, _, _, _, _, number in examples:
        change = &lemmatizer.changes[number]
        if len(form) > LONGEST or is_nothing(change) or change.whole_length:
            found.append(0)
            continue
        n = fold(form, len(form), lower, False)
        characters = places[0] = 0
        while places[characters] < n:
            places[characters + 1] = <short>forth(lower, places[characters], n)
            characters += 1
        fits = change.strip_start + change.strip_end <= characters
        found.append(ending_key(change, lower, places, characters) if fits else 0)
    return found


def like_keys(Lemmatizer lemmatizer, TagSet tags, examples):
    """Return the keys of the endings of each example, shortest first: with its UPOS alone, and with its rule, too.

    An ending is shorter than the word. Rules that are lemmas have no keys of their own.
    """
    cdef WordCodes codes
    cdef bytes form
    cdef int tag, number, k
    cdef Change* change
    found = []
    for form, _, tag, _, _, number in examples:
        encode_word(form, len(form), True, &codes)
        change = &lemmatizer.changes[number]
        found.append([
            (like_key(&codes, &tags.codes[tag], k, NULL),
             0 if change.whole_length else like_key(&codes, &tags.codes[tag], k, change))
            for k in range(min(LETTERS_SHARED, codes.length - 1))
        ])
    return found


def learn(Lemmatizer lemmatizer, Perceptron learner, TagSet tags, examples):
    """Go once over examples (form, own lemma, tag, first in its sentence, case, affixes); count the mistakes.

    ``own``: the key of the lemma if no other form has it, else 0.
    """
    cdef WordCodes codes
    cdef uint64_t keys[LEMMA_KEYS]
    cdef float scores[MAX_CLASSES + 64]
    cdef int n, tag, case, number, rule, good, bad, mistakes = 0
    cdef bint first, is_right
    cdef bytes form
    cdef uint64_t own
    cdef Choice choice
    for form, own, tag, first, case, number in examples:
        encode_word(form, len(form), lemmatizer.known is not None, &codes)
        rule = lemmatizer.highest(form, len(form), &codes, &tags.codes[tag], first, scores, own, &choice)
        is_right = rule == case + N_CASES * number
        mistakes += not is_right
        if is_right and choice.lead < MARGIN:      # its rival must be further behind
            rule = case + N_CASES * choice.second
        if rule != case + N_CASES * number:
            n = lemmatizer.keys_of(&codes, &tags.codes[tag], first, keys)
            update(learner, keys, n, case, rule % N_CASES)
            update(learner, keys, n, N_CASES + number, N_CASES + rule // N_CASES)
            good = lemmatizer.known_bits(form, len(form), case + N_CASES * number, &tags.codes[tag], own)
            bad = lemmatizer.known_bits(form, len(form), rule, &tags.codes[tag], own)
            shift(learner, keys, n, N_CASES + lemmatizer.n_guessed, (good & SAME_POS) - (bad & SAME_POS))
            shift(learner, keys, n, N_CASES + lemmatizer.n_guessed + 1, (good & ANY_POS) - (bad & ANY_POS))
            if lemmatizer.n_known > 2:
                shift(learner, keys, n, N_CASES + lemmatizer.n_guessed + 2, (good & WORD) - (bad & WORD))
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
        found.append(lemmatizer.guess(form, len(form), &codes, &tags.codes[tag], first, scores))
    return found


def remembered(Lemmatizer lemmatizer, TagSet tags, examples):
    """Return the rule that is remembered for each example, -1 if none is."""
    cdef int tag
    cdef bytes form
    found = array("i")
    for form, _, tag, _, _, _ in examples:
        found.append(lemmatizer.remembered(form, len(form), &tags.codes[tag]))
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
