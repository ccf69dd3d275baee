"""Words as the tagger sees them: hashes of the form, its affixes, its shape, and its class in the lexicon.

They are computed once per word; features are sums of them. Text needs no vocabulary.
"""
from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcmp, memset

from treewright.features.folding cimport SCRATCH, back, fold, forth, make_tables
from treewright.features.word_clusters cimport WordClusters
from treewright.kinds.tagger.lexicon cimport ONLY_FORM, KnownLemmas, Lexicon
from treewright.kinds.tokenizer.boundaries.characters cimport (
    CLOSE, COMMA, CURRENCY, DASH, EMOJI, MARK, OPEN, QUOTE, SIGN, STOP, SYMBOL, kind_of,
)
from treewright.treebank.blocks.block cimport Block
from treewright.treebank.blocks.memory cimport allocate_zeroed, resize

cdef extern from "text_hash.h" nogil:
    uint64_t tw_hash(const char* text, int n, uint64_t seed)
    uint64_t tw_mix(uint64_t a, uint64_t b)

cdef enum:
    LONGEST_REST = 24        # bytes after a stem
    KEPT_BYTES = 16 << 20    # of scores kept for each thread

cdef uint64_t SEED = 0x7461676765720001ULL
cdef uint64_t NOTHING = tw_hash("nothing", 7, SEED)
cdef uint64_t UNKNOWN = NOTHING

make_tables()


cdef int encode_word(const char* text, int length, bint rich, WordCodes* out) noexcept nogil:
    """Write all that depends on the word alone; the lexicon comes later."""
    cdef char lower[SCRATCH]
    cdef int n = encode_outline(text, length, lower, rich, out)
    encode_affixes(lower, n, rich, out)
    return n


cdef int encode_outline(const char* text, int length, char* lower, bint rich, WordCodes* out) noexcept nogil:
    """Write what features of other words and tags look at too: forms, shape, the last two and three characters.

    Return the bytes in lower case.
    """
    cdef char shape[SCRATCH]
    cdef int n = fold(text, length, lower, False), at = n, k
    out.text, out.bytes, out.complete = text, length, False
    out.form = tw_hash(text, length, SEED)
    out.lower = tw_hash(lower, n, SEED)
    at = back(lower, at)
    for k in range(1, 3):
        at = back(lower, at)
        out.suffix[k] = affix(lower, n, at, n - at, k + 1, rich)
    out.shape = tw_hash(shape, fold(text, length, shape, True), SEED)
    out.ambiguity = out.stem = out.rest = NOTHING
    out.entry = -1
    return n


cdef void encode_affixes(const char* lower, int n, bint rich, WordCodes* out) noexcept nogil:
    """Write the affixes of a word in lower case, and its length."""
    cdef int at = 0, k
    for k in range(PREFIXES):
        at = forth(lower, at, n)
        out.prefix[k] = affix(lower, n, 0, at, k + 1, rich)
    at = n
    for k in range(SUFFIXES):
        at = back(lower, at)
        out.suffix[k] = affix(lower, n, at, n - at, k + 1, rich)
    out.length = 0
    for k in range(n):
        out.length += (<uint8_t>lower[k] & 0xC0) != 0x80


cdef void add_affixes(WordCodes* word, KnownLemmas known) noexcept nogil:
    """Write what features of the word alone look at. Most words of a text need none of it: see KeptScores."""
    cdef char lower[SCRATCH]
    cdef int n = fold(word.text, word.bytes, lower, False)
    encode_affixes(lower, n, known is not None, word)
    if known is not None:
        find_stem(lower, n, known, word)
    word.complete = True


cdef inline uint64_t affix(const char* lower, int n, int start, int length, int wanted, bint rich) noexcept nogil:
    """Return the code of an affix of so many characters. A rich word has none that is all of it; old models had."""
    return tw_hash(lower + start, length, SEED + wanted) if length < n or not rich else NOTHING


