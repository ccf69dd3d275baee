"""One of the two treebanks of an evaluation: its text and tokens, with trees and labels as numbers.

A Block holds words. The official scores also need tokens, because they match words by the characters they cover.
Trees that no scorer accepts (a head outside the sentence, a cycle) raise an error. Whatever only the official scores
reject is kept in ``rejection``: the older conventions can still be applied to such files.

The official scorer removes the subtype of every relation and every feature outside a fixed list before it compares.
``Labels`` does both once per distinct string, so the loops compare integers.
"""
from cpython.bytes cimport PyBytes_GET_SIZE
from libc.stdlib cimport free
from libc.string cimport memchr, memset

from treewright.errors import TreebankError
from treewright.treebank.blocks.block cimport INVALID, MISSING
from treewright.treebank.blocks.memory cimport allocate, allocate_zeroed, resize

CONTENT_RELATIONS = frozenset(
    "nsubj obj iobj csubj ccomp xcomp obl vocative expl dislocated advcl advmod discourse nmod appos"
    " nummod acl amod conj fixed flat compound list parataxis orphan goeswith reparandum root dep".split()
)
FUNCTION_RELATIONS = frozenset("aux cop mark det clf case cc".split())
UNIVERSAL_FEATURES = frozenset(
    "PronType NumType Poss Reflex Foreign Abbr Gender Animacy Number Case Definite Degree VerbForm Mood"
    " Tense Aspect Voice Evident Polarity Person Polite".split()
)


def universal_features(str feats):
    """Return FEATS with the universal features only, sorted, as the official scorer compares them."""
    kept = [feature for feature in feats.split("|") if feature.split("=", 1)[0] in UNIVERSAL_FEATURES]
    return "|".join(sorted(kept))


cdef class Labels:
    """One number per distinct label, shared by the two treebanks of an evaluation."""

    def __cinit__(self):
        self.relations = Interner()
        self.raw_features = Interner()
        self.canonical = {}

    def __dealloc__(self):
        free(self.kind)
        free(self.canonical_number)

    cdef int relation(self, const char* text, int length) except -1:
        """Return the number of a relation without its subtype."""
        cdef const char* colon = <const char*>memchr(text, c':', length)
        cdef int number = self.relations.intern(text, length if colon == NULL else <int>(colon - text))
        if number >= self.kind_room:
            self.kind = <signed char*>resize(self.kind, 2 * number + 64, 1)
            memset(self.kind + self.kind_room, -1, 2 * number + 64 - self.kind_room)
            self.kind_room = 2 * number + 64
        if self.kind[number] < 0:
            name = self.relations.strings[number]
            self.kind[number] = (
                CONTENT if name in CONTENT_RELATIONS else FUNCTION if name in FUNCTION_RELATIONS else 0
            )
        return number

    cdef int features(self, const char* text, int length) except -1:
        """Return a number that is equal for two FEATS if and only if their universal features are equal."""
        cdef int raw = self.raw_features.intern(text, length)
        cdef int known = self.canonical_room
        if raw >= known:
            self.canonical_number = <int32_t*>resize(self.canonical_number, 2 * raw + 64, sizeof(int32_t))
            self.canonical_room = 2 * raw + 64
            memset(self.canonical_number + known, -1, (self.canonical_room - known) * sizeof(int32_t))
        if self.canonical_number[raw] < 0:
            key = universal_features(self.raw_features.strings[raw])
            self.canonical_number[raw] = self.canonical.setdefault(key, len(self.canonical))
        return self.canonical_number[raw]


PROBLEMS = {
    "columns": "the line does not have the columns of the format",
    "id": "the ID is not the next number",
    "head": "HEAD is not a number",
}