cdef uint64_t shape_of(const WordCodes* word, bint first) noexcept nogil:
    """Return the code of a word's shape, another one at the start of a sentence: all bits differ, as tables see few."""
    return tw_mix(word.shape, SEED) if first else word.shape


cdef uint64_t form_code(const char* text, int length) noexcept nogil:
    """The hash of a form as it is."""
    return tw_hash(text, length, SEED)


cdef void find_stem(const char* lower, int n, KnownLemmas known, WordCodes* out) noexcept nogil:
    """Look for the longest known lemma that the word begins with, and that has other forms."""
    cdef int at = n
    cdef uint32_t mask
    while at > 0 and n - at <= LONGEST_REST:
        mask = known.mask_of(lower, at)
        if mask != 0 and mask < ONLY_FORM:
            out.stem = tw_mix(mask + 0x9E3779B97F4A7C15ULL, SEED)
            out.rest = tw_hash(lower + at, n - at, SEED + 77)
            return
        at = back(lower, at)


cdef void find_cluster(const char* lower, int n, WordClusters clusters, WordCodes* out) noexcept nogil:
    """Look for the cluster of a word, and for the larger ones that it belongs to."""
    cdef int number = clusters.cluster_of(lower, n)
    out.cluster[0] = clusters.code(number, 4)
    out.cluster[1] = clusters.code(number, 8)
    out.cluster[2] = clusters.code(number, 0)


cdef class KeptScores:
    """Each form has one place, which it shares with others: the latest has it."""

    def __dealloc__(self):
        free(self.forms)
        free(self.rows)

    cdef int open(self, object owner, int width) except -1:
        """Forget what belongs to another owner."""
        cdef uint64_t places = 64
        if owner is self.owner and width == self.width:
            return 0
        while 2 * places * width * sizeof(float) <= KEPT_BYTES:
            places *= 2
        self.owner = None
        free(self.forms)
        free(self.rows)
        self.forms, self.rows = NULL, NULL
        self.forms = <uint64_t*>allocate_zeroed(places, sizeof(uint64_t))
        self.rows = <float*>allocate_zeroed(places * width, sizeof(float))
        self.owner, self.width, self.mask = owner, width, places - 1
        return 0

    cdef float* find(self, uint64_t form, bint* known) noexcept nogil:
        """Return the row of a form; it is to be filled unless it is known."""
        cdef uint64_t at = form >> 20 & self.mask
        known[0] = self.forms[at] == form
        self.forms[at] = form
        return self.rows + at * self.width


cdef class EncodedWords:
    def __cinit__(self):
        self.kept = KeptScores()

    def __dealloc__(self):
        free(self.rows)

    cdef int reserve(self, int64_t rows) except -1 nogil:
        cdef int64_t capacity = rows + rows // 2 + 256
        if rows > self.capacity:
            self.rows = <WordCodes*>resize(self.rows, capacity, sizeof(WordCodes))
            self.capacity = capacity
        return 0

    cdef int add_sentence(
        self, Block block, int sentence, Lexicon lexicon, KnownLemmas known, WordClusters clusters
    ) except -1 nogil:
        """Append the words of a sentence; without known lemmas (in old models) their codes are not rich."""
        cdef int column = block.layout.form
        cdef int first = block.sentence_word[sentence], n = block.sentence_word[sentence + 1] - first, word
        cdef WordCodes* row
        cdef char lower[SCRATCH]
        cdef int n_lower
        self.reserve(self.n_rows + n + 2 * PADDING)
        row = self.rows + self.n_rows
        for _ in range(PADDING):
            blank(row)
            row += 1
        for word in range(first, first + n):
            n_lower = encode_outline(
                block.field_start(word, column), block.field_length(word, column), lower, known is not None, row
            )
            lexicon.look_up(row.lower, &row.entry, &row.ambiguity)
            row.initial_shape = shape_of(row, word == first)
            row.signs = WORD
            if row.entry < 0:
                row.signs = signs_of(block.field_start(word, column), block.field_length(word, column))
            if self.complete:
                add_affixes(row, known)
            if clusters is not None:
                find_cluster(lower, n_lower, clusters, row)
            row += 1
        tell_last(row - n, n)
        for _ in range(PADDING):
            blank(row)
            row += 1
        self.n_rows += n + 2 * PADDING
        return 0