cdef class Side:
    """A block of gold or system sentences, ready to be aligned and compared."""

    def __init__(self, Block block, Labels labels, bint multiple_roots=False):
        self.block = block
        self.labels = labels
        self._reject_unreadable()
        self._allocate()
        self._read_heads()
        if not multiple_roots:
            self._reject_several_roots()
        self._read_labels()
        try:
            self._read_tokens()
            self.arcs = Arcs(block)
        except TreebankError as error:
            self._reject(error)

    def __dealloc__(self):
        free(self.text)
        free(self.token_start)
        free(self.multiword)
        free(self.word_token)
        free(self.sentence_start)
        free(self.parent)
        free(self.relation)
        free(self.features)
        free(self.first_function_word)
        free(self.next_function_word)

    def text_from(self, int sentence):
        """Return the length of the text from a sentence to the end of the block."""
        return self.sentence_start[self.block.n_sentences] - self.sentence_start[sentence]

    def tokens_around(self, int position, int count):
        """Return up to ``count`` tokens before a position in the text, as many after it, and its line."""
        cdef int token = 0, word = 0
        low, high = 0, self.n_tokens
        while low < high:
            middle = (low + high) // 2
            if self.token_start[middle + 1] <= position:
                low = middle + 1
            else:
                high = middle
        token = low
        while word < self.block.n_words - 1 and self.word_token[word] < token:
            word += 1
        line = self.block.line_of_word(word) if self.block.n_words else self.block.first_line
        before = [self._token_text(t) for t in range(max(0, token - count), token)]
        after = [self._token_text(t) for t in range(token, min(self.n_tokens, token + count))]
        return before, after, line

    def _token_text(self, int token):
        cdef bytes raw = self.text[self.token_start[token]:self.token_start[token + 1]]
        return raw.decode("utf-8", "replace")

    def _reject_unreadable(self):
        for sentence, line, code in self.block.problems:
            if code in PROBLEMS:
                raise self._error(PROBLEMS[code], sentence, line, "treewright validate lists all such lines")

    def _reject(self, error):
        if self.rejection is None:
            self.rejection = error

    def _error(self, str problem, int sentence, long line, str remedy):
        return TreebankError(
            problem, source=self.block.source, line=line, sent_id=self.block.sent_id(sentence), remedy=remedy
        )

    cdef int _allocate(self) except -1:
        cdef Block block = self.block
        cdef size_t n = block.n_words + 1
        cdef size_t lines = n + block.data.count(b"-")      # a multiword token has a '-' in its ID
        self.text = <char*>allocate(PyBytes_GET_SIZE(block.data) + 1, 1)
        self.token_start = <int32_t*>allocate_zeroed(lines + 1, sizeof(int32_t))
        self.multiword = <signed char*>allocate_zeroed(lines, 1)
        self.word_token = <int32_t*>allocate_zeroed(n, sizeof(int32_t))
        self.sentence_start = <int32_t*>allocate_zeroed(block.n_sentences + 1, sizeof(int32_t))
        self.parent = <int32_t*>allocate_zeroed(n, sizeof(int32_t))
        self.relation = <int32_t*>allocate_zeroed(n, sizeof(int32_t))
        self.features = <int32_t*>allocate_zeroed(n, sizeof(int32_t))
        self.first_function_word = <int32_t*>allocate_zeroed(n, sizeof(int32_t))
        self.next_function_word = <int32_t*>allocate_zeroed(n, sizeof(int32_t))
        return 0

    cdef int _read_heads(self) except -1:
        """Convert HEAD to indices; reject anything that is not a tree."""
        cdef Block block = self.block
        cdef int sentence, word, first, n, head
        cdef int32_t* seen = <int32_t*>allocate_zeroed(block.n_words, sizeof(int32_t))
        try:
            for sentence in range(block.n_sentences):
                first = block.sentence_word[sentence]
                n = block.sentence_word[sentence + 1] - first
                for word in range(first, first + n):
                    head = block.head[word]
                    if head == MISSING or head == INVALID or head > n:
                        raise self._error(
                            "the word has no HEAD" if head == MISSING else
                            "HEAD is not a number" if head == INVALID else
                            f"HEAD {head} points outside the sentence of {n} words",
                            sentence, block.line_of_word(word),
                            "Both files must be fully parsed",
                        )
                    self.parent[word] = first + head - 1 if head > 0 else ROOT
                self._check_cycles(sentence, seen)
        finally:
            free(seen)
        return 0

    cdef int _check_cycles(self, int sentence, int32_t* seen) except -1:
        """Follow the heads from every word; a walk that meets itself is a cycle."""
        cdef int first = self.block.sentence_word[sentence]
        cdef int end = self.block.sentence_word[sentence + 1]
        cdef int word, at
        for word in range(first, end):
            at = word
            while at != ROOT and seen[at] == 0:
                seen[at] = word + 1
                at = self.parent[at]
            if at != ROOT and seen[at] == word + 1:
                raise self._error(
                    f"the heads form a cycle through word {at - first + 1}", sentence,
                    self.block.line_of_word(at), "Every path of heads must end at the root",
                )
        return 0

    def _reject_several_roots(self):
        cdef int sentence, word, roots
        for sentence in range(self.block.n_sentences):
            roots = 0
            for word in range(self.block.sentence_word[sentence], self.block.sentence_word[sentence + 1]):
                if self.parent[word] == ROOT:
                    roots += 1
                    if roots == 2:
                        self._reject(self._error(
                            "the sentence has several roots", sentence, self.block.line_of_word(word),
                            "The official scores accept one root per sentence unless multiple roots are allowed"
                            " (multiple_roots=True, --no-single-root)",
                        ))
                        return

    cdef int _read_labels(self) except -1:
        cdef Block block = self.block
        cdef int word, head
        for word in range(block.n_words):
            self.first_function_word[word] = -1
            if block.layout.deprel >= 0:
                self.relation[word] = self.labels.relation(
                    block.field_start(word, block.layout.deprel), block.field_length(word, block.layout.deprel)
                )
            else:
                self.relation[word] = self.labels.relation("_", 1)
            if block.layout.feats >= 0:
                self.features[word] = self.labels.features(
                    block.field_start(word, block.layout.feats), block.field_length(word, block.layout.feats)
                )
            else:
                self.features[word] = self.labels.features("_", 1)
        for word in range(block.n_words - 1, -1, -1):
            head = self.parent[word]
            if head != ROOT and self.labels.kind[self.relation[word]] == FUNCTION:
                self.next_function_word[word] = self.first_function_word[head]
                self.first_function_word[head] = word
        return 0

    cdef int _read_tokens(self) except -1:
        """Build the text and assign a token to every word."""
        cdef Block block = self.block
        cdef int sentence, word, before, end, covered
        for sentence in range(block.n_sentences):
            self.sentence_start[sentence] = self.token_start[self.n_tokens]
            word = block.sentence_word[sentence]
            end = block.sentence_word[sentence + 1]
            if word == end:
                line = block.line_of(sentence)
                raise self._error("the sentence has no words", sentence, line, "Remove it from both files")
            covered = word          # words before this one belong to the last multiword token
            while word < end:
                if word == block.sentence_word[sentence] or block.word_line[word] != block.word_line[word - 1] + 1:
                    covered = self._read_token_lines(sentence, word, covered)
                if word >= covered:
                    before = self.token_start[self.n_tokens]
                    self._add_token(
                        block.field_start(word, block.layout.form), block.field_length(word, block.layout.form), False
                    )
                    if self.token_start[self.n_tokens] == before:
                        line = block.line_of_word(word)
                        raise self._error("FORM is empty", sentence, line, "Every token needs a form")
                self.word_token[word] = self.n_tokens - 1
                word += 1
            self._read_token_lines(sentence, end, covered)
        self.sentence_start[block.n_sentences] = self.token_start[self.n_tokens]
        return 0

    cdef int _read_token_lines(self, int sentence, int word, int covered) except -1:
        """Read the lines before ``word`` that are not words; return the end of the multiword token there.

        ``word`` may be the end of the sentence, to find a multiword token without words.
        """
        cdef Block block = self.block
        cdef int first = block.sentence_word[sentence]
        cdef int end = block.sentence_word[sentence + 1]
        cdef const char* line
        cdef const char* limit
        cdef const char* stop
        cdef const char* field
        cdef int length = 0, from_word, to_word, before
        if block.layout.id < 0:
            return covered
        if word == first:
            line = block.text + block.sentence_offset[sentence]
        else:
            line = block.field_start(word - 1, block.n_columns - 1) + block.field_length(word - 1, block.n_columns - 1)
            line = after_newline(line, block.text + block.sentence_offset[sentence + 1])
        limit = block.field_start(word, 0) if word < end else block.text + block.sentence_offset[sentence + 1]
        while line < limit:
            stop = <const char*>memchr(line, c'\n', limit - line)
            if stop == NULL:
                stop = limit
            field = column_of(line, stop, block.layout.id, &length)
            if not (line[0] == c'#' and block.layout.comments) and parse_range(field, length, &from_word, &to_word):
                if word < covered or from_word != word - first + 1 or to_word < from_word or first + to_word > end:
                    number = line_number(block, line)
                    token = field[:length].decode("utf-8", "replace")
                    raise self._error(
                        f"the multiword token {token} is not directly before its words",
                        sentence, number, "Its ID must be the range of the words after it, inside the sentence",
                    )
                covered = first + to_word
                before = self.token_start[self.n_tokens]
                field = column_of(line, stop, block.layout.form, &length)
                self._add_token(field, length, True)
                if self.token_start[self.n_tokens] == before:
                    number = line_number(block, line)
                    raise self._error("FORM is empty", sentence, number, "Every token needs a form")
            line = stop + 1
        return covered

    cdef int _add_token(self, const char* form, int length, bint multiword) noexcept nogil:
        cdef int start = self.token_start[self.n_tokens]
        self.multiword[self.n_tokens] = multiword
        self.n_tokens += 1
        self.token_start[self.n_tokens] = start + copy_without_spaces(form, length, self.text + start)
        return 0


cdef inline const char* after_newline(const char* p, const char* end) noexcept nogil:
    p = <const char*>memchr(p, c'\n', end - p)
    return end if p == NULL else p + 1


cdef inline const char* column_of(const char* line, const char* stop, int column, int* length) noexcept nogil:
    """Return a column of a line and its length, 0 if the line has no such column."""
    cdef const char* tab
    while column > 0:
        tab = <const char*>memchr(line, c'\t', stop - line)
        if tab == NULL:
            length[0] = 0
            return stop
        line = tab + 1
        column -= 1
    tab = <const char*>memchr(line, c'\t', stop - line)
    length[0] = <int>((stop if tab == NULL else tab) - line)
    return line


cdef inline bint parse_range(const char* field, int length, int* first, int* last) noexcept nogil:
    """Read ``first-last``; return whether the field holds such a range."""
    cdef int i = 0
    first[0] = last[0] = 0
    while i < length and c'0' <= field[i] <= c'9' and i < 9:
        first[0] = 10 * first[0] + (field[i] - c'0')
        i += 1
    if i == 0 or i >= length or field[i] != c'-':
        return False
    i += 1
    while i < length and c'0' <= field[i] <= c'9' and last[0] < 100000000:
        last[0] = 10 * last[0] + (field[i] - c'0')
        i += 1
    return i == length


cdef long line_number(Block block, const char* place):
    return block.first_line + block.data.count(b"\n", 0, place - block.text)


cdef int copy_without_spaces(const char* text, int length, char* out) noexcept nogil:
    """Copy text without the characters of Unicode category Zs; return how many bytes were copied."""
    cdef int i = 0, n = 0
    cdef unsigned char a, b, c
    while i < length:
        a = <unsigned char>text[i]
        if a == 0x20:
            i += 1
            continue
        if a == 0xC2 and i + 1 < length and <unsigned char>text[i + 1] == 0xA0:
            i += 2
            continue
        if 0xE1 <= a <= 0xE3 and i + 2 < length:
            b = <unsigned char>text[i + 1]
            c = <unsigned char>text[i + 2]
            if ((a == 0xE1 and b == 0x9A and c == 0x80)                                     # U+1680
                    or (a == 0xE2 and b == 0x80 and (0x80 <= c <= 0x8A or c == 0xAF))       # U+2000-200A, 202F
                    or (a == 0xE2 and b == 0x81 and c == 0x9F)                              # U+205F
                    or (a == 0xE3 and b == 0x80 and c == 0x80)):                            # U+3000
                i += 3
                continue
        out[n] = text[i]
        n += 1
        i += 1
    return n