cdef void tell_last(WordCodes* rows, int n) noexcept nogil:
    """Let all words of a sentence know the last one."""
    cdef int k
    for k in range(n):
        rows[k].last = rows[n - 1].lower


cdef int signs_of(const char* text, int length) noexcept nogil:
    """Say which signs a word consists of; WORD if it has letters or digits."""
    cdef int found = 0, kind, code, size, k, at = 0
    cdef uint8_t lead
    while at < length:
        lead = <uint8_t>text[at]
        size = 1 if lead < 0x80 else 2 if lead < 0xE0 else 3 if lead < 0xF0 else 4
        code = lead if size == 1 else lead & (0x3F >> (size - 1))
        for k in range(1, size):
            code = code << 6 | (<uint8_t>text[at + k] & 0x3F if at + k < length else 0)
        kind = kind_of(code)
        if kind in (STOP, COMMA, OPEN, CLOSE, QUOTE, DASH):
            found |= MARKS
        elif kind in (SYMBOL, CURRENCY, EMOJI):
            found |= PICTURES
        elif kind == SIGN:
            found |= MIXED_SIGNS
        elif kind != MARK:
            return WORD
        at += size
    return found


cdef void forget(WordCodes* row) noexcept nogil:
    """Make a word unknown: only its letters stay."""
    row.form = row.lower = row.ambiguity = NOTHING
    row.entry = -1


cdef void blank(WordCodes* row) noexcept nogil:
    cdef int k
    memset(row, 0, sizeof(WordCodes))
    for k in range(CLUSTER_SIZES):
        row.cluster[k] = NOTHING
    row.form = row.lower = row.shape = row.ambiguity = row.stem = row.rest = NOTHING
    for k in range(PREFIXES):
        row.prefix[k] = NOTHING
    for k in range(SUFFIXES):
        row.suffix[k] = NOTHING
    row.entry = -1


def unknown_words(Block block, Lexicon lexicon, const uint8_t[::1] names, int most):
    """Return how many words of a block have a letter, how many of these no lexicon entry but as names (``names``: 1 for
    tags that say so), and how many of those no capital at their start. It looks at ``most`` words.

    Names are unknown in any text, and those of one language are words of another.
    """
    cdef int column = block.layout.form, word, words = 0, unknown = 0, small = 0, length
    cdef const char* text
    cdef char lower[SCRATCH]
    cdef WordCodes codes
    cdef int32_t entry
    cdef uint64_t ambiguity
    for word in range(min(<int>block.n_words, most)):
        text, length = block.field_start(word, column), block.field_length(word, column)
        if not has_letter(text, length):
            continue
        encode_word(text, length, False, &codes)
        entry = -1
        lexicon.look_up(codes.lower, &entry, &ambiguity)
        words += 1
        if entry < 0 or is_name(lexicon, entry, names):
            unknown += 1
            fold(text, length, lower, False)
            small += memcmp(text, lower, forth(text, 0, length)) == 0
    return words, unknown, small


cdef bint is_name(Lexicon lexicon, int entry, const uint8_t[::1] names):
    """Are all tags of a class of words those of names?"""
    cdef int k
    for k in range(lexicon.start_view[entry], lexicon.start_view[entry + 1]):
        if not names[lexicon.tag_view[k]]:
            return False
    return True


cdef bint has_letter(const char* text, int length) noexcept nogil:
    """Say whether a word has a letter, or any character beyond ASCII."""
    cdef int k
    for k in range(length):
        if text[k] & 0x80 or c'a' <= text[k] | 0x20 <= c'z':
            return True
    return False


def lower_key(bytes form):
    """Return the key of a form in the lexicon: the hash of its lower case."""
    cdef WordCodes codes
    encode_word(form, len(form), False, &codes)
    return codes.lower
